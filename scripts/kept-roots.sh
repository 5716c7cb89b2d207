# shellcheck shell=bash
# Folders with parts of a Debian that scripts make and keep in the user's cache folder, each until what it depends on
# changes. Sourced. Sets `release`, `cache`; `sources` and `access`: this machine's own sources of that release, where it
# has some, and how it reaches them.
readonly release=bookworm
cache=${XDG_CACHE_HOME:-$HOME/.cache}/webnn-fresh-machine
mkdir -p "$cache"

sources=()
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
  if [[ -f $file ]] && grep -qE "^Suites:.* $release( |\$)|^deb .* $release " "$file"; then sources+=("$file"); fi
done
access=$(apt-config dump | grep '^Acquire::' || true)

# make_root OPTION... FOLDER: by mmdebstrap, which may mount in it: `apart` is what keeps these mounts to itself. Of this
# release, unless `suite` and `suite_sources` name another one.
# Locks are not passed on: its descriptors would have two digits, of which /bin/sh knows nothing.
apart=() suite=$release suite_sources=("${sources[@]}")
make_root() {
  "${apart[@]}" mmdebstrap --quiet ${access:+--aptopt="$access"} "${@:1:$#-1}" "$suite" "${!#}" "${suite_sources[@]}" >&2 7>&- 8>&- 9>&-
}

# kept_root KIND WHAT_IT_DEPENDS_ON FUNCTION: sets `kept` to the root of that kind, made by FUNCTION when it is not there;
# an older one is removed. Others wait that long.
kept_root() {
  kept=$cache/$1-$(printf '%s\n' "$release" "$access" "$2" | cat - "${sources[@]}" | sha256sum | cut -c1-16)
  exec 8>"$cache/lock"
  flock 8
  if [[ ! -d $kept ]]; then
    local old
    for old in "$cache/$1"-*; do
      [[ ! -d $old ]] || flock --nonblock "$old" rm -rf --one-file-system "$old" || true
    done
    "$3" "$kept.part"
    mv "$kept.part" "$kept"
  fi
  exec 9<"$kept"  # held to the end: nobody removes it meanwhile
  flock --shared 9
  exec 8>&-
}
