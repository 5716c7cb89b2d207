#!/bin/bash
# Makes the npm packages of bindings/node: the JavaScript, and the native part for this system with the libraries that it
# needs. Installing them downloads and compiles nothing.
#   scripts/npm-package.sh [FOLDER]     default: build/npm
#   npm install FOLDER/webnn-*.tgz
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:-build/npm}
version=$(sed -n 's/^project(webnn VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
case $(uname -m) in
  x86_64) processor=x64 ;;
  aarch64) processor=arm64 ;;
  *) echo "npm-package.sh: no name for the processor $(uname -m)" >&2 && exit 1 ;;
esac
native=webnn-linux-$processor

scripts/install-packages.sh --ci
cmake --preset release >/dev/null
cmake --build --preset release --target webnn-node >&2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder"

# pack NAME: the folder $work/NAME as npm has it in an archive, with the same bytes each time.
pack() {
  mv "$work/$1" "$work/package"
  tar --create --gzip --file "$folder/$1-$version.tgz" --directory "$work" --sort=name --mtime=@0 --owner=0 --group=0 \
    --numeric-owner --mode=u=rwX,go=rX package
  rm -rf "$work/package"
  echo "$folder/$1-$version.tgz"
}

mkdir "$work/webnn"
cp -rL bindings/node/lib bindings/node/examples bindings/node/package.json bindings/node/README.md "$work/webnn"
grep -q "\"version\": \"$version\"" "$work/webnn/package.json" && grep -q "\"$native\": \"$version\"" "$work/webnn/package.json" ||
  { echo "npm-package.sh: bindings/node/package.json is not of version $version, or does not name $native" >&2 && exit 1; }
# Both packages are installed from files: npm must not ask a registry for that of another processor.
sed -i '/"optionalDependencies": {/,/},/d' "$work/webnn/package.json"
pack webnn

# What every system has stays there; so does the loader of Vulkan, which is looked for when a GPU is asked for.
mkdir -p "$work/$native/licenses"
addon=build/release/node/webnn.node
strip --strip-all -o "$work/$native/webnn.node" $addon
ldd $addon | sed -n 's/^\s*\(\S*\) => \(\/\S*\).*/\1 \2/p' | while read -r name library; do
  case $name in libc.so.* | libm.so.* | libstdc++.so.* | libgcc_s.so.* | libpthread.so.* | libdl.so.* | librt.so.*) continue ;; esac
  cp -L "$library" "$work/$native/$name"
  # By the end of its path: /lib is /usr/lib, and dpkg knows it by one of the two.
  package=$(dpkg-query --search "*/$(uname -m)-linux-gnu/$(basename "$(readlink -f "$library")")" | sed -n '1s/:.*//p')
  cp "/usr/share/doc/$package/copyright" "$work/$native/licenses/$package"
done
cat >"$work/$native/package.json" <<END
{
  "name": "$native",
  "version": "$version",
  "description": "The native part of webnn for Linux on $processor",
  "main": "webnn.node",
  "os": ["linux"],
  "cpu": ["$processor"],
  "libc": ["glibc"],
  "engines": {"node": ">=18"}
}
END
pack "$native"
