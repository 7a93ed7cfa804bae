"""What merges, and when: each rule of the schedule has a test that fails without it."""

import random

import pytest

from pipeline.errors import StageError, UsageError
from pipeline.memory.merging import MergeRules, Node, Shelf, mergeable, runs
from pipeline.memory.schedule import Fold, Slot, Standing, Step, number_of, run_out


def nodes(*spans, level=1):
    """Give memories over these owned places; ids are their places."""
    return [Node(first, last, f"{first}-{last}", level) for first, last in spans]


def singles(*places):
    """Give memories over one owned place each."""
    return nodes(*((place, place) for place in places))


def named(found):
    """Give the first places of what was found."""
    return [node.first for node in found]


def shelf_of(*spans, level=1, **rules):
    """Give a shelf with memories over these places."""
    shelf = Shelf(level, MergeRules(**rules))
    for node in nodes(*spans, level=level):
        shelf.add(node)
    return shelf


def fold_of(count, *, messages=30, standing=(), given_up=(), **rules):
    """Give a fold over `count` chunks of equal length, c-0 onwards."""
    slots = [Slot(f"c-{at}", messages) for at in range(count)]
    return Fold(slots, MergeRules(**rules), standing, given_up)


def l1(number, chunk):
    """Give an L1 that stands over a chunk."""
    return Standing(f"L1-{number}", 1, (f"c-{chunk}",))


def drive(fold, *, refuse=(), steps=10**6):
    """Accept step after step, but give up the chunks in `refuse`; gives what was made."""
    made = []
    while steps and (step := fold.next_step()) is not None:
        if step.level == 1 and int(step.child_ids[0][2:]) in refuse:
            fold.quarantine(step)
            continue
        made.append(Standing(fold.accept(step), *step))
        steps -= 1
    return made


def counts(made):
    """Count what was made, by level."""
    return [
        sum(m.level == level for m in made) for level in range(1, max(m.level for m in made) + 1)
    ]


# -- candidates (folding §6.2) ------------------------------------------------------------------


def test_runs_are_exact_neighbours():
    """The next begins where the last ended, to the place."""
    parted = runs(nodes((0, 4), (5, 9), (11, 12), (13, 13)))
    assert [named(run) for run in parted] == [[0, 5], [11, 13]]


def test_the_newest_run_waits_for_a_full_fan_in():
    """Five wait; six merge, and of eight the first six."""
    assert named(mergeable(singles(*range(5)), 6)) == []
    assert named(mergeable(singles(*range(6)), 6)) == [0, 1, 2, 3, 4, 5]
    assert named(mergeable(singles(*range(8)), 6)) == [0, 1, 2, 3, 4, 5]


def test_adjacency_is_exact():
    """One place between them parts a run, so six in all are not six in a row."""
    assert named(mergeable(singles(0, 1, 2, 4, 5, 6), 6)) == [0, 1, 2]
    assert named(mergeable(singles(0, 2, 4, 6, 8, 10), 6)) == []


def test_an_interior_run_merges_from_two_on():
    """It can never fill; a single one in front of it stays stuck."""
    assert named(mergeable(singles(0, 2, 3, 5, 6, 7), 6)) == [2, 3]


def test_the_oldest_run_goes_first():
    """A full run behind waits for the interior one in front; of two full ones the older goes."""
    assert named(mergeable(singles(0, 1, *range(5, 11)), 6)) == [0, 1]
    assert named(mergeable(singles(*range(6), *range(8, 14)), 6)) == [0, 1, 2, 3, 4, 5]


def test_a_long_interior_run_gives_its_first_six():
    """Not all of it, and not its last."""
    assert named(mergeable(singles(*range(9), 20), 6)) == [0, 1, 2, 3, 4, 5]


def test_below_a_fan_in_on_the_level_nothing_merges():
    """Five on the shelf, two of them an interior run: not yet; a sixth sets it off."""
    shelf = shelf_of((0, 0), (1, 1), (5, 5), (6, 6), (7, 7))
    assert named(shelf.next_run()) == []
    shelf.add(nodes((8, 8))[0])
    assert named(shelf.next_run()) == [0, 1]


