"""
Find every way in which the pyramid and its talk have gone wrong; reads only.

reads   transcript  one row per item of the agent's store
        chunks      one row per closed chunk
        pyramid     memories, where they are there
        waivers     findings that the owner lives with
writes  findings    one row per finding
"""

import re
from dataclasses import dataclass

from pipeline.errors import UsageError
from pipeline.schemas import CHUNKS, FINDINGS, PYRAMID, TRANSCRIPT, WAIVERS
from pipeline.stage import Context, stage


@dataclass(frozen=True, slots=True)
class AuditKnobs:
    """Knobs of `audit`; families are decided once, by the name that the report gives them."""

    remove: tuple[str, ...] = ()  # families to cut: the first appearance per level stays
    keep: tuple[str, ...] = ()  # families to leave alone, and patterns of vows, names, rituals
    canon: tuple[str, ...] = ()  # families that belong into the persona instead
    copy_share: float = 0.8  # memories that share so much (Jaccard of five-word runs) are copies
    exact: bool = True  # join shingles exactly; false: candidates by a MinHash index
    litany_least: int = 3  # memories of a level that repeat a sentence before it is a litany

    def __post_init__(self) -> None:
        if not 0.3 <= self.copy_share <= 1:
            raise UsageError(f"audit.copy_share is {self.copy_share}; give 0.3 to 1")
        if self.litany_least < 2:
            raise UsageError(f"audit.litany_least is {self.litany_least}; give 2 or more")
        for pattern in self.keep:
            try:
                re.compile(pattern)
            except re.error as error:
                raise UsageError(f"audit.keep: {pattern!r} is no pattern ({error})") from error


@stage(
    reads=[TRANSCRIPT, CHUNKS],
    reads_if_there=[PYRAMID, WAIVERS],
    writes=[FINDINGS],
    knobs=AuditKnobs,
)
def audit(ctx: Context[AuditKnobs]) -> None:
    """Look at everything, write what is wrong, tell about it."""
    from pipeline.memory.checks import check, named
    from stages.audit.scene import look, read_waivers
    from stages.audit.telling import frame_of, tell

    view = look(ctx)
    findings = named(check(view))
    waived = read_waivers(ctx)
    ctx.write(FINDINGS, frame_of(findings, waived, ctx.knobs))
    told = tell(findings, waived, view, ctx.knobs)
    ctx.report("audit.md", told.report)
    ctx.report("canon.md", told.canon)
    for line in told.lines:
        ctx.say(line)
