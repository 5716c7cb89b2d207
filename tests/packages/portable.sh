#!/bin/bash
# Uses an archive of scripts/portable-tarball.sh in a minimal Debian 13, which has other versions of every library or
# none, as root. Where the machine's mirror has no Debian 13, it says so and takes a minimal Debian 12, which has none
# of them.
# usage: tests/packages/portable.sh ARCHIVE.tar.xz     prints `N passed, N failed`
# Functions are called by `check`.
# shellcheck disable=SC2317
set -uo pipefail
archive=$(realpath "$1")
cd "$(dirname "$0")/../.." || exit 1
. tests/packages/check.sh
. scripts/kept-roots.sh

# shellcheck disable=SC2034
apart=(unshare --mount)
# Its failure ends the subshell that tries it.
debian_13() {
  "${apart[@]}" mmdebstrap --quiet ${access:+--aptopt="$access"} --variant=minbase trixie "$1" >&2 7>&- 8>&- 9>&- ||
    { rm -rf --one-file-system "$1" && exit 1; }
}
debian_12() { make_root --variant=minbase "$1"; }
if (kept_root trixie minbase debian_13); then
  kept_root trixie minbase debian_13
else
  echo "portable.sh: no Debian 13 can be made here, so this is a minimal Debian 12" >&2
  kept_root minbase minbase debian_12
fi

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
cp -a --reflink=auto "$kept" "$work/root"
echo "in Debian $(cat "$work/root/etc/debian_version")"
mkdir "$work/root/opt/here"
check "it unpacks" tar --extract --file "$archive" --directory "$work/root/opt/here"
folder=$(cd "$work/root" && echo opt/here/webnn-cli-*)
totals "$(tests/packages/in_root.sh "$work/root" "/$folder/bin/webnn-cli")"

is_page() { gzip -dcf "$work/root/$folder/share/man/man1/webnn-cli-run.1" | grep '^.TH'; }
check "it has manual pages" is_page
for file in bash-completion/completions/webnn-cli zsh/site-functions/_webnn-cli \
  fish/vendor_completions.d/webnn-cli.fish; do
  check "it has $file" test -s "$work/root/$folder/share/$file"
done
# The licence of each file in lib/, by the package that Debian has it in.
for library in libdnnl2 libxnnpack0 libpthreadpool0 libcpuinfo0 libonnx1 libprotobuf32 libgomp1 libseccomp2 \
  ocl-icd-libopencl1 libstdc++6 zlib1g libpng-dev libjpeg62-turbo-dev common/Apache-2.0; do
  check "it has the licence of $library" test -s "$work/root/$folder/licenses/$library"
done

# Through a link, as it would lie in the path.
ln -s "/$folder/bin/webnn-cli" "$work/root/usr/bin/webnn-cli"
totals "$(tests/packages/in_root.sh "$work/root" /usr/bin/webnn-cli)"

# On a system with no C++ library.
rm "$work"/root/usr/lib/*/libstdc++.so.6* "$work"/root/usr/lib/*/libgcc_s.so.1
check_not "without a C++ library it does not start" chroot "$work/root" /usr/bin/webnn-cli --version
totals "$(tests/packages/in_root.sh "$work/root" /usr/bin/webnn-cli "LD_LIBRARY_PATH=/$folder/lib/fallback")"
finish
