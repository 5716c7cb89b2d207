#!/bin/bash
# Checks a container image of scripts/container.sh without a container program, as root: that its parts are those that
# their digests name, that nothing of the machine that made it is in it, and that what it starts reads a 7 in its layer.
# usage: tests/packages/container.sh IMAGE.tar      prints `N passed, N failed`
# Functions are called by `check`.
# shellcheck disable=SC2317
set -uo pipefail
image=$(realpath "$1")
cd "$(dirname "$0")/../.." || exit 1
. tests/packages/check.sh
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
mkdir "$work/image" "$work/root"
check "it unpacks" tar --extract --file "$image" --directory "$work/image"

# Follows the image's own names from index.json and from manifest.json, and writes what the steps below need.
check "every digest and size is right" python3 - "$work" <<'END'
import gzip, hashlib, json, pathlib, sys
work = pathlib.Path(sys.argv[1])
image = work / "image"
seen = set()

def blob(descriptor):
    algorithm, digest = descriptor["digest"].split(":")
    assert algorithm == "sha256"
    path = image / "blobs/sha256" / digest
    content = path.read_bytes()
    assert hashlib.sha256(content).hexdigest() == digest and len(content) == descriptor["size"], descriptor
    seen.add(path)
    return content

assert json.loads((image / "oci-layout").read_text()) == {"imageLayoutVersion": "1.0.0"}
[top] = json.loads((image / "index.json").read_text())["manifests"]
manifest = json.loads(blob(top))
config = json.loads(blob(manifest["config"]))
layers = [gzip.decompress(blob(layer)) for layer in manifest["layers"]]
assert config["rootfs"]["diff_ids"] == ["sha256:" + hashlib.sha256(layer).hexdigest() for layer in layers]
assert seen == set((image / "blobs/sha256").iterdir()), "a part that nothing names"
[docker] = json.loads((image / "manifest.json").read_text())
path_of = lambda descriptor: "blobs/" + descriptor["digest"].replace(":", "/")
assert docker["Config"] == path_of(manifest["config"])
assert docker["Layers"] == [path_of(layer) for layer in manifest["layers"]]
[tag] = docker["RepoTags"]
assert tag.endswith(":" + top["annotations"]["org.opencontainers.image.ref.name"]), tag
assert config["architecture"] and config["os"] == "linux"
[entry] = config["config"]["Entrypoint"]
(work / "entry").write_text(entry)
[layer] = layers
(work / "layer.tar").write_bytes(layer)
END
check "the layer unpacks" tar --extract --file "$work/layer.tar" --directory "$work/root" --numeric-owner
entry=$(cat "$work/entry")
check "it starts webnn-cli" test "$entry" = /usr/bin/webnn-cli
owner() { grep -x "Package: webnn-cli" "$work/root/var/lib/dpkg/status"; }
check "webnn-cli is a package there" owner
of_machine() {
  local file
  for file in etc/resolv.conf etc/hostname etc/apt/apt.conf.d/99mmdebstrap; do
    if [[ -e $work/root/$file ]]; then echo "$file" && return; fi
  done
  cat "$work"/root/etc/apt/sources.list "$work"/root/etc/apt/sources.list.d/* 2>/dev/null |
    grep -v '^deb http://deb.debian.org/'
}
check_not "nothing is there of the machine that made it" of_machine
totals "$(tests/packages/in_root.sh "$work/root" "$entry")"
finish