def test_what_spans_too_much_never_merges():
    """The limit itself is allowed; one more is out, parts the run, and still counts."""
    narrow = [(at * 11, at * 11 + 10) for at in range(6)]
    assert len(shelf_of(*narrow, merge_max_source_span_messages=10).next_run()) == 6
    wide = [(0, 10), (11, 21), (22, 33), *((at, at) for at in range(34, 37))]
    shelf = shelf_of(*wide, merge_max_source_span_messages=10)
    assert named(shelf.next_run()) == [0, 11]


@pytest.mark.parametrize(("level", "widest"), [(1, 10), (2, 10), (3, 10), (4, 60), (5, 360)])
def test_the_span_limit_grows_from_the_fourth_level_on(level, widest):
    """Times the fan-in for each level above the third; equality is allowed at each."""
    rules = MergeRules(merge_max_source_span_messages=10)
    assert rules.widest(level) == widest
    step = widest + 1
    spans = [(at * step, at * step + widest) for at in range(6)]
    limit = {"level": level, "merge_max_source_span_messages": 10}
    assert len(shelf_of(*spans, **limit).next_run()) == 6
    step += 1
    spans = [(at * step, at * step + widest + 1) for at in range(6)]
    assert len(shelf_of(*spans, **limit).next_run()) == 0


def test_a_span_is_counted_in_owned_messages():
    """36 chunks of 41 messages make an L3 that may merge, 36 of 42 one that never does."""
    fits = counts(drive(fold_of(216, messages=41)))  # an L3 spans 36 × 41 − 1 = 1,475
    stops = counts(drive(fold_of(216, messages=42)))  # 1,511
    assert (fits, stops) == ([216, 36, 6, 1], [216, 36, 6])


def test_a_shelf_searches_only_what_changed():
    """A check that found nothing costs nothing until something is added or taken."""
    shelf = shelf_of(*((at, at) for at in (0, 2, 4, 6, 8, 10)))
    assert named(shelf.next_run()) == []
    assert not shelf.unsearched
    shelf.add(nodes((1, 1))[0])
    assert named(shelf.next_run()) == [0, 1, 2]


def test_a_wall_parts_a_run_and_its_fall_joins_it():
    """No run reaches across; what ends at the wall waits and is counted as waiting."""
    shelf = shelf_of(*((at, at) for at in (0, 1, 2, 4, 5, 6)))
    shelf.raise_wall(3)
    assert (named(shelf.next_run()), shelf.waiting) == ([], 3)
    shelf.drop_wall(3)
    shelf.add(nodes((3, 3))[0])
    assert (named(shelf.next_run()), shelf.waiting) == ([0, 1, 2, 3, 4, 5], 0)


# -- rules --------------------------------------------------------------------------------------


def test_numbers_that_cannot_work_are_refused():
    """A cap below fan-in − 1 never fills a run; null and negative caps are none."""
    with pytest.raises(UsageError, match="max_speculative_l1s is 4"):
        MergeRules(max_speculative_l1s=4)
    with pytest.raises(UsageError, match="fan_in is 1"):
        MergeRules(fan_in=1)
    assert MergeRules(max_speculative_l1s=5)
    assert not MergeRules(max_speculative_l1s=None).is_capped(10**6)
    assert not MergeRules(max_speculative_l1s=-1).is_capped(10**6)


# -- the schedule (folding §6.1) ----------------------------------------------------------------


def test_merges_go_first_once_more_than_the_cap_stand_unmerged():
    """With a cap of 8 a ninth may stand: mint 9, merge 6, mint 6, merge 6 …"""
    levels = "".join(str(m.level) for m in drive(fold_of(30), steps=23))
    assert levels == "111111111" + "2" + "111111" + "2" + "111111"


def test_without_a_cap_all_l1s_go_first():
    """Every chunk is minted before any merge."""
    levels = [m.level for m in drive(fold_of(20, max_speculative_l1s=None))]
    assert levels == [1] * 20 + [2] * 3


def test_one_counter_names_all_levels():
    """Ids are issued in the order in which memories are made, whatever their level."""
    made = drive(fold_of(9))
    assert [number_of(m.memory_id) for m in made] == list(range(10))
    assert made[-1] == Standing("L2-9", 2, tuple(f"L1-{n}" for n in range(6)))


