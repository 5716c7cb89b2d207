#!/bin/bash
# Makes an archive with webnn-cli for Linux distributions without packages of ours: unpacked anywhere, it needs their C
# library (glibc 2.34 or newer) and C++ library. What else the program needs is linked statically or lies beside it in
# lib/.
# usage: scripts/portable-tarball.sh [--rehearse] [FOLDER]     default: build/portable-tarball
#   --rehearse  as root: afterwards unpacks and uses it in a minimal Debian 13 (tests/packages)
set -euo pipefail
cd "$(dirname "$0")/.."

out=build/portable-tarball
. scripts/rehearsal-options.sh "$@"

scripts/install-packages.sh --packages
version=$(sed -n 's/^project(webnn VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
name=webnn-cli-$version-linux-$(uname -m)
libraries=/usr/lib/$(uname -m)-linux-gnu

# Linked statically is what Debian has an archive of and no other library here needs: not protobuf, which
# libonnx_proto.so needs too; not libseccomp, which its users may replace (LGPL). The search path is of the kind that
# holds for the libraries in lib/ as well, which look for each other.
cmake --preset release -B build/portable -DWEBNN_TESTS=OFF -DWEBNN_PYTHON=OFF \
  -DPNG_LIBRARY_RELEASE="$libraries/libpng16.a" -DJPEG_LIBRARY_RELEASE="$libraries/libjpeg.a" \
  -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON -DCMAKE_INSTALL_RPATH="\$ORIGIN/../lib" \
  -DCMAKE_EXE_LINKER_FLAGS="-Wl,--disable-new-dtags -Wl,-z,relro -Wl,-z,now" >/dev/null
cmake --build build/portable --target webnn-cli shell-files >&2

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
bundle=$work/$name
for component in program shell; do
  cmake --install build/portable --prefix "$bundle" --strip --component $component >/dev/null
done
mkdir -p "$bundle/lib/fallback" "$bundle/licenses"

# license PACKAGE: of Debian, as it is under.
license() { cp "/usr/share/doc/$1/copyright" "$bundle/licenses/$1"; }

# The C library is the system's. So are the libraries that a GPU's driver may need in a newer version than ours: ours
# are for systems without any, which name lib/fallback in LD_LIBRARY_PATH.
ldd "$bundle/bin/webnn-cli" | sed -n 's/^\s*\(\S*\) => \(\/\S*\).*/\1 \2/p' | while read -r soname library; do
  target=$bundle/lib
  case $soname in
    libc.so.* | libm.so.* | libpthread.so.* | libdl.so.* | librt.so.*) continue ;;
    libstdc++.so.* | libgcc_s.so.* | libz.so.*) target=$bundle/lib/fallback ;;
  esac
  cp -L "$library" "$target/$soname"
  # By the end of its path: /lib is /usr/lib, and dpkg knows it by one of the two.
  file=$(basename "$(readlink -f "$library")")
  license "$(dpkg-query --search "*/$(uname -m)-linux-gnu/$file" | sed -n '1s/:.*//p')"
done
for package in libpng-dev libjpeg62-turbo-dev; do license $package; done
cp cmake/packages/copyright "$bundle/licenses/webnn-cli"
# They refer to texts that Debian has in one place.
texts=$(grep -oh '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' "$bundle"/licenses/* | sort -u)
mkdir "$bundle/licenses/common"
while read -r text; do cp -L "$text" "$bundle/licenses/common/"; done <<<"$texts"
sed "s/@VERSION@/$version/" cmake/packages/portable-readme.txt >"$bundle/README"

mkdir -p "$out"
folder=$(realpath "$out")
rm -f "$folder"/webnn-cli-*.tar.xz
date=$(dpkg-parsechangelog --file cmake/packages/changelog --show-field Timestamp)
tar --create --directory "$work" --sort=name --mtime="@$date" --owner=0 --group=0 --numeric-owner \
  --mode=u=rwX,go=rX "$name" | xz -9 >"$folder/$name.tar.xz"
ls -l "$folder/$name.tar.xz"
$rehearse || exit 0
tests/packages/portable.sh "$folder/$name.tar.xz"
