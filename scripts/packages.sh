#!/bin/bash
# Makes the Debian packages webnn-cli, libwebnn0, libwebnn-dev and python3-webnn (cmake/packages/README.md) of Debian
# 12, and has lintian look at them: its errors and warnings fail.
# usage: scripts/packages.sh [--rehearse] [FOLDER]     default: build/packages
#   --rehearse  as root: afterwards installs, uses and removes them in a minimal Debian root (tests/packages)
# DEBFULLNAME and DEBEMAIL, where both are set, name the maintainer.
set -euo pipefail
cd "$(dirname "$0")/.."

out=build/packages
. scripts/rehearsal-options.sh "$@"
folder=$(realpath -m "$out")

scripts/install-packages.sh --packages

# Libraries lie where they do in Debian only under /usr. The flags are those of Debian's own packages that cost no time.
hardened="-Wl,-z,relro -Wl,-z,now"
cmake --preset release -B build/debian -DCMAKE_INSTALL_PREFIX=/usr -DWEBNN_TESTS=OFF -DWEBNN_PYTHON=ON \
  -DPython_EXECUTABLE=/usr/bin/python3 -DCMAKE_EXE_LINKER_FLAGS="$hardened" -DCMAKE_SHARED_LINKER_FLAGS="$hardened" \
  -DCMAKE_MODULE_LINKER_FLAGS="$hardened" \
  ${DEBFULLNAME:+${DEBEMAIL:+-DWEBNN_MAINTAINER="$DEBFULLNAME <$DEBEMAIL>"}} >/dev/null
cmake --build build/debian --target webnn-cli webnn webnn-python shell-files >&2

mkdir -p "$folder"
rm -f "$folder"/*.deb
SOURCE_DATE_EPOCH=$(dpkg-parsechangelog --file cmake/packages/changelog --show-field Timestamp)
export SOURCE_DATE_EPOCH  # equal sources give equal packages
(umask 022 && cpack --config build/debian/CPackConfig.cmake -G DEB -B "$folder" >"$folder/log") ||
  { cat "$folder/log" >&2 && exit 1; }
rm -rf "$folder/_CPack_Packages" "$folder/log"

# What is not looked at: these packages are no upload to Debian, whose tracker has a bug of each new package; and CPack
# gives a library scripts that call ldconfig, beside the trigger of cmake/packages/triggers.
lintian --allow-root --fail-on error,warning --tag-display-limit 0 \
  --suppress-tags initial-upload-closes-no-bugs,maintscript-calls-ldconfig "$folder"/*.deb
ls -l "$folder"/*.deb
$rehearse || exit 0

clone=build/rehearsal  # of HEAD, where a root of fresh-machine.sh sees the packages
rm -rf --one-file-system "$clone"
scripts/fresh-machine.sh --keep "$clone" true
mkdir -p "$clone/build/packages"
cp "$folder"/*.deb "$clone/build/packages"
scripts/fresh-machine.sh --keep "$clone" tests/packages/installed.sh
