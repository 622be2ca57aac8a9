"""The exceptions a user can meet. A message says what is wrong, the value, and what to do.

    HeedError                 exit code 1: the user can fix it
    ├── UsageError            exit code 2: the command or call itself is malformed
    ├── SettingsError         a setting is unknown, of the wrong type or out of range
    ├── DataError             a data file, or something in it
    ├── RunError              a run folder or checkpoint: absent, damaged, of another model
    └── MachineError          what the computer cannot do: no disk space, no such precision

Anything else that escapes is our fault (exit code 3).
"""


class HeedError(Exception):
    """Root of everything a user can cause."""


class UsageError(HeedError):
    """The command or call itself is malformed."""


class SettingsError(HeedError):
    """A setting is unknown, of the wrong type or out of range."""


class DataError(HeedError):
    """A data file, or something in it, cannot be used."""


class RunError(HeedError):
    """A run folder or a checkpoint is absent, damaged or of another model."""


class MachineError(HeedError):
    """The computer cannot do what was asked."""
