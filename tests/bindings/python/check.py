"""What the tests in this folder share: named checks, and the process's exit status."""

import sys
import traceback

_tests = []


def test(function):
    _tests.append(function)
    return function


def fails(kind, call, *words):
    """The call raises an exception of exactly this class whose text has all the words; the exception."""
    try:
        call()
    except Exception as error:
        assert type(error) is kind, f"{type(error)}: {error}"
        for word in words:
            assert word in str(error), f"'{word}' is not in: {error}"
        return error
    raise AssertionError(f"nothing raises {kind}")


def run():
    """Runs the file's tests: the status is 1 when one failed or there is none."""
    failures = 0
    for function in _tests:
        try:
            function()
        except Exception:
            failures += 1
            print(f"failed: {function.__name__}\n{traceback.format_exc()}")
    print(f"{len(_tests) - failures} passed, {failures} failed")
    sys.exit(1 if failures or not _tests else 0)
