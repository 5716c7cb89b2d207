#!/usr/bin/env python3
# rank.py [--build FOLDER] [--family NAME..] [--measured FILE --architecture NAME] [--choices FILE] [--ranking FILE]: which
# kernel is fastest for each call of benchmark-gpu, on GPUs that are not at hand.
#
# RADV, Mesa's driver for AMD, compiles the kernels for each family of GPUs (RADV_FORCE_FAMILY) without one, behind
# tests/vulkan_double. Its disassembly and statistics give instructions, registers, spills and resident waves; a model of a
# compute unit makes a time of them: slots for instructions, bytes from shared memory and from the L2 cache, waves that hide
# latency, workgroups that fill the units. The ranking is written as a table; where its first kernel differs from the one
# that the costs choose, there is a row for runtime/vulkan/choices.def. With --measured the times are those that benchmark-gpu
# has measured on a device, whose architecture is named.
import argparse
import collections
import json
import math
import os
import re
import subprocess
import sys

# architecture of choices.def, compute units, GHz, bytes of memory per clock of the whole device
FAMILIES = {
    "vega10": ("amd-gcn", 64, 1.5, 320),
    "navi10": ("amd-rdna1", 40, 1.75, 256),
    "navi21": ("amd-rdna2", 80, 2.1, 244),
}
WAVE = 64                # lanes; a compute unit issues one such arithmetic instruction per clock
OTHER_SLOT = 0.5         # of an instruction that is none: the other half of the unit works meanwhile
SHARED_BYTES = 128       # per clock and unit
CACHE_BYTES = 25         # per clock and unit, from L2
HIDING_WAVES = 8         # resident in a unit, they hide the latency of memory
SHARED_OF_UNIT = 65536
OF_DISPATCH = 3000       # clocks of a dispatch that waits for the one before
LEAST_GAIN = 1.15        # below that the model is not exact enough to overrule the costs

SUFFIX_BYTES = {"dword": 4, "dwordx2": 8, "dwordx3": 12, "dwordx4": 16, "ubyte": 1, "ushort": 2, "short": 2,
                "b32": 4, "b64": 8, "b96": 12, "b128": 16, "u8": 1, "u16": 2}


class Shader:
    """What the driver's compiler made: its statistics, and the instructions of its blocks."""

    def __init__(self, text):
        stats = dict(re.findall(r"^(VGPRs|Spilled VGPRs|Spilled SGPRs|LDS size|Subgroups per SIMD|Instructions): (\d+)$",
                                text, re.M))
        self.registers = int(stats.get("VGPRs", 0))
        self.spills = int(stats.get("Spilled VGPRs", 0)) + int(stats.get("Spilled SGPRs", 0))
        self.waves = max(int(stats.get("Subgroups per SIMD", 1)), 1)
        self.shared = int(stats.get("LDS size", 0))
        self.instructions = int(stats.get("Instructions", 0))
        self.read_blocks(text[text.find("disasm:"):])

    def read_blocks(self, text):
        blocks, label = [], {}
        for line in text.splitlines():
            if match := re.match(r"BB(\d+):", line):
                label[match[1]] = len(blocks)
                blocks.append([])
            elif blocks and line.startswith("\t"):
                blocks[-1].append(line.split(";")[0].split())
        loops = []
        for at, block in enumerate(blocks):
            for words in block:
                if words and re.match(r"s_c?branch", words[0]) and (match := re.match(r"BB(\d+)", words[-1])):
                    if match[1] in label and label[match[1]] <= at:
                        loops.append((label[match[1]], at))
        counts = [self.count(block) for block in blocks]
        total = lambda first, last: sum((counts[i] for i in range(first, last + 1)), collections.Counter())
        # The innermost loop with most multiply-adds, and the next one around it.
        innermost = [loop for loop in loops if not any(other != loop and loop[0] <= other[0] and other[1] <= loop[1]
                                                       for other in loops)]
        self.inner, self.outer, self.rest = collections.Counter(), None, total(0, len(blocks) - 1)
        if innermost:
            best = max(innermost, key=lambda loop: (total(*loop)["fma"], total(*loop)["slots"]))
            self.inner = total(*best)
            around = [loop for loop in loops if loop != best and loop[0] <= best[0] and best[1] <= loop[1]]
            if around:
                loop = min(around, key=lambda loop: loop[1] - loop[0])
                self.outer = total(*loop)
                self.outer.subtract(self.inner)

    @staticmethod
    def count(block):
        counts = collections.Counter()
        for words in block:
            name = words[0] if words else ""
            is_vector = name.startswith("v_")
            counts["slots"] += 1 if is_vector else OTHER_SLOT
            if re.match(r"v_(pk_)?(fma|fmac|mac|mad|dot)", name) and "i32" not in name and "u32" not in name:
                counts["fma"] += 1
            size = SUFFIX_BYTES.get(re.sub(r"_e(32|64)$", "", name).split("_")[-1], 4)
            if name.startswith("ds_"):
                counts["shared"] += size * WAVE * (2 if "read2" in name or "write2" in name else 1)
            elif re.match(r"(global|flat|buffer)_load", name):
                counts["cache"] += size * WAVE
        return counts