def test_one_merge_a_level_and_check():
    """A foreign merge frees two interior runs at once; the check queues the older alone."""
    standing = [*(l1(n, n) for n in range(10)), Standing("L2-10", 2, ("L1-2", "L1-3"))]
    fold = fold_of(10, standing=standing, fan_in=3)
    ready = ("L1-6", "L1-7", "L1-8")
    assert list(fold.queue) == [Step(2, ready), Step(2, ("L1-0", "L1-1"))]
    fold.accept(Step(2, ready))
    assert list(fold.queue) == [Step(2, ("L1-0", "L1-1")), Step(2, ("L1-4", "L1-5"))]


def test_levels_are_checked_low_to_high():
    """Where one check finds merges on two levels, the lower is queued first."""
    standing = [
        *(l1(n, n) for n in range(13)),
        Standing("L2-13", 2, ("L1-0", "L1-1", "L1-2")),
        Standing("L2-14", 2, ("L1-3", "L1-4", "L1-5")),
        Standing("L2-15", 2, ("L1-8",)),
    ]
    fold = fold_of(13, standing=standing, fan_in=3)
    assert list(fold.queue)[-2:] == [Step(2, ("L1-6", "L1-7")), Step(3, ("L2-13", "L2-14"))]


def test_no_highest_level():
    """A long fold goes on to L4, L5 and L6 as the threshold allows."""
    fold = fold_of(64, fan_in=2, max_speculative_l1s=4, messages=4)
    assert counts(drive(fold)) == [64, 32, 16, 8, 4, 2, 1]


def test_the_known_fold():
    """751 chunks give 125 L2, 20 L3 and 3 L4; what is left on each level is less than six."""
    fold = fold_of(751)
    assert counts(drive(fold)) == [751, 125, 20, 3]
    assert [len(fold.unmerged(level)) for level in (1, 2, 3, 4)] == [1, 5, 2, 3]
    assert all(len(fold.runs(level)) == 1 for level in (1, 2, 3, 4))
    assert fold.levels == {1: 751, 2: 125, 3: 20, 4: 3}


def test_chunks_of_many_messages_never_stand_still():
    """L1s that span too much hold the cap for good; minting goes on all the same."""
    assert counts(drive(fold_of(30, messages=2_000))) == [30]


def test_l1s_ahead_are_those_before_the_next_merge():
    """Side by side may go what the serial schedule would mint before it merges."""
    fold = fold_of(30)
    assert [s.child_ids[0] for s in fold.mints_ahead(4)] == ["c-0", "c-1", "c-2", "c-3"]
    drive(fold, steps=7)
    assert [s.child_ids[0] for s in fold.mints_ahead(4)] == ["c-7", "c-8"]
    drive(fold, steps=2)
    assert fold.mints_ahead(4) == []
    assert len(fold_of(30, max_speculative_l1s=None).mints_ahead(20)) == 20
    assert fold_of(0).mints_ahead(4) == []


# -- resuming -----------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [{}, {"max_speculative_l1s": None}, {"fan_in": 2}])
def test_a_fold_made_anew_goes_on_as_if_never_stopped(rules):
    """Stopped after any step, ids, children and order are those of the undisturbed run."""
    whole = drive(fold_of(60, **rules))
    for stopped in range(len(whole) + 1):
        again = fold_of(60, standing=whole[:stopped], **rules)
        assert whole[:stopped] + drive(again) == whole


@pytest.mark.parametrize(
    ("chunks", "merges"), [({3, 14, 15, 40}, ()), ((), (12,)), ((), (6, 30)), ({40}, (12, 24))]
)
def test_resuming_with_quarantine_changes_nothing(chunks, merges):
    """Steps given up, retried at the end and made late: every stop resumes to the same end."""
    slots = 60

    def is_refused(fold, step):
        if step.level == 1:
            return int(step.child_ids[0][2:]) in chunks
        return step.level == 2 and fold.nodes[step.child_ids[0]].first // 30 in merges

    def story(stop):
        """Run to `stop` accepted steps, forget everything but what is kept, go on."""
        kept, given_up, has_retried = [], set(), False
        fold = fold_of(slots)
        while True:
            step = fold.next_step()
            if step is None and has_retried:
                return kept
            if step is None:
                has_retried = True
                fold.retry()
            elif not has_retried and is_refused(fold, step):
                fold.quarantine(step)
                given_up.add(step.child_ids)
            else:
                kept.append(Standing(fold.accept(step), *step))
                given_up.discard(step.child_ids)
                if len(kept) == stop:
                    fold = fold_of(slots, standing=kept, given_up=given_up)
                    if has_retried:
                        fold.retry()

    whole = story(None)
    assert sum(m.level == 1 for m in whole) == slots
    assert all(story(stop) == whole for stop in range(1, len(whole) + 1))


