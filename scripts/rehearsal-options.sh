# shellcheck shell=bash
# Sourced, with their arguments, by the scripts that make what others install: `[--rehearse] [OUT]`. Sets `rehearse`, and
# `out` where one is named.
rehearse=false
for option in "$@"; do
  case $option in
    --rehearse) rehearse=true ;;
    -*) sed -n '/^# usage:/,/^set /{/^set /d;s/^# //p}' "$0" >&2 && exit 2 ;;
    *) out=$option ;;
  esac
done
