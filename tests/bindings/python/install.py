"""pip installs the module in a virtual environment, from a build that is there and without a network.

install.py BUILD
"""

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from check import run, test

ROOT = Path(__file__).resolve().parents[3]
BUILD = Path(sys.argv[1])
USE = "import webnn, numpy; print(webnn.__file__, webnn.load(%r)(image=numpy.load(%r))['probabilities'].argmax())"
USE %= (str(ROOT / "models/digits/digits.json"), str(ROOT / "models/digits/digits.input.image.npy"))


def in_environment(folder, *options):
    """Installs the checkout in a new environment; what a program there prints."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    python = Path(folder) / "env/bin/python"
    commands = [[sys.executable, "-m", "venv", "--system-site-packages", Path(folder) / "env"],
                [python, "-m", "pip", "install", "--no-index", "--config-settings", f"build-dir={BUILD}", *options],
                [python, "-c", USE]]
    for command in commands:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.split()


@test
def an_installed_module_recognises_the_digit():
    with tempfile.TemporaryDirectory() as folder:
        file, digit = in_environment(folder, str(ROOT))
        assert file.startswith(folder) and digit == "7"


@test
def an_editable_one_is_that_of_the_checkout():
    with tempfile.TemporaryDirectory() as folder:
        file, digit = in_environment(folder, "--editable", str(ROOT))
        assert Path(file).resolve() == ROOT / "bindings/python/webnn/__init__.py" and digit == "7"


@test
def a_wheel_is_the_same_each_time_and_holds_types():
    sys.path.insert(0, str(ROOT / "bindings/python"))
    import backend
    wheels = []
    for _ in range(2):
        with tempfile.TemporaryDirectory() as folder:
            wheels.append((Path(folder) / backend.build_wheel(folder, {"build-dir": str(BUILD)})).read_bytes())
            with zipfile.ZipFile(next(Path(folder).glob("*.whl"))) as archive:
                names = archive.namelist()
    assert wheels[0] == wheels[1]
    assert {"webnn/__init__.py", "webnn/__init__.pyi", "webnn/py.typed"} <= set(names)


run()
