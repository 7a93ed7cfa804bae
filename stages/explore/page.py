"""The page: template, style and script made one file that asks nothing of any network."""

import base64
import gzip
import hashlib
import json
from importlib.resources import files
from typing import Any


def page(data: dict[str, Any]) -> str:
    """
    Give the whole HTML with the data gzipped inside.

    Its policy names style and script by digest and forbids everything else, so no text in the
    data can run or call out.
    """
    home = files("stages.explore")
    style, script = ((home / name).read_text("utf-8") for name in ("page.css", "page.js"))
    raw = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    parts = {
        "@POLICY@": (
            f"default-src 'none'; style-src '{digest(style)}'; script-src '{digest(script)}'; "
            "base-uri 'none'; form-action 'none'"
        ),
        "@STYLE@": style,
        "@SCRIPT@": script,
        "@DATA@": base64.b64encode(gzip.compress(raw, 6, mtime=0)).decode(),
    }
    html = (home / "page.html").read_text("utf-8")
    for mark, part in parts.items():
        html = html.replace(mark, part)
    return html


def digest(text: str) -> str:
    """Give the source expression by which a policy allows this text alone."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
