"""Packs one layer, a tar archive of a root, as a container image: an OCI image layout in a tar archive, which
`docker load` reads too, since it also holds Docker's manifest.json. Equal arguments give equal bytes.

    python3 scripts/oci-image.py LAYER.tar OUT.tar --tag NAME:VERSION --architecture amd64 --created SECONDS \\
      --entrypoint PROGRAM
"""

import argparse
import datetime
import gzip
import hashlib
import io
import json
import shutil
import tarfile
import tempfile
from pathlib import Path


def digest_of(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def compress(source, target):
    """Without a name and a time, which gzip would keep."""
    with open(source, "rb") as plain, open(target, "wb") as file:
        with gzip.GzipFile("", "wb", compresslevel=9, fileobj=file, mtime=0) as packed:
            shutil.copyfileobj(plain, packed, 1 << 20)


def as_json(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


class Image:
    """The archive that is written: files in the order in which they are added."""

    def __init__(self, path):
        self._archive = tarfile.open(path, "w", format=tarfile.USTAR_FORMAT)

    def add(self, name, file, size):
        entry = tarfile.TarInfo(name)
        entry.size = size
        entry.mode = 0o644
        self._archive.addfile(entry, file)

    def add_bytes(self, name, content):
        self.add(name, io.BytesIO(content), len(content))

    def add_blob(self, media_type, content):
        """What other parts of the image name it by."""
        digest = hashlib.sha256(content).hexdigest()
        self.add_bytes(f"blobs/sha256/{digest}", content)
        return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": len(content)}

    def add_layer(self, path):
        digest, size = digest_of(path), path.stat().st_size
        with open(path, "rb") as file:
            self.add(f"blobs/sha256/{digest}", file, size)
        return {"mediaType": "application/vnd.oci.image.layer.v1.tar+gzip", "digest": f"sha256:{digest}", "size": size}

    def close(self):
        self._archive.close()


def blob_path(descriptor):
    return "blobs/" + descriptor["digest"].replace(":", "/")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("layer", type=Path)
    parser.add_argument("out", type=Path)
    for name in ("--tag", "--architecture", "--entrypoint"):
        parser.add_argument(name, required=True)
    parser.add_argument("--created", required=True, type=int)
    arguments = parser.parse_args()
    created = datetime.datetime.fromtimestamp(arguments.created, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    name, version = arguments.tag.rsplit(":", 1)

    image = Image(arguments.out)
    image.add_bytes("oci-layout", as_json({"imageLayoutVersion": "1.0.0"}))
    with tempfile.TemporaryDirectory() as folder:
        packed = Path(folder) / "layer.tar.gz"
        compress(arguments.layer, packed)
        layer = image.add_layer(packed)
    config = image.add_blob("application/vnd.oci.image.config.v1+json", as_json({
        "created": created,
        "architecture": arguments.architecture,
        "os": "linux",
        "config": {
            "Entrypoint": [arguments.entrypoint],
            "Cmd": ["--help"],
            "Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
            "WorkingDir": "/work",
            "Labels": {"org.opencontainers.image.title": name, "org.opencontainers.image.version": version},
        },
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + digest_of(arguments.layer)]},
        "history": [{"created": created, "created_by": "mmdebstrap"}],
    }))
    manifest = image.add_blob("application/vnd.oci.image.manifest.v1+json", as_json({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": config,
        "layers": [layer],
    }))
    manifest["annotations"] = {"org.opencontainers.image.ref.name": version,
                               "io.containerd.image.name": f"docker.io/library/{arguments.tag}"}
    image.add_bytes("index.json", as_json({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
                                           "manifests": [manifest]}))
    image.add_bytes("manifest.json", as_json([{"Config": blob_path(config), "RepoTags": [arguments.tag],
                                               "Layers": [blob_path(layer)]}]))
    image.close()


main()
