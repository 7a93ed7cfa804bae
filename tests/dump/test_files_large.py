"""An export that is larger than the memory it may have."""

import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.testing import dce
from tests.dump.files_small import ROOM_ID

ROWS, LETTERS = 195_000, 1_000
IMPORT = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from pipeline.raw import Raw
from stages.dump.files import import_files
done = import_files(Raw(Path(sys.argv[2])), [Path(sys.argv[1])], now=datetime.now(UTC))
status = Path("/proc/self/status").read_text().splitlines()
print(done.fresh, next(int(line.split()[1]) * 1024 for line in status if "VmHWM" in line))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="its own peak is read from /proc")
def test_300_megabytes_come_in_within_512(tmp_path):
    """
    A window of the file and an index of ids are in memory, never its rows (B063).

    The peak is the process's own: what `getrusage` tells begins with its parent's.
    """
    text = "word " * (LETTERS // 5)
    rows = (dce.row(n, text, reactions=[]) for n in range(ROWS))
    path = tmp_path / "in" / "large.json"
    assert dce.write_large(path, rows, dce.document([])) == ROWS
    assert path.stat().st_size > 300_000_000
    command = [sys.executable, "-c", IMPORT, str(path), str(tmp_path / "raw")]
    home = Path(__file__).resolve().parents[2]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=home)
    fresh, peak_bytes = map(int, done.stdout.split())
    assert fresh == ROWS
    assert peak_bytes < 512_000_000
    assert (tmp_path / "raw" / "messages" / f"{ROOM_ID}.jsonl").stat().st_size > ROWS * LETTERS
