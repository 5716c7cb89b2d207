#!/bin/bash
# Packs all that checks and measures a GPU into one archive: the command, the tests, the benchmark, their libraries with
# Vulkan's loader and the validation layers, vectors and real models where there is a corpus, and a runner
# (scripts/gpu-runner.sh, `run` in the archive). It runs on any x86-64 Linux with a driver for Vulkan and Debian 12's C
# library or a newer one; nothing is installed there.
# usage: scripts/gpu-bundle.sh [--rehearse [ROOT | --newest]] [OUT.tar.gz]      default: build/webnn-gpu.tar.gz
#   --rehearse  as root: afterwards unpacks and runs it in a minimal Debian with Mesa's software driver and nothing else;
#               with ROOT in a copy of that folder, which has a driver
#   --newest    that Debian is the next one with the driver of its backports, whose Mesa (26) has matrix units
set -euo pipefail
cd "$(dirname "$0")/.."

readonly most_bytes=60000000
out=build/webnn-gpu.tar.gz rehearse=false newest=false given_root=
while (($# > 0)); do
  case $1 in
    --rehearse)
      rehearse=true
      if [[ ${2:-} == */* && -d $2 ]]; then given_root=$2 && shift; fi
      ;;
    --newest) newest=true ;;
    -*) sed -n '/^# usage:/,/^set /{/^set /d;s/^# //p}' "$0" >&2 && exit 2 ;;
    *) out=$1 ;;
  esac
  shift
done

scripts/install-packages.sh
cmake --preset release >/dev/null
cmake --build --preset release --target webnn-cli webnn-tests benchmark-gpu generate-models >&2

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
bundle=$work/webnn-gpu
mkdir -p "$bundle"/{bin,lib/fallback,layers,licenses,source/scripts,source/benchmarks}

for program in webnn-cli webnn-tests benchmark-gpu generate-models; do
  strip --strip-all -o "$bundle/bin/$program" "build/release/bin/$program"
done
libraries=/usr/lib/$(uname -m)-linux-gnu
layer=$libraries/libVkLayer_khronos_validation.so

# Ours come first. What a driver may need, too, is taken only where the machine has none (run): it may want newer ones.
copy_library() {
  local folder=$bundle/lib package
  case ${1##*/} in
    ld-linux* | libc.so.* | libm.so.* | libpthread.so.* | libdl.so.* | librt.so.*) return ;;
    libstdc++* | libgcc_s* | libz.* | libzstd* | libvulkan* | libX* | libxcb* | libbsd* | libmd.*) folder=$bundle/lib/fallback ;;
  esac
  [[ ${1##*/} != libXNNPACK* ]] || folder=$bundle/lib
  cp -L "$1" "$folder/"
  package=$(dpkg-query --search "*/$(basename "$(readlink -f "$1")")" | sed -n '1s/:.*//p')  # it may be known by /lib
  cp "/usr/share/doc/$package/copyright" "$bundle/licenses/$package"
}
{
  ldd "$bundle"/bin/* "$layer" | sed -n 's/^\s*\S* => \(\/\S*\).*/\1/p'
  # NVIDIA's driver asks for the client libraries of X even where there is no X.
  ls -1 "$libraries"/libvulkan.so.1 "$libraries"/lib{X11,Xext,xcb,Xau,Xdmcp,bsd,md}.so.[0-9] 2>/dev/null || true
} | sort -u | while read -r library; do copy_library "$library"; done
strip --strip-unneeded -o "$bundle/layers/${layer##*/}" "$layer"
sed 's|"library_path":.*|"library_path": "./libVkLayer_khronos_validation.so",|' \
  /usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json >"$bundle/layers/VkLayer_khronos_validation.json"
cp /usr/share/doc/vulkan-validationlayers/copyright "$bundle/licenses/vulkan-validationlayers"

git ls-files tests models/digits models/onnx | tar --create --files-from - | tar --extract --directory "$bundle/source"
cp scripts/run-tests.sh "$bundle/source/scripts"
cp benchmarks/torch_reference.py "$bundle/source/benchmarks"
if [[ -n ${WEBNN_CORPUS:-} || -d ../shared ]]; then
  mkdir "$bundle/corpus"
  cp -r "${WEBNN_CORPUS:-../shared}"/{wpt,models} "$bundle/corpus"
fi
cp scripts/gpu-runner.sh "$bundle/run"
git describe --always --dirty >"$bundle/commit"

mkdir -p "$(dirname "$out")"
tar --create --directory "$work" --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX webnn-gpu |
  gzip -9 >"$out"
bytes=$(stat -c %s "$out")
echo "$out: $bytes bytes, $(cat "$bundle/commit")"
((bytes <= most_bytes)) || { echo "gpu-bundle.sh: that is more than $most_bytes bytes" >&2 && exit 1; }
$rehearse || exit 0

# In a root that has the archive, a driver, and no loader of Vulkan.
if [[ -z $given_root ]]; then
  . scripts/kept-roots.sh
  apart=(unshare --mount)
  options=(--variant=minbase --dpkgopt=force-unsafe-io --include=mesa-vulkan-drivers)
  root_with_driver() { make_root "${options[@]}" "$1"; }
  kind=driver
  if $newest; then
    kind=newest-driver suite=trixie suite_sources=()
    for each in trixie trixie-backports; do suite_sources+=("deb http://deb.debian.org/debian $each main"); done
    options+=(--aptopt='APT::Default-Release "trixie-backports"')
  fi
  kept_root "$kind" "${options[*]}" root_with_driver
  given_root=$kept
fi
cp -a --reflink=auto "$given_root" "$work/root"
rm -f "$work"/root/usr/lib/*/libvulkan.so.1*
tar --extract --gzip --file "$out" --directory "$work/root"
unshare --mount --propagation private bash -euc '
  mount -t proc proc "$0/proc"
  mount -t tmpfs -o mode=1777 tmpfs "$0/dev/shm"
  chroot "$0" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root bash -c "$1"' "$work/root" \
  "${WEBNN_REHEARSE:-cd /webnn-gpu && ./run --output /results --limit 3000 devices conformance compare}" && status=0 || status=$?
mkdir -p build/gpu-rehearsal && cp -r "$work"/root/results/. build/gpu-rehearsal
echo "the results are in build/gpu-rehearsal"
exit "$status"
