"""The exceptions of the library."""


class Error(Exception):
    """What the library reports: a message with the place in the file, if there is one.

    `kind` is one of 'usage', 'invalid_input' (the file is wrong), 'unsupported' (valid, but not on this device),
    'device', 'io', 'resource' (a limit or the memory), 'program' (a program file is damaged or for another machine),
    'negative', 'timeout' and 'internal' (a bug of ours). `hint` says what to do, or is empty.
    """

    def __init__(self, message, kind="internal", hint=""):
        super().__init__(message)
        self.kind = kind
        self.hint = hint

    def __str__(self):
        message = super().__str__()
        return f"{message}\nhint: {self.hint}" if self.hint else message

    def __reduce__(self):
        return type(self), (self.args[0], self.kind, self.hint)


class UsageError(Error, ValueError):
    """A wrong call: an `Error` of kind 'usage', and a `ValueError`."""

    def __init__(self, message, kind="usage", hint=""):
        super().__init__(message, kind, hint)


def make_error(message, kind, hint):
    """The native part calls this for each exception of the library."""
    return (UsageError if kind == "usage" else Error)(message, kind, hint)
