#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The version script, the shared library, the static one and the test that calls all
functions agree on what is public; the shared library needs nothing but libc.

usage: check-symbols.py NM READELF VERSION-SCRIPT SHARED STATIC TEST-API.C SANITIZED
"""
import re
import subprocess
import sys

LIBC = re.compile(r"libc\.so\.\d+|libc\.musl-[\w]+\.so\.1|libc\.so|ld-[\w.-]+\.so\.\d+")
# What compilers and their instrumentation add by themselves.
FOREIGN = re.compile(r"_|\.|DW\.ref|asan\.")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def script_symbols(path):
    with open(path, encoding="ascii") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    symbols = set()
    for section in re.findall(r"global:(.*?)(?:local:|\})", text, flags=re.S):
        symbols.update(re.findall(r"(\w+);", section))
    return symbols


def defined(nm, path, *options):
    symbols = set()
    for line in run(nm, "--defined-only", *options, path).splitlines():
        words = line.split()
        if len(words) == 3 and words[1] in "TDBRVWGS":
            symbols.add(words[2].split("@")[0])
    return symbols


def main():
    nm, readelf, script, shared, static, api, sanitized = sys.argv[1:]
    public = script_symbols(script)
    problems = []

    exported = {s for s in defined(nm, shared, "-D") if not FOREIGN.match(s)}
    for symbol in sorted(public ^ exported):
        where = "version script" if symbol in public else "shared library"
        problems.append(f"{symbol}: only in the {where}")

    for symbol in sorted(defined(nm, static, "-g") - public):
        if not symbol.startswith("blkadvise_priv_") and not FOREIGN.match(symbol):
            problems.append(f"{symbol}: leaks from the static library, see names.h")

    with open(api, encoding="ascii") as file:
        called = set(re.findall(r"\b(blkadvise_\w+)\(", file.read()))
    for symbol in sorted(public - called):
        problems.append(f"{symbol}: not called by {api}")

    dynamic = run(readelf, "-d", "-W", shared)
    if not re.search(r"SONAME.*\[libblkadvise\.so\.0\]", dynamic):
        problems.append("the soname is not libblkadvise.so.0")
    needed = re.findall(r"NEEDED.*\[(.*)\]", dynamic)
    if sanitized == "none":
        problems += [f"needs {n}" for n in needed if not LIBC.fullmatch(n)]

    print(f"{len(public)} public symbols; needs {', '.join(needed)}")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
