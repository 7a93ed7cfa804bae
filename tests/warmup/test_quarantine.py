"""What no way of asking brings is set aside with its reason; the rest goes on, --retry asks."""

from pipeline.models.scripted import recite
from pipeline.models.seam import Answer
from pipeline.runner import open_house
from pipeline.workspace import Workspace
from tests.warmup.history import MODEL, calls, held, is_merge, ladder, memories, mint, stretches
from tests.warmup.history import write_history as write


def refusing(*numbers):
    """Refuse the L1s of these chunks, answer everything else."""

    def script(request):
        hit = not is_merge(request) and stretches(request)[0] in numbers
        return Answer(request.model, "", stop="refusal") if hit else recite(request)

    return script


def quarantined(root):
    with held(root) as pyramid:
        return pyramid.quarantined()


def test_a_refused_chunk_is_set_aside_and_the_run_goes_on(tmp_path):
    """Its reasons are kept, one an attempt; every other chunk is minted; the run is unfinished."""
    write(tmp_path, 9)
    run = mint(tmp_path, refusing(4))
    (entry,) = quarantined(tmp_path)
    assert (entry.target, entry.level, entry.attempts) == ("c-4", 1, 2)
    assert "the model refused" in entry.reason
    assert {m.chunk_id for m in memories(tmp_path)} == {f"c-{n}" for n in range(9) if n != 4}
    assert len(run.left) == 1
    assert "c-4" in run.left[0]
    assert "--retry" in run.left[0]


def test_the_run_then_counts_as_unfinished(tmp_path):
    """What is left over is what makes a command end with 3."""
    write(tmp_path, 3)
    mint(tmp_path, refusing(1))
    assert open_house(Workspace(tmp_path)).ledger.last("warmup").outcome == "unfinished"


def test_without_retry_nobody_is_asked_again(tmp_path):
    """A second run leaves the quarantine as it is, costs nothing, and says it again."""
    write(tmp_path, 9)
    mint(tmp_path, refusing(4))
    run = mint(tmp_path)
    assert run.calls == 0
    assert "c-4" in run.left[0]


def test_retry_asks_again_and_takes_the_answer(tmp_path):
    """The rejected answers on record do not stand in its way; the run above it closes."""
    write(tmp_path, 6)
    mint(tmp_path, refusing(4))
    assert ladder(tmp_path) == [5]
    run = mint(tmp_path, retry=True)
    assert run.left == []
    assert quarantined(tmp_path) == []
    assert [is_merge(request) for request in run.model.asked] == [False, True]
    assert ladder(tmp_path) == [6, 1]
    assert len({m.memory_id for m in memories(tmp_path)}) == 7


def test_retry_in_vain_keeps_it_aside_with_the_new_reason(tmp_path):
    """Asked in both ways again, given up again, once in the list."""
    write(tmp_path, 6)
    mint(tmp_path, refusing(4))
    run = mint(tmp_path, refusing(4), retry=True)
    assert run.calls == 2
    assert [entry.target for entry in quarantined(tmp_path)] == ["c-4"]


def test_a_refused_merge_is_set_aside_and_retried(tmp_path):
    """Its children stay as they are; L1s go on; a retry makes the very same merge."""
    write(tmp_path, 14)
    first = "Saturday 1 March 2025, 09:00 to"

    def script(request):
        hit = is_merge(request) and first in request.messages[-1].text
        return Answer(request.model, "", stop="refusal") if hit else recite(request)

    mint(tmp_path, script)
    (entry,) = quarantined(tmp_path)
    assert entry.level == 2
    assert len(entry.target.split(" ")) == 6
    assert ladder(tmp_path) == [14, 1]
    run = mint(tmp_path, retry=True)
    assert run.left == []
    merged = [" ".join(m.source_ids) for m in memories(tmp_path) if m.level == 2]
    assert entry.target in merged


def test_one_in_twenty_of_751_set_aside_leaves_all_others_minted(tmp_path):
    """The fold never stands still, and no run reaches across what is missing."""
    bad = range(0, 751, 20)
    write(tmp_path, 751, model="scripted", words=2)
    run = mint(tmp_path, refusing(*bad), name="scripted")
    assert len(run.left) == len(bad)
    by_id = {m.memory_id: m for m in memories(tmp_path)}
    minted = {m.chunk_id: m for m in by_id.values() if m.level == 1}
    assert set(minted) == {f"c-{n}" for n in range(751) if n not in bad}
    for memory in by_id.values():
        if memory.level == 2:
            numbers = [int(by_id[i].chunk_id[2:]) for i in memory.source_ids]
            assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    assert sum(m.level == 2 for m in by_id.values()) > 100


def test_each_fault_has_its_own_second_way(tmp_path):
    """Cut, empty, reasoned and tool-calling answers are asked for again, and each is on record."""
    faults = {
        0: Answer(MODEL, "I was cut", stop="length"),
        1: Answer(MODEL, ""),
        2: Answer(MODEL, "", reasoning="let me think"),
        3: Answer(MODEL, "", stop="tool"),
    }
    asked = []

    def script(request):
        (number,) = stretches(request)
        asked.append((number, request.extra["take"]))
        return faults[number] if (number, "") == asked[-1] else recite(request)

    write(tmp_path, 4)
    assert mint(tmp_path, script).left == []
    assert asked == [(0, ""), (0, "plain"), (1, ""), (1, "plain"), (2, ""), (2, "plain"),
                     (3, ""), (3, "no tools")]  # fmt: skip
    outcomes = [call.outcome.partition(":")[0] for call in calls(tmp_path)]
    assert outcomes == ["rejected", "accepted"] * 4
