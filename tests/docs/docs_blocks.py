# SPDX-License-Identifier: MIT
"""Blocks of the documentation that are made, not written: what a command prints, and
what a data file says. A block begins with a comment that names its source and ends with
the end of the fence or the table that follows.

    <!-- output: blkadvise --from=tests/disks/NAME.capture list -->
    <!-- policy: rules/policy.d/NAME.policy -->
    ; facts: begin ... ; facts: end            (in a man page)
"""
import os
import pathlib
import re
import shlex
import subprocess

OUTPUT = re.compile(r"<!-- output: (blkadvise .*?) -->\n```text\n.*?```\n", re.S)
POLICY = re.compile(r"<!-- policy: (\S+) -->\n(?:\|.*\n)+")
FACTS = re.compile(r"; facts: begin\n.*?; facts: end\n", re.S)


def run(root, command, line):
    """What a command line of the documentation prints, with the data files of this tree."""
    words = shlex.split(line)[1:]
    result = subprocess.run([os.path.abspath(command), "--rules=rules", *words], cwd=root,
                            stdout=subprocess.PIPE, text=True, timeout=60, check=False)
    return result.stdout


def output_block(root, command, line):
    printed = "\n".join(text.rstrip() for text in run(root, command, line).splitlines())
    return f"<!-- output: {line} -->\n```text\n$ {line}\n{printed}\n```\n"


def sections(path):
    """(name, [(key, value), ...]) of each section of a policy file."""
    result = []
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        line = line.strip()
        if not line or line[0] in "#;":
            continue
        if line[0] == "[":
            result.append((line[1:-1], []))
        else:
            key, _, value = line.partition("=")
            result[-1][1].append((key.strip(), value.strip()))
    return result


def cell(pairs):
    return "<br>".join(f"`{key}={value}`" for key, value in pairs)


def policy_block(root, name):
    lines = ["| section | matches | gives | reason |", "|---|---|---|---|"]
    for section, pairs in sections(root / name):
        matches = [(key.removeprefix("Match."), value) for key, value in pairs
                   if key.startswith("Match.") or key == "Profile"]
        gives = [(key, value) for key, value in pairs
                 if not key.startswith("Match.") and key not in ("Profile", "Reason", "Source")]
        reason = dict(pairs).get("Reason", "")
        lines.append(f"| {section} | {cell(matches)} | {cell(gives)} | {reason} |")
    return f"<!-- policy: {name} -->\n" + "\n".join(lines) + "\n"


def facts_block(words):
    lines = ["; facts: begin", "; made by tests/docs/update-examples", "",
             "|[ *fact*", ":[ *type*", ":[ *attribute*"]
    for line in words:
        table, *rest = line.split()
        if table == "fact":
            name, kind, attribute = rest
            lines += [f"|  {escape(name)}", f":  {kind}", f":  {escape(attribute)}"]
    return "\n".join(lines) + "\n\n; facts: end\n"


def escape(text):
    """For scdoc, to which underscores and stars are markup."""
    return re.sub(r"([_*\\])", r"\\\1", text)


def read_words(words):
    return subprocess.run([words], stdout=subprocess.PIPE, text=True,
                          check=True).stdout.splitlines()


def renew(root, text, command, words):
    """The text with every made block made anew."""
    text = OUTPUT.sub(lambda match: output_block(root, command, match[1]), text)
    text = POLICY.sub(lambda match: policy_block(root, match[1]), text)
    return FACTS.sub(lambda match: facts_block(words), text)


def documents(root):
    """Every page that this folder looks after."""
    return [root / "README.md", root / "CONTRIBUTING.md", root / "agent" / "README.md",
            *sorted((root / "docs").glob("*.md")), *sorted((root / "docs/man").glob("*.scd"))]
