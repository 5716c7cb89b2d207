# shellcheck shell=bash
# What .ci/run and .ci/long share: steps that are counted, in a minimal Debian root where one can be made. Sourced from the
# repository's root folder.
passed=0 failed=0
log=$(mktemp)
skips=$(mktemp)
failures=$(mktemp)
trap 'rm -f "$log" "$skips" "$failures"' EXIT

# The clone that the roots work in: its builds stay from step to step.
clone=build/ci

# Says in one line where everything runs, and makes the roots where that is possible.
choose_machine() {
  local why
  rm -rf --one-file-system "$clone"
  mkdir -p "$clone"
  if why=$(scripts/fresh-machine.sh --ci --keep "$clone" true 2>&1); then
    in_roots=true
    echo "everything runs in minimal Debian roots, on $(git rev-parse --short HEAD)"
    [[ -z $(git status --porcelain) ]] || echo "changes that are not committed are not looked at"
  else
    in_roots=false
    echo "no minimal Debian root can be made here, so everything runs in place: ${why##*$'\n'}"
    export WEBNN_ROOT_KIND=ci
    scripts/install-packages.sh --ci || { echo "packages cannot be installed"; echo "0 passed, 1 failed"; exit 1; }
  fi
}

# What the steps to run have in their titles; none: all run.
parts=("$@") steps=0
is_asked_for() {
  local part
  ((${#parts[@]} == 0)) && return
  for part in "${parts[@]}"; do [[ $1 == *"$part"* ]] && return; done
  return 1
}

# step TITLE COMMAND...: runs it and adds its closing line; a command without one counts as one test.
step() {
  is_asked_for "$1" || return 0
  steps=$((steps + 1))
  echo "== $1"
  "${@:2}" 2>&1 | tee "$log"
  local status=${PIPESTATUS[0]} totals
  grep -E '^skipped( part)?: ' "$log" | sed "s|^|$1, |" >>"$skips"
  grep -E '^failed: ' "$log" | sed "s|^|$1, |" >>"$failures"
  totals=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1)
  if [[ $totals =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
    if ((status != 0 && BASH_REMATCH[2] == 0)); then failed=$((failed + 1)); fi
  elif ((status == 0)); then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
  fi
  if ((status != 0)) && ! grep -q "^$1, failed: " "$failures"; then echo "$1, failed: status $status" >>"$failures"; fi
  echo "== $1: status $status after $SECONDS s"
  return "$status"
}

# step_of KIND TITLE COMMAND: a line of shell, in the root of a user or of CI; in place where there are no roots.
step_of() {
  local options=(--keep "$clone")
  if [[ $1 == ci ]]; then options+=(--ci); fi
  if $in_roots; then
    step "$2" scripts/fresh-machine.sh "${options[@]}" "$3"
  else
    step "$2" bash -c "$3"
  fi
}

# Programs of others that tests run, into the user's cache, which the roots see: the roots have no npm.
install_clients() {
  local why
  if ! command -v npm >/dev/null; then
    echo "there is no npm, so nothing is tested with its packages"
  elif ! why=$(timeout 300 scripts/npm-clients.sh 2>&1); then
    echo "npm cannot install packages here, so nothing is tested with them: ${why##*$'\n'}"
  fi
}

# The closing lines. Exits with status 1 when anything failed.
finish() {
  rm -rf --one-file-system "$clone"
  cat "$skips" "$failures"
  echo "$(wc -l <"$skips") skipped"
  if ((steps == 0)); then echo "no step has ${parts[*]} in its title" && failed=1; fi
  echo "$passed passed, $failed failed"
  ((failed == 0))
  exit
}