def clocks(shader, dispatch, units):
    """Of the unit that has most workgroups."""
    turns = max(dispatch["mainTurns"], 1)
    work = collections.Counter(shader.rest)
    if shader.inner:
        inner = turns * (0.8 if shader.outer else 1)
        for key, value in shader.inner.items():
            work[key] += value * inner
        for key, value in (shader.outer or {}).items():
            work[key] += value * (turns - inner)
    waves_of_group = math.ceil(dispatch["lanes"] / WAVE)
    resident = max(min(2 * shader.waves // waves_of_group, SHARED_OF_UNIT // max(shader.shared, 1)), 1)
    groups = math.ceil(dispatch["groups"] / units)
    busy = min(resident, groups) * waves_of_group
    of_wave = max(work["slots"], work["shared"] / SHARED_BYTES, work["cache"] / CACHE_BYTES)
    return groups * waves_of_group * of_wave / min(1.0, busy / HIDING_WAVES)


def compiled(build, family):
    """Each kernel of each call: (plan, shaders of its dispatches)."""
    environment = dict(os.environ, LD_LIBRARY_PATH=os.path.join(build, "vulkan_double"), VULKAN_DOUBLE="null",
                       VULKAN_DOUBLE_LOG="1", RADV_FORCE_FAMILY=family, RADV_DEBUG="shaders,shaderstats,asm,nocache",
                       VK_ICD_FILENAMES="/usr/share/vulkan/icd.d/radeon_icd.x86_64.json",
                       VK_DRIVER_FILES="/usr/share/vulkan/icd.d/radeon_icd.x86_64.json")
    run = subprocess.run([os.path.join(build, "bin", "benchmark-gpu"), "--prepare"], env=environment,
                         stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, errors="replace")
    if run.returncode != 0:
        sys.exit(f"rank.py: benchmark-gpu ends with {run.returncode}: {run.stderr[-500:]}")
    shaders, kernels, text, bound = {}, [], [], None
    for line in run.stderr.splitlines():
        if line.startswith("PREPARE "):
            plan = json.loads(line[8:])
            kernels.append((plan, []))
            text = []
        elif line.startswith("PIPELINE "):
            shaders[line.split()[1]] = Shader("\n".join(text))
            text = []
        elif line.startswith("BIND "):
            bound = line.split()[1]
        elif line.startswith("DISPATCH ") and kernels:
            kernels[-1][1].append(shaders[bound])
        else:
            text.append(line)
    return kernels


def ranked_by_model(build, family):
    architecture, units, gigahertz, memory_bytes = FAMILIES[family]
    rows = []
    for plan, shaders in compiled(build, family):
        dispatches = plan["dispatches"]
        if not shaders or len(shaders) < len(dispatches):
            continue
        total = sum(clocks(shader, dispatch, units) for shader, dispatch in zip(shaders, dispatches))
        total = max(total, plan["bytes"] / memory_bytes) + OF_DISPATCH * (len(dispatches) - 1)
        main = max(zip(shaders, dispatches), key=lambda one: clocks(one[0], one[1], units))[0]
        rows.append({"family": family, "architecture": architecture, "call": plan["call"], "class": plan.get("class", ""),
                     "kernel": plan["kernel"], "chosen": plan["chosen"], "microseconds": total / gigahertz * 1e-3,
                     "groups": sum(dispatch["groups"] for dispatch in dispatches), "registers": main.registers,
                     "spills": main.spills, "waves": main.waves,
                     "fma": main.inner["fma"] / main.inner["slots"] if main.inner["slots"] else 0})
    return rows


def measured(file, architecture):
    rows = [json.loads(line) for line in open(file)]
    device = next((row["device"] for row in rows if "device" in row), "?")
    return [dict(row, family=device, architecture=architecture) for row in rows if "kernel" in row and "call" in row
            and row.get("right") is not False]


def choices(rows, there, is_measured):
    """By architecture and class: the kernel with the least sum of times. Unless the times are measured, only if the costs
    choose another one: what they choose may change. `there` are the rows that the table has already: with them the
    compiler chose."""
    calls = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in rows:
        if row.get("class"):
            calls[row["architecture"], row["class"]][row["call"]].append(row)
    for (architecture, name), members in sorted(calls.items()):
        kernels = set.intersection(*({row["kernel"] for row in each} for each in members.values()))
        if not kernels:
            continue
        time = lambda kernel: sum(row["microseconds"] for each in members.values() for row in each
                                  if row["kernel"] == kernel)
        usual = sum(row["microseconds"] for each in members.values() for row in each if row["chosen"])
        best = min(sorted(kernels), key=time)
        if is_measured:  # a smaller difference is noise
            best = next((row["kernel"] for each in members.values() for row in each
                         if row["chosen"] and time(row["kernel"]) <= 1.03 * time(best)), best)
        if is_measured or usual > LEAST_GAIN * time(best) or there.get((architecture, name)) == best:
            yield architecture, name, best, usual / time(best)


def main():
    parser = argparse.ArgumentParser(description="Ranks the kernels of GPUs.")
    parser.add_argument("--build", default="build/release", help="the folder with bin/benchmark-gpu and vulkan_double")
    parser.add_argument("--family", nargs="*", default=list(FAMILIES), choices=list(FAMILIES))
    parser.add_argument("--measured", help="the output of benchmark-gpu on a device, in place of the model")
    parser.add_argument("--architecture", help="of that device, as runtime/vulkan/profile/profile.cpp names it")
    parser.add_argument("--choices", help="runtime/vulkan/choices.def: the rows of these architectures are replaced")
    parser.add_argument("--ranking", help="the table is written to this file")
    options = parser.parse_args()
    if bool(options.measured) != bool(options.architecture):
        parser.error("--measured and --architecture go together")
    rows = []
    if options.measured:
        rows = measured(options.measured, options.architecture)
    else:
        for family in options.family:
            rows += ranked_by_model(os.path.abspath(options.build), family)
    rows.sort(key=lambda row: (row["family"], row["call"], row["microseconds"]))
    columns = ["family", "call", "kernel", "chosen", "microseconds", "groups", "registers", "spills", "waves", "fma"]
    lines = ["\t".join(columns)]
    for row in rows:
        shown = {**row, "chosen": "costs" if row["chosen"] else "", "microseconds": f"{row['microseconds']:.4g}"}
        if "fma" in row:
            shown["fma"] = f"{row['fma']:.2f}"
        lines.append("\t".join(str(shown.get(column, "")) for column in columns))
    if options.ranking:
        with open(options.ranking, "w") as file:
            file.write("\n".join(lines) + "\n")
    else:
        print("\n".join(lines))
    table = open(options.choices).read() if options.choices else ""
    there = {(row[0], row[1]): row[2] for row in re.findall(r'^CHOICE\("(.*?)", "(.*?)", "(.*?)"\)$', table, re.M)}
    found = list(choices(rows, there, bool(options.measured)))
    for architecture, name, kernel, gain in found:
        print(f"{architecture}: {name}: {kernel}, {gain:.2f} times as fast", file=sys.stderr)
    if options.choices:
        mine = {row["architecture"] for row in rows}
        kept = [line for line in table.splitlines()
                if not any(line.startswith(f'CHOICE("{architecture}"') for architecture in mine)]
        kept += [f'CHOICE("{architecture}", "{name}", "{kernel}")' for architecture, name, kernel, _ in found]
        with open(options.choices, "w") as file:
            file.write("\n".join(kept) + "\n")


if __name__ == "__main__":
    main()
