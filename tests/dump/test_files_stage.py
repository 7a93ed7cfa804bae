"""The stage `dump` with `source = "files"`, as a person runs it."""

from stages.dump import DumpKnobs, judge_of


def test_the_knobs_for_attachments_choose_files_too():
    """Kind and size, as for what is fetched."""

    def row(name, kind, size):
        return {"channel_id": "1", "message_id": "2", "attachment_id": "3", "filename": name,
                "content_type": kind, "size": size}  # fmt: skip

    judge = judge_of(DumpKnobs())
    assert judge(row("a.png", "image/png", 10)) is None
    assert judge(row("a.mp4", "video/mp4", 10))[0] == "not asked"
    assert judge(row("a.png", "image/png", 9_000_000))[0] == "too large"
    assert judge_of(DumpKnobs(attachments="none"))(row("a.png", "image/png", 10))
