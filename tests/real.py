"""Where the real inputs lie, and a mark that skips visibly where they do not."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("BACKFOLD_SHARED", ROOT.parent / "shared"))

needs_real = pytest.mark.skipif(
    not (SHARED / "data").is_dir(),
    reason=f"the real inputs are not beside the project ({SHARED.name}/data)",
)
needs_spec = pytest.mark.skipif(
    not (SHARED / "spec").is_dir(),
    reason=f"the specs are not beside the project ({SHARED.name}/spec)",
)
