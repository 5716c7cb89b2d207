#!/bin/bash
# Installs the Debian packages of scripts/packages.sh, one after another, each with nothing but what it depends on; uses
# what it holds; removes all of them; and compares the files of the machine before and after. That is for a minimal root
# which is thrown away, so it runs in scripts/fresh-machine.sh alone.
# usage: tests/packages/installed.sh [FOLDER]     default: build/packages; prints `N passed, N failed`
# Functions are called by `check`.
# shellcheck disable=SC2317
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
folder=$(realpath "${1:-build/packages}")
. tests/packages/check.sh
if [[ ${WEBNN_ROOT_KIND:-} != user || $PWD != /checkout/webnn-cli ]]; then
  echo "installed.sh: installs and removes packages, so it runs in scripts/fresh-machine.sh alone" >&2
  exit 2
fi
if ! compgen -G "$folder/*.deb" >/dev/null; then
  echo "installed.sh: there are no packages in $folder; scripts/packages.sh makes them" >&2
  exit 1
fi
export HOME=/tmp/home DEBIAN_FRONTEND=noninteractive

# The files of the machine, but for what fresh-machine.sh mounts, what the kernel, apt and dpkg keep, and caches (of man
# and ldconfig).
readonly not_looked_at=(/checkout /ccache /root/.cache /proc /sys /dev /tmp /run /var/lib/apt /var/lib/dpkg /var/cache
  /var/log)
files() {
  local folder pruned=(-false)
  for folder in "${not_looked_at[@]}"; do pruned+=(-o -path "$folder"); done
  find / -xdev '(' "${pruned[@]}" ')' -prune -o -print | sort
}
install() { apt-get install -y -qq --no-install-recommends "$@" </dev/null; }
package() { echo "$folder/$1"_*.deb; }
is_installed() { [[ $(dpkg-query -W -f='${Status}' "$1" 2>/dev/null) == "install ok installed" ]]; }

apt-get update -qq
files >/tmp/before

echo "webnn-cli"
check "webnn-cli installs" install "$(package webnn-cli)"
for other in libwebnn0 libwebnn-dev python3; do check_not "webnn-cli needs no $other" is_installed $other; done
totals "$(tests/packages/program.sh /usr/bin/webnn-cli)"
install man-db bash-completion zsh fish >/dev/null
page_of() { [[ $(man -w "$1") == /usr/share/man/man1/$1.1.gz ]] && man "$1" | grep '^NAME$'; }
check "man webnn-cli" page_of webnn-cli
for command in $(webnn-cli --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
  check "man webnn-cli-$command" page_of "webnn-cli-$command"
done
check "bash completes" bash -c '. /usr/share/bash-completion/bash_completion
  _completion_loader webnn-cli; complete -p webnn-cli && type _webnn_cli'
# zsh expands it.
# shellcheck disable=SC2016
check "zsh completes" zsh -fc 'autoload -U compinit && compinit -u -D && [[ -n $_comps[webnn-cli] ]]'
fish_completes() { fish -c 'complete -C "webnn-cli insp"' | grep '^inspect'; }
check "fish completes" fish_completes

echo "python3-webnn"
check "python3-webnn installs" install "$(package python3-webnn)"
check_not "python3-webnn needs no libwebnn0" is_installed libwebnn0
check "Python reads a 7" python3 - <<'END'
import numpy, webnn
image = numpy.load("models/digits/digits.input.image.npy")
for file in "models/digits/digits.json", "models/onnx/digits.onnx":
    result = webnn.load(file)(image=image)["probabilities"]
    assert result.argmax() == 7 and result.max() > 0.999, result
assert webnn.__file__ == "/usr/lib/python3/dist-packages/webnn/__init__.py", webnn.__file__
END

echo "libwebnn-dev"
check "libwebnn0 and libwebnn-dev install" install "$(package libwebnn0)" "$(package libwebnn-dev)"
check "ldconfig knows libwebnn.so.0" grep 'libwebnn.so.0 ' <(ldconfig -p)
install g++ cmake make pkg-config dpkg-dev >/dev/null
build=/tmp/consumer
expected=$'input image: 1 1 20 20\noutput probabilities: 1 10'
prints_expected() { [[ $("$1" models/digits/digits.json) == "$expected" ]]; }
with_cmake() { cmake -S tests/consumer -B "$build" -DCMAKE_BUILD_TYPE=Release && cmake --build "$build"; }
# The flags that pkg-config names are several words.
# shellcheck disable=SC2046
with_pkg_config() {
  c++ -std=c++20 tests/consumer/in_cpp.cpp -o "$build/pkg-cpp" $(pkg-config --cflags --libs webnn) &&
    cc -std=c99 tests/consumer/in_c.c -o "$build/pkg-c" $(pkg-config --cflags --libs webnn)
}
check "a project builds with CMake" with_cmake
check "a project builds with pkg-config" with_pkg_config
for program in in-cpp in-c pkg-cpp pkg-c; do check "$program runs" prints_expected "$build/$program"; done
# A package of that project would depend on ours, and on this minor version of it.
depends() {
  mkdir -p "$build/debian"
  printf 'Source: consumer\n\nPackage: consumer\nArchitecture: any\n' >"$build/debian/control"
  local dependencies
  dependencies=$(cd "$build" && dpkg-shlibdeps -O in-cpp) && echo "$dependencies" &&
    [[ $dependencies == *'libwebnn0 (<< 0.2~)'* && $dependencies == *'libwebnn0 (>= 0.1.0'* ]]
}
check "dpkg-shlibdeps names libwebnn0" depends

echo "removal"
names=(webnn-cli libwebnn0 libwebnn-dev python3-webnn)
verified() { [[ -z $(dpkg --verify "${names[@]}") ]]; }
check "the files are those of the packages" verified
check "the packages are removed" apt-get purge -y -qq "${names[@]}" </dev/null
left_by_name() { files | grep -i webnn; }
check_not "no file named after webnn is left" left_by_name
check "their dependencies are removed" apt-get purge -y -qq --autoremove -o APT::AutoRemove::RecommendsImportant=false \
  -o APT::AutoRemove::SuggestsImportant=false man-db bash-completion \
  zsh fish g++ cmake make pkg-config dpkg-dev </dev/null
files >/tmp/after
check "the machine has the files that it had" diff /tmp/before /tmp/after
finish
