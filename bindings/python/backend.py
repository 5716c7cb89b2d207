"""The PEP 517 backend of the module webnn: calls CMake, and packs what it builds into a wheel.

    pip install .                                                 # builds in build/wheel
    pip install . --config-settings build-dir=build/release       # takes a build that is there
"""

import base64
import hashlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PARTS = Path("bindings/python/webnn")


def _project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    version = re.search(r"^project\(webnn VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]
    return project, version


def _stem():
    project, version = _project()
    return f"{project['name']}-{version}"


def _metadata():
    project, version = _project()
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {version}", f"Summary: {project['description']}",
             f"Requires-Python: {project['requires-python']}"]
    lines += [f"Requires-Dist: {one}" for one in project["dependencies"]]
    readme = (ROOT / "bindings/python/README.md").read_text()
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", readme])


def _tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def _build(config_settings):
    """Builds the native part; its path, in the folder that has the Python beside it."""
    given = (config_settings or {}).get("build-dir")
    folder = Path(given).resolve() if given else ROOT / "build/wheel"
    if not (folder / "CMakeCache.txt").exists() or not given:
        command = ["cmake", "-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DWEBNN_UNITY=ON", "-DWEBNN_TESTS=OFF",
                   "-DWEBNN_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}"]
        subprocess.run([*command, *(["-G", "Ninja"] if shutil.which("ninja") else [])], check=True)
    subprocess.run(["cmake", "--build", folder, "--target", "webnn-python", "--parallel"], check=True)
    native = folder / "python/webnn" / f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"
    if not native.exists():
        raise SystemExit(f"{folder} is no build for this Python ({sys.version.split()[0]})")
    return native


class _Wheel:
    """A wheel that is being written: each file's checksum goes into its last one, RECORD."""

    def __init__(self, folder):
        self.name = f"{_stem()}-{_tag()}.whl"
        self._archive = zipfile.ZipFile(Path(folder) / self.name, "w", zipfile.ZIP_DEFLATED)
        self._record = []

    def add(self, name, content):
        content = content.encode() if isinstance(content, str) else content
        entry = zipfile.ZipInfo(name)  # of 1980: equal files give equal wheels
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = 0o644 << 16
        self._archive.writestr(entry, content)
        checksum = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self._record.append(f"{name},sha256={checksum},{len(content)}")

    def finish(self):
        info = f"{_stem()}.dist-info"
        self.add(f"{info}/METADATA", _metadata())
        self.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: webnn\nRoot-Is-Purelib: false\nTag: {_tag()}\n")
        record = "\n".join([*self._record, f"{info}/RECORD,,", ""])
        self.add(f"{info}/RECORD", record)
        self._archive.close()
        return self.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    native = _build(config_settings)
    wheel = _Wheel(wheel_directory)
    for part in sorted((ROOT / PARTS).iterdir()):
        if part.is_file():
            wheel.add(f"webnn/{part.name}", part.read_bytes())
    stripped = Path(wheel_directory) / native.name
    subprocess.run(["strip", "--strip-unneeded", "-o", stripped, native], check=True)
    wheel.add(f"webnn/{native.name}", stripped.read_bytes())
    stripped.unlink()
    return wheel.finish()


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """A wheel that only names the build's folder, which links to the Python of the checkout."""
    native = _build(config_settings)
    wheel = _Wheel(wheel_directory)
    wheel.add("webnn.pth", f"{native.parents[1]}\n")
    return wheel.finish()


def build_sdist(sdist_directory, config_settings=None):
    """The checkout's files, as git lists them."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    name = f"{_stem()}.tar.gz"
    info = Path(sdist_directory) / "PKG-INFO"
    info.write_text(_metadata())
    with tarfile.open(Path(sdist_directory) / name, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for file in filter(None, listed.split("\0")):
            archive.add(ROOT / file, f"{_stem()}/{file}", recursive=False)
        archive.add(info, f"{_stem()}/PKG-INFO")
    info.unlink()
    return name
