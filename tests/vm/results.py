# SPDX-License-Identifier: MIT
"""Turns what a guest reports, line by line, into TAP and a verdict. The rule is that silence is
failure: a scenario without a result, one that does not end, and a machine that does not reach
its end all count as failed."""


class Results:
    def __init__(self, expected, write):
        self.expected = list(expected)  # scenarios
        self.write = write  # takes a line of TAP
        self.count = 0
        self.failed = 0
        self.current = None
        self.in_current = 0
        self.finished = False
        self.seen = []

    def result(self, good, name, detail="", directive=""):
        self.count += 1
        self.in_current += 1
        self.failed += not good
        line = f"{'ok' if good else 'not ok'} {self.count} - {name}{directive}"
        self.write(line.rstrip())
        if detail:
            self.write(f"# {detail}")

    def in_scenario(self, name):
        return f"{self.current}: {name}" if self.current else name

    def line(self, text):
        """Takes one line of the guest; what it does not know is an error of the guest."""
        for prefix, action in (("ok ", self.on_ok), ("not ok ", self.on_not_ok),
                               ("skip ", self.on_skip), ("note ", self.on_note),
                               ("begin ", self.on_begin), ("end ", self.on_end)):
            if text.startswith(prefix):
                action(text[len(prefix):])
                return
        if text == "done":
            self.finished = True
        elif text:
            self.result(False, self.in_scenario("protocol"), f"not understood: {text}")

    def on_ok(self, rest):
        self.result(True, self.in_scenario(rest.replace("#", "")))

    def on_not_ok(self, rest):
        name, _, detail = rest.partition(" # ")
        self.result(False, self.in_scenario(name.replace("#", "")), detail)

    def on_skip(self, rest):
        name, _, why = rest.partition(" # ")
        self.result(True, self.in_scenario(name), directive=f" # SKIP {why}")

    def on_note(self, rest):
        self.write(f"# {self.in_scenario(rest)}")

    def on_begin(self, rest):
        self.current = rest.split()[0]
        self.seen.append(self.current)
        self.in_current = 0

    def on_end(self, rest):
        name, status = rest.split()
        if self.in_current == 0:
            self.result(False, f"{name}: has results", "it reported none")
        if status != "0":
            self.result(False, f"{name}: exit status", f"it ended with {status}")
        self.current = None

    def close(self, problem=None):
        """Ends the run; `problem` says why the machine did not end in good order."""
        if self.current:
            self.result(False, self.in_scenario("ends"), problem or "the machine went away")
        for name in self.expected:
            if name not in self.seen:
                self.result(False, f"{name}: runs", "the machine never came to it")
        if problem or not self.finished:
            self.result(False, "the machine reaches its end", problem or "it went away early")
        self.write(f"1..{self.count}")
        return 1 if self.failed else 0
