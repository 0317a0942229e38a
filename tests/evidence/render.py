# SPDX-License-Identifier: MIT
"""From lines of raw results to docs/evidence.md: the prose is in evidence.md.in, each
{{word}} in it is one table or figure of this file."""

import base64
import collections
import json
import re
import statistics

WORKLOADS = ("random-exceeds", "random-fits", "scan", "journal", "random-beyond")
AIM = 0.95
CPU_BUSY = 90  # percent of all processors
CPU_ONE = 0.9  # of the one that submits
MISSING = "-"


def number(value, digits=3):
    """Three significant figures, with the thousands set apart."""
    if value is None:
        return MISSING
    if value == 0:
        return "0"
    rounded = float(f"{value:.{digits}g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 100 else f"{rounded:g}"


def median(values):
    values = list(values)
    return statistics.median(values) if values else None


def spread(values, form=number):
    """"median (least to most)"."""
    values = list(values)
    if not values:
        return MISSING
    if len(values) == 1:
        return form(values[0])
    return f"{form(median(values))} ({form(min(values))} to {form(max(values))})"


def ratio_text(values):
    return spread(values, lambda value: f"{value:.2f}")


def table(heads, rows):
    if not rows:
        return "*Not measured in this run.*"
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def rate(got):
    for key in ("rows_per_s", "mb_per_s"):
        if key in got:
            return got[key]
    return None


def unit(workload):
    return "rows/s" if workload.startswith("random") else "MB/s"


def cpu_bound(line):
    """Whether the processors were the limit: all of them, or the one thread that submits."""
    got = line["got"]
    one = got.get("engine") == "io_uring" and got.get("seconds") and \
        got["cpu_s"] / got["seconds"] >= CPU_ONE
    return line.get("busy", 0) >= CPU_BUSY or bool(one)


def options_text(options, readahead=None):
    """The engine's options as a reader wants them: "mmap, depth 16, hint random"."""
    found = dict(re.findall(r"--([a-z-]+) ([a-z0-9]+)", options))
    words = [found[key] for key in ("mode",) if key in found]
    if "block-kb" in found:
        words.append(f"{found['block-kb']} KiB")
    if "depth" in found:
        words.append(f"depth {found['depth']}")
    if "threads" in found:
        words.append(f"{found['threads']} threads")
    if found.get("hint", "normal") != "normal" and found.get("mode") != "direct":
        words.append(found["hint"])
    if "read-kb" in found and found["read-kb"] != "4":
        words.append(f"{found['read-kb']} KiB")
    if readahead not in (None, "-", "128") and found.get("mode") in ("buffered", "mmap") and \
            found.get("hint") != "random":
        words.append(f"readahead {readahead}")
    return ", ".join(words)


class Results:
    def __init__(self, lines):
        self.lines = lines
        self.files = collections.defaultdict(str)
        for line in lines:
            if line["kind"] == "piece":
                self.files[line["disk"], line["name"]] += line["data"]

    def of(self, kind, **wanted):
        return [line for line in self.lines if line["kind"] == kind and
                all(line.get(key) == value for key, value in wanted.items())]

    def good(self, kind, **wanted):
        return [line for line in self.of(kind, **wanted) if "failed" not in line["got"]]

    def file(self, disk, name):
        return base64.b64decode(self.files.get((disk, name), "")).decode("utf-8", "replace")

    def record(self, disk, when):
        return dict(re.findall(r"^BLKADVISE_(\w+)=(.*)$", self.file(disk, f"record-{when}"), re.M))

    def points(self, disk, name):
        try:
            parsed = json.loads(self.file(disk, name))
        except ValueError:
            return []
        while isinstance(parsed, list):
            parsed = parsed[0] if parsed else {}
        if "disks" in parsed:
            parsed = parsed["disks"][0]
        return parsed.get("measurement", {}).get("points", [])

    def disks(self):
        names = [line["disk"] for line in self.of("disk")]
        return [name for name in dict.fromkeys(names) if self.of("pair", disk=name)]

    def meta(self):
        found = self.of("meta")
        return found[0] if found else collections.defaultdict(lambda: MISSING)

    # --- ratios ---------------------------------------------------------------------------------

    def arm_lines(self, disk, workload, arm):
        return self.good("pair", disk=disk, workload=workload, arm=arm)

    def ratios(self, disk, workload, arm):
        best = {line["round"]: rate(line["got"])
                for line in self.arm_lines(disk, workload, "best")}
        return [rate(line["got"]) / best[line["round"]]
                for line in self.arm_lines(disk, workload, arm) if best.get(line["round"])]


def disk_name(results, disk):
    line = results.of("disk", disk=disk)[0]
    if "latency_us" not in line:
        return "this machine's disk"
    us = line["latency_us"]
    latency = f"{us} us" if us < 1000 else f"{us // 1000} ms"
    limit = f", {line['mbps']} MB/s" if line["mbps"] else ""
    return f"{latency} / {line['depth']}{limit}"


# --- tables: each takes the results and gives a text ----------------------------------------------

def table_disks(results):
    rows = []
    for disk in results.disks():
        record = results.record(disk, "measured")
        rows.append([disk_name(results, disk), record.get("RANDOM_READ_IOPS_QD1", MISSING),
                     record.get("RANDOM_READ_IOPS_QD16", MISSING),
                     record.get("RANDOM_READ_IOPS_PEAK", MISSING),
                     record.get("KNEE_DEPTH", MISSING),
                     record.get("RANDOM_EXCEEDS_DEPTH_LATENCY", MISSING),
                     record.get("SEQ_READ_KBPS", MISSING), measure_seconds(results, disk)])
    return table(["disk", "IOPS at 1", "at 16", "peak", "knee", "latency depth", "KB/s in sequence",
                  "`measure` took, s (read only; with `--write`)"], rows)


def measure_seconds(results, disk):
    took = [f"{line['ended'] - line['began']:.1f}" for line in results.of("measure", disk=disk)
            if line["name"] in ("node", "write")]
    return "; ".join(took) or MISSING


def regret_row(results, disk, workload, others):
    advice = results.ratios(disk, workload, "advice")
    lines = {arm: results.arm_lines(disk, workload, arm) for arm in ("advice", "best")}
    if not advice:
        return None
    marks = ""
    if any(sum(map(cpu_bound, found)) * 2 > len(found) for found in lines.values()):
        marks += " CPU"
    if median(advice) < AIM:
        marks += " **missed**"
    row = [disk_name(results, disk), options_text(lines["advice"][0]["options"]),
           number(median(rate(line["got"]) for line in lines["advice"])),
           options_text(lines["best"][0]["options"], lines["best"][0]["readahead"]),
           number(median(rate(line["got"]) for line in lines["best"])),
           ratio_text(advice) + marks]
    return row + [ratio_text(results.ratios(disk, workload, arm)) for arm in others] + [len(advice)]


def table_regret(workload, others):
    def make(results):
        rows = [regret_row(results, disk, workload, others) for disk in results.disks()]
        return table(["disk", "advice", unit(workload), "best of the sweep", unit(workload),
                      "advice / best", *others, "pairs"], [row for row in rows if row])
    return make


def decision_times(results, disk, arm):
    return [line["got"]["seconds"] for line in
            results.good("decision", disk=disk, workload="random-exceeds", arm=arm)]


def table_decisions(results):
    rows = []
    for disk in results.disks():
        cells = [disk_name(results, disk)]
        for arm in ("advice", "threshold", "probe"):
            lines = results.good("decision", disk=disk, workload="random-exceeds", arm=arm)
            times = [line["got"]["seconds"] * 1000 for line in lines]
            reads = median(line["got"]["reads"] for line in lines)
            cells += [spread(times), number(reads, 6)]
        chosen = results.good("decision", disk=disk, workload="random-exceeds", arm="threshold")
        probed = results.good("decision", disk=disk, workload="random-exceeds", arm="probe")
        for lines in (chosen, probed):
            words = collections.Counter(
                f"{line['got']['mode']} {line['got']['depth']}" for line in lines)
            cells.append(", ".join(f"{word}{f' x{n}' if n < len(lines) else ''}"
                                   for word, n in words.items()) or MISSING)
        rows.append(cells)
    return table(["disk", "record, ms", "reads", "threshold, ms", "reads", "probe, ms", "reads",
                  "threshold chose", "probe chose"], rows)


def missed(results):
    """The rows that missed, as a list."""
    found = []
    for disk in results.disks():
        for workload in WORKLOADS:
            ratios = results.ratios(disk, workload, "advice")
            if ratios and median(ratios) < AIM:
                found.append(f"{disk_name(results, disk)}, {workload}: {median(ratios):.2f}")
    return "; ".join(found) or "none"


def counted(results):
    ratios = [median(results.ratios(disk, workload, "advice")) for disk in results.disks()
              for workload in WORKLOADS[:4] if results.ratios(disk, workload, "advice")]
    good = sum(value >= AIM for value in ratios)
    return f"{good} of {len(ratios)}"


FIRST_REPORT = "300us-32-59MB"


def table_first_report(results):
    rows = []
    for arm, text in (("threshold", "the threshold rule"), ("class", "the class, not measured"),
                      ("advice", "the advice"), ("best", "the best of the sweep")):
        lines = results.arm_lines(FIRST_REPORT, "random-exceeds", arm)
        if lines:
            rows.append([text, options_text(lines[0]["options"], lines[0]["readahead"]),
                         spread(rate(line["got"]) for line in lines), len(lines)])
    return table(["by", "how", "rows/s", "runs"], rows)


def first_factor(results):
    slow = {line["round"]: rate(line["got"])
            for line in results.arm_lines(FIRST_REPORT, "random-exceeds", "threshold")}
    ratios = [rate(line["got"]) / slow[line["round"]]
              for line in results.arm_lines(FIRST_REPORT, "random-exceeds", "advice")
              if slow.get(line["round"])]
    return ratio_text(ratios)


def table_sort(results):
    rows = []
    for load in (0, 4):
        times = {arm: [line["ended"] - line["began"] for line in
                       results.of("sort", arm=arm, load=load, status=0)]
                 for arm in ("plain", "advised")}
        if times["plain"] and times["advised"]:
            gains = [a / b for a, b in zip(times["plain"], times["advised"])]
            rows.append([load or "none", spread(times["plain"]), spread(times["advised"]),
                         ratio_text(gains), len(gains)])
    return table(["busy processes", "sort as it is, s", "WILLNEED beside it, s", "factor",
                  "pairs"], rows)


def table_scan_report(results):
    rows = []
    for arm in ("buffered normal", "mmap normal", "buffered sequential", "mmap sequential"):
        lines = results.good("scan-report", arm=arm)
        if lines:
            mode, hint = arm.split()
            rows.append(["read" if mode == "buffered" else mode, hint,
                         spread(line["got"]["seconds"] for line in lines),
                         spread(rate(line["got"]) for line in lines),
                         "CPU" if sum(map(cpu_bound, lines)) * 2 > len(lines) else "", len(lines)])
    return table(["by", "hint", "seconds for 128 MB", "MB/s", "limit", "runs"], rows)


def table_index_report(results):
    rows = []
    for readers in (1, 2):
        rates = {arm: {line["round"]: rate(line["got"]) for line in
                       results.good("index-report", arm=arm, readers=readers)}
                 for arm in ("buffered", "mmap")}
        both = [turn for turn in rates["mmap"] if turn in rates["buffered"]]
        if both:
            factors = [rates["mmap"][turn] / rates["buffered"][turn] for turn in both]
            rows.append([readers, spread(rates["buffered"].values()),
                         spread(rates["mmap"].values()), ratio_text(factors), len(both)])
    return table(["readers", "pread, rows/s", "mmap, rows/s", "factor", "pairs"], rows)


def table_journal_report(results):
    rows = []
    for kb in (4, 8, 16, 32, 64):
        row = [kb]
        for writers in (1, 4):
            lines = results.good("journal-report", block_kb=kb, writers=writers)
            row.append(spread(rate(line["got"]) for line in lines))
            row.append(number(median(line["got"]["p99_us"] for line in lines)))
        rows.append([*row, len(results.good("journal-report", block_kb=kb, writers=1))])
    return table(["block, KiB", "one writer, MB/s", "p99, us", "four writers, MB/s", "p99, us",
                  "runs"], rows if results.of("journal-report") else [])


def journal_advice(results):
    record = results.record("ide-like", "measured")
    keys = ("JOURNAL_BLOCK_KB", "JOURNAL_DEPTH")
    return ", ".join(f"`{key}={record[key]}`" for key in keys if key in record) or "nothing"


def table_apply(results):
    rows = []
    for depth in (1, 16):
        for when in ("before", "after"):
            lines = results.good("apply", when=when, depth=depth)
            if lines:
                rows.append([depth, when, lines[0]["readahead"],
                             spread(rate(line["got"]) for line in lines), len(lines)])
    return table(["readers", "apply", "read_ahead_kb", "rows/s", "runs"], rows)


def apply_factor(results):
    factors = []
    for depth in (1, 16):
        rates = {when: median(rate(line["got"]) for line in
                              results.good("apply", when=when, depth=depth))
                 for when in ("before", "after")}
        if rates["before"] and rates["after"]:
            factors.append(f"{rates['after'] / rates['before']:.1f} with {depth} "
                           f"reader{'s' if depth > 1 else ''}")
    return " and ".join(factors) or "not measured"


def apply_end(results):
    found = results.of("apply-end")
    return f"{found[0]['is']} again (was {found[0]['was']})" if found else "not touched"


def knee(curve):
    """The smallest depth within 95 % of the peak."""
    peak = max(curve.values())
    return min(depth for depth, value in curve.items() if value >= 0.95 * peak)


def is_curve(point):
    return point["work"] == "random-read" and point["mode"] == "direct" and point["block_kb"] == 4


def our_points(results, disk, turn):
    """The points that this run has measured, without those that were kept from before."""
    before = {(point["depth"], point["measured_at"], point["operations"])
              for name in ("node", "write", *(f"agree-{n}" for n in range(1, turn)))
              for point in results.points(disk, name)}
    return [point for point in results.points(disk, f"agree-{turn}") if is_curve(point) and
            (point["depth"], point["measured_at"], point["operations"]) not in before]


def our_curve(results, disk, turn):
    return {point["depth"]: point["iops"] for point in our_points(results, disk, turn)}


def is_cpu_bound(results, disk, depth):
    """By what `measure` itself says of most of its points."""
    limits = ["cpu" in point["limits"] for turn in turns(results, disk)
              for point in our_points(results, disk, turn) if point["depth"] == depth]
    return sum(limits) * 2 > len(limits)


def turns(results, disk):
    return sorted({line["round"] for line in results.of("fio", disk=disk)})


def table_fio(results):
    rows = []
    for disk in dict.fromkeys(line["disk"] for line in results.of("fio")):
        ours = {turn: our_curve(results, disk, turn) for turn in turns(results, disk)}
        theirs = {turn: {line["depth"]: float(line["iops"]) for line in
                         results.of("fio", disk=disk, round=turn)} for turn in ours}
        for depth in (1, 4, 16, 64):
            pairs = [(ours[t][depth], theirs[t][depth]) for t in ours
                     if ours[t].get(depth) and theirs[t].get(depth)]
            if not pairs:
                continue
            ratios = [a / b for a, b in pairs]
            mark = " CPU" if is_cpu_bound(results, disk, depth) else ""
            mark += "" if 0.9 <= median(ratios) <= 1.1 else " **missed**"
            rows.append([disk_name(results, disk), depth, number(median(a for a, _ in pairs)),
                         number(median(b for _, b in pairs)), ratio_text(ratios) + mark,
                         len(pairs)])
    return table(["disk", "depth", "`measure`, IOPS", "fio, IOPS", "ratio", "pairs"], rows)


def table_knees(results):
    rows = []
    for disk in dict.fromkeys(line["disk"] for line in results.of("fio")):
        ours = [our_curve(results, disk, turn) for turn in turns(results, disk)]
        ours = [knee(curve) for curve in ours if curve]
        theirs = collections.defaultdict(list)
        for line in results.of("fio", disk=disk):
            theirs[line["depth"]].append(float(line["iops"]))
        their_knee = knee({depth: median(values) for depth, values in theirs.items()})
        steps = [abs(mine.bit_length() - their_knee.bit_length()) for mine in ours]
        rows.append([disk_name(results, disk), ", ".join(map(str, ours)) or MISSING, their_knee,
                     f"{median(steps):g}" if steps else MISSING])
    return table(["disk", "knee of each `measure`", "fio's knee", "steps between (median)"], rows)


def table_cold(results):
    rows = []
    for by in ("record", "threshold", "probe"):
        lines = results.good("cold", by=by)
        if lines:
            rows.append([by, spread(line["reads"] for line in lines),
                         spread(line["sectors"] / 2 for line in lines),
                         spread(line["got"]["seconds"] * 1000 for line in lines),
                         f"{lines[0]['got']['mode']}, depth {lines[0]['got']['depth']}",
                         len(lines)])
    return table(["decides by", "reads of the disk", "KiB", "ms until it knows", "decision",
                  "runs"], rows)


def meta_text(results):
    meta = results.meta()
    guests = results.of("guest")
    guest = guests[0]["kernel"] if guests else MISSING
    return (f"{meta['date']}, Linux {meta['kernel']}, {meta['cpus']} cores, {meta['cpu']}, "
            f"{meta['memory_gb']} GiB; the guest: Linux {guest}, 2 emulated processors, 3 GiB")


def alone_text(results):
    """The parts that were not made by the command as a whole."""
    names = sorted({line["name"] for line in results.of("alone")})
    return f" With `--part`, one after the other: {', '.join(names)}." if names else ""


WORDS = {
    "meta": meta_text,
    "alone": alone_text,
    "command": lambda results: results.meta()["command"],
    "disks": table_disks,
    "regret-random-exceeds": table_regret("random-exceeds", ("class", "threshold", "probe")),
    "regret-random-fits": table_regret("random-fits", ("class", "threshold", "probe")),
    "regret-scan": table_regret("scan", ("class",)),
    "regret-journal": table_regret("journal", ("class",)),
    "regret-random-beyond": table_regret("random-beyond", ()),
    "decisions": table_decisions,
    "missed": missed,
    "counted": counted,
    "first-report": table_first_report,
    "first-factor": first_factor,
    "sort": table_sort,
    "scan-report": table_scan_report,
    "index-report": table_index_report,
    "journal-report": table_journal_report,
    "journal-advice": journal_advice,
    "apply": table_apply,
    "apply-factor": apply_factor,
    "apply-end": apply_end,
    "fio": table_fio,
    "knees": table_knees,
    "cold": table_cold,
}


def page(template, lines):
    results = Results(lines)
    return re.sub(r"\{\{([a-z-]+)\}\}", lambda found: WORDS[found.group(1)](results), template)