def test_new_chunks_cost_only_themselves_and_the_runs_they_complete():
    """Six more chunks behind a finished fold are six L1s and one merge."""
    made = drive(fold_of(54))
    more = drive(fold_of(60, standing=made))
    assert [m.level for m in more].count(1) == 6
    assert [m.level for m in more].count(2) == 1
    assert min(number_of(m.memory_id) for m in more) == len(made)


def test_numbers_once_issued_are_not_issued_again():
    """A number may be taken by a memory that is archived by now."""
    fold = Fold([Slot("c-0", 9)], MergeRules(), numbers_from=40)
    assert fold.accept(fold.next_step()) == "L1-40"


def test_a_memory_over_nothing_is_named():
    """A pyramid with a missing chunk or child says which, and where to look."""
    with pytest.raises(StageError, match="L1-0 stands on c-9"):
        fold_of(2, standing=[l1(0, 9)])
    with pytest.raises(StageError, match="L2-1 stands on L1-7"):
        fold_of(2, standing=[l1(0, 0), Standing("L2-1", 2, ("L1-0", "L1-7"))])


def test_another_structure_than_ours_is_taken_as_it_stands():
    """Merges that the rules would not have made stand; what they left over is still merged."""
    standing = [*(l1(n, n) for n in range(8)), Standing("L2-8", 2, ("L1-4", "L1-5"))]
    fold = fold_of(20, standing=standing)
    assert fold.parents == {"L1-4": "L2-8", "L1-5": "L2-8"}
    made = drive(fold)
    assert sorted(fold.parents) == sorted(set(fold.parents))
    assert ("L1-0", "L1-1", "L1-2", "L1-3") in {m.child_ids for m in made}


def test_an_unminted_chunk_in_the_middle_is_a_memory_yet_to_come():
    """What stands before it waits for it instead of merging short; the chunk comes next."""
    fold = fold_of(12, standing=[l1(n, n) for n in (0, 1, 2, 4, 5, 6, 7, 8)])
    assert not fold.queue
    assert fold.next_step() == Step(1, ("c-3",))
    fold.accept(Step(1, ("c-3",)))
    assert fold.queue[0].child_ids == ("L1-0", "L1-1", "L1-2", "L1-9", "L1-4", "L1-5")


# -- quarantine ---------------------------------------------------------------------------------


def test_no_run_reaches_across_a_chunk_in_quarantine():
    """Three before and six behind: only the six merge, and the three wait for a full fan-in."""
    fold = fold_of(10)
    made = drive(fold, refuse={3})
    merges = [m.child_ids for m in made if m.level == 2]
    assert merges == [("L1-3", "L1-4", "L1-5", "L1-6", "L1-7", "L1-8")]
    assert fold.unmerged(1) == ["L1-0", "L1-1", "L1-2"]


def test_a_run_that_ends_at_a_chunk_in_quarantine_still_merges_when_full():
    """Seven before it: six merge, the seventh waits."""
    fold = fold_of(8)
    made = drive(fold, refuse={7})
    assert counts(made) == [7, 1]
    assert fold.unmerged(1) == ["L1-6"]


def test_l1s_that_wait_at_quarantine_are_not_speculative():
    """Five wait there, and nine more may still stand before merges go first."""
    fold = fold_of(40)
    drive(fold, steps=5)
    fold.quarantine(Step(1, ("c-5",)))
    assert fold.speculative == 0
    fold = fold_of(40)
    made = drive(fold, refuse={5}, steps=15)
    assert "".join(str(m.level) for m in made) == "1" * 5 + "1" * 9 + "2"


def test_the_levels_above_wait_at_quarantine_too():
    """L2s before a missing L1 do not merge short; they wait for the L2 that it belongs to."""
    fold = fold_of(80)
    made = drive(fold, refuse={24})
    assert fold.runs(2)[0] == [m.memory_id for m in made if m.level == 2][:4]


