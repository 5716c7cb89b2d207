#!/bin/bash
# Checks the graphs of a pipeline, for action.yml: reports their mistakes as annotations and in a SARIF file, and runs
# their tests. Where no webnn-cli is in the path, it is built first, from the checkout that this script is in.
# Reads the environment: WEBNN_CHECK_FILES (graph files and folders), WEBNN_CHECK_TESTS (suites; may be empty),
# WEBNN_CHECK_BROWSER (may be empty), WEBNN_CHECK_SARIF (the file to write). Lists are separated by spaces or lines. Says
# `sarif=FILE` in $GITHUB_OUTPUT, and what it found in $GITHUB_STEP_SUMMARY, where these are set.
# Exits with 1 when a graph is wrong or a test fails, and with webnn-cli's status when it cannot work.
set -uo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
read -r -d '' -a files <<<"${WEBNN_CHECK_FILES:-.}"
read -r -d '' -a tests <<<"${WEBNN_CHECK_TESTS:-}"
sarif=${WEBNN_CHECK_SARIF:-webnn.sarif}
options=()
if [[ -n ${WEBNN_CHECK_BROWSER:-} ]]; then options=(--browser "$WEBNN_CHECK_BROWSER"); fi

build() {
  (cd "$here" && scripts/install-packages.sh && cmake --preset release && cmake --build --preset release --target webnn-cli) >&2
}
program=$(command -v webnn-cli || true)
if [[ -z $program ]]; then
  program=$here/build/release/bin/webnn-cli
  if [[ ! -x $program ]] && ! build; then
    echo "::error::webnn-cli cannot be built here; run the job in a container of Debian 12" >&2
    exit 1
  fi
fi

summary() { echo "$1" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"; }

mkdir -p "$(dirname "$sarif")"
"$program" validate "${files[@]}" "${options[@]}" --output-format sarif >"$sarif.part"
status=$?
case $status in
  0) summary "All graphs are valid." ;;
  3 | 4) summary "Graphs have mistakes; the annotations name them." ;;  # the file is whole all the same
  6 | 7) summary "Files could not be read, or were beyond a limit; the annotations name the mistakes of the others." ;;
  *) rm -f "$sarif.part"; exit "$status" ;;
esac
mv "$sarif.part" "$sarif"
echo "sarif=$sarif" >>"${GITHUB_OUTPUT:-/dev/null}"
"$program" validate "${files[@]}" "${options[@]}" --output-format github

if ((${#tests[@]} > 0)); then
  results=$("$program" test "${tests[@]}")
  tested=$?
  echo "$results"
  summary "Tests: ${results##*$'\n'}."
  if ((tested > 1)); then exit "$tested"; fi
  if ((tested != 0)); then status=1; fi
fi
case $status in
  0) exit 0 ;;
  6 | 7) echo "::error::a file could not be read, or is beyond a limit; see the log"; exit "$status" ;;
  *) exit 1 ;;
esac
