#!/usr/bin/env python3
"""Writes the conformance cases of all operators, one JSON file for each, beside this program.

The expected outputs come from the specification's formulas in double precision, written here in plain Python and
independent of every kernel. The same Python writes the same bytes on every machine.
"""

import pathlib
import sys

from generator import contractions, elementwise, movement, recurrent, reductions, windows

FAMILIES = (elementwise, movement, reductions, contractions, windows, recurrent)


def main():
    folder = pathlib.Path(__file__).parent
    count = size = files = 0
    for family in FAMILIES:
        for cases in family.all_cases():
            size += cases.write(folder)
            count += len(cases.tests)
            files += 1
    print(f"{files} operators, {count} cases, {size} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