def test_every_twentieth_chunk_in_quarantine():
    """751 chunks: all others are minted, and nothing but full runs is merged."""
    fold = fold_of(751)
    made = drive(fold, refuse=range(19, 751, 20))
    assert sum(m.level == 1 for m in made) == 751 - 37
    assert {len(m.child_ids) for m in made if m.level > 1} == {6}
    assert fold.next_step() is None


def test_a_retried_chunk_closes_the_gap():
    """Minted at last, it joins its neighbours: the waiting three, itself and two behind."""
    fold = fold_of(6)
    drive(fold, refuse={3})
    assert fold.retry() == [Step(1, ("c-3",))]
    assert fold.next_step() == Step(1, ("c-3",))
    made = drive(fold)
    assert [m.child_ids for m in made if m.level == 2] == [
        ("L1-0", "L1-1", "L1-2", "L1-5", "L1-3", "L1-4")
    ]


def test_a_chunk_may_be_given_up_twice():
    """A retry that fails again leaves everything as it was."""
    fold = fold_of(12)
    first = drive(fold, refuse={3})
    fold.retry()
    assert drive(fold, refuse={3}) == []
    assert fold.given_up == {("c-3",)}
    fold.retry()
    assert sum(m.level == 1 for m in [*first, *drive(fold)]) == 12


def without_merge_at(fold, chunk):
    """Drive a fold, giving up the L2 that begins at this chunk; gives what was made."""
    made = []
    while (step := fold.next_step()) is not None:
        if step.level == 2 and fold.nodes[step.child_ids[0]].first == chunk * 30:
            fold.quarantine(step)
        else:
            made.append(Standing(fold.accept(step), *step))
    return made


def test_a_merge_in_quarantine_is_a_memory_yet_to_come():
    """Its sources are left in peace, the cap does not count them, the level above waits."""
    fold = fold_of(108)
    made = without_merge_at(fold, 12)
    assert counts(made) == [108, 17, 2]
    assert [len(run) for run in fold.runs(2)] == [2, 3]
    assert fold.speculative == 0
    again = fold_of(108, standing=made, given_up=fold.given_up)
    assert again.next_step() is None
    assert [step.level for step in again.retry()] == [2]
    assert [m.level for m in drive(again)] == [2, 3]


def test_a_merge_may_be_given_up_twice():
    """Made at the third try, it fills the run that waited for it."""
    fold = fold_of(108)
    without_merge_at(fold, 12)
    fold.retry()
    assert without_merge_at(fold, 12) == []
    fold.retry()
    last = drive(fold)[-1]
    assert (last.level, [fold.nodes[c].first // 30 for c in last.child_ids]) == (3, [0, 6, 12])


def test_stale_quarantine_is_forgotten():
    """Entries whose chunk is minted or whose sources are gone stand for nothing."""
    gone = [("c-0",), ("L1-7", "L1-8")]
    fold = fold_of(2, standing=[l1(0, 0)], given_up=gone)
    assert fold.given_up == set()
    assert fold.retry() == []


def test_any_story_keeps_the_invariants():
    """Whatever is given up and retried: one parent each, whole neighbours, nothing across a gap."""
    for seed in range(30):
        rng = random.Random(seed)
        fan_in = rng.choice([2, 3, 6])
        fold = fold_of(
            rng.randint(1, 90), fan_in=fan_in, max_speculative_l1s=rng.choice([5, 8, None])
        )
        made = []
        for _ in range(600):
            step = fold.next_step()
            if step is None and not fold.retry():
                break
            if step is not None and rng.random() < 0.15:
                fold.quarantine(step)
            elif step is not None:
                made.append(Standing(fold.accept(step), *step))
        taken = [child for m in made if m.level > 1 for child in m.child_ids]
        assert len(taken) == len(set(taken))
        for m in made:
            if m.level > 1:
                of = [fold.nodes[child] for child in m.child_ids]
                assert len(runs(of)) == 1
                assert 2 <= len(of) <= fan_in
        assert [number_of(m.memory_id) for m in made] == list(range(len(made)))
        assert fold.next_step() is None or fold.given_up == set()


def test_running_out_says_what_will_be():
    """A plan is the fold run to its end, step for step what the run itself will do."""
    assert list(run_out(fold_of(40))) == drive(fold_of(40))
