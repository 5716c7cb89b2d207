#!/bin/bash
# Makes a container image with the package webnn-cli of scripts/packages.sh, without a container program: a small Debian
# 12 root by mmdebstrap as its one layer, packed by scripts/oci-image.py for `docker load` and for what reads OCI
# layouts.
# usage: scripts/container.sh [--rehearse] [OUT.tar]     default: build/webnn-cli-container.tar
#   --rehearse  as root: afterwards checks the image and runs it by chroot (tests/packages)
# Needs root, or what else mmdebstrap can make a root with (man mmdebstrap, MODES).
set -euo pipefail
cd "$(dirname "$0")/.."

out=build/webnn-cli-container.tar
. scripts/rehearsal-options.sh "$@"
packages=(build/packages/webnn-cli_*.deb)
if [[ ! -f ${packages[0]} ]]; then
  echo "container.sh: there is no package in build/packages; scripts/packages.sh makes it" >&2
  exit 1
fi

scripts/install-packages.sh --packages
. scripts/kept-roots.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"  # apt reads in it as a user of its own

# An archive that apt takes the package from, with what it depends on; no more is known of it in the image.
mkdir "$work/archive"
cp "${packages[0]}" "$work/archive"
(cd "$work/archive" && dpkg-scanpackages --multiversion . >Packages 2>/dev/null)
SOURCE_DATE_EPOCH=$(dpkg-parsechangelog --file cmake/packages/changelog --show-field Timestamp)
export SOURCE_DATE_EPOCH
# mmdebstrap runs the hooks with the root as $1. Of this machine the image has no sources of packages, proxy or name.
# shellcheck disable=SC2016
make_root --variant=apt --include=webnn-cli --skip=output/dev \
  --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
  --dpkgopt='path-exclude=/usr/share/info/*' --dpkgopt='path-exclude=/usr/share/lintian/*' \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
  --setup-hook="echo 'deb [trusted=yes] copy:$work/archive ./' >\"\$1/etc/apt/sources.list.d/webnn.list\"" \
  --customize-hook='rm -f "$1"/etc/apt/sources.list.d/* "$1"/etc/apt/apt.conf.d/99mmdebstrap \
    "$1"/etc/resolv.conf "$1"/etc/hostname' \
  --customize-hook='printf "deb http://deb.debian.org/%s main\n" "debian bookworm" "debian bookworm-updates" \
    "debian-security bookworm-security" >"$1/etc/apt/sources.list"' \
  "$work/layer.tar"

mkdir -p "$(dirname "$out")"
version=$(dpkg-deb --field "${packages[0]}" Version)
python3 scripts/oci-image.py "$work/layer.tar" "$out" --tag "webnn-cli:${version%-*}" \
  --architecture "$(dpkg --print-architecture)" --created "$SOURCE_DATE_EPOCH" --entrypoint /usr/bin/webnn-cli
ls -l "$out"
$rehearse || exit 0
tests/packages/container.sh "$out"
