# shellcheck shell=bash
# What the scripts of this folder share: checks that are counted. Sourced.
passed=0 failed=0

# check TITLE COMMAND...: the command's output is shown when it fails.
check() {
  local output
  if output=$("${@:2}" 2>&1); then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf '%s\nfailed: %s\n' "$output" "$1"
  fi
}

# check_not TITLE COMMAND...: that it fails.
fails() { ! "$@"; }
check_not() { check "$1" fails "${@:2}"; }

# totals LINES: adds the numbers of another script, from its output.
totals() {
  printf '%s\n' "$1"
  if [[ ${1##*$'\n'} =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
  else
    failed=$((failed + 1))
  fi
}

# The closing line. Exits with status 1 when anything failed.
finish() {
  echo "$passed passed, $failed failed"
  ((failed == 0))
  exit
}
