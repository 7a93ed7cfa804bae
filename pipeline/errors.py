"""
What can go wrong, and with which exit code a command then ends.

BackfoldError            1    our own word for "this cannot go on"
├── UsageError           2    a flag, knob or file of the user's that we cannot take
├── ArtifactError        1    a file of ours is not what its declaration says
├── SourceError          1    what we were given to read is unusable
├── NetworkError         1    the outside did not answer in a way we can use
├── ModelError           1    a model did not answer, or not acceptably
├── StageError           1    a stage cannot run as things stand
├── LockedError          1    another process works on this folder
└── Unfinished           3    done as far as it went; something in scope is left
"""


class BackfoldError(Exception):
    """Say in one line what is wrong, which value, and what to do next."""

    exit_code = 1


class UsageError(BackfoldError):
    """A flag, knob or file of the user's cannot be taken."""

    exit_code = 2


class ArtifactError(BackfoldError):
    """A file of ours is not what its declaration says."""


class SourceError(BackfoldError):
    """What we were given to read is unusable."""


class NetworkError(BackfoldError):
    """The outside did not answer in a way we can use."""


class ModelError(BackfoldError):
    """A model did not answer, or not acceptably."""


class StageError(BackfoldError):
    """A stage cannot run as things stand."""


class LockedError(BackfoldError):
    """Another process works on this agent's folder."""


class Unfinished(BackfoldError):  # noqa: N818 - it is not an error of anybody
    """Everything that could be done is done; something in scope is left."""

    exit_code = 3
