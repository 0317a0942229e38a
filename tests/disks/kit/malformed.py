# SPDX-License-Identifier: MIT
"""Capture files that are malformed as files: every reader must refuse them.

Each row: name, the line to be named in the refusal (0: none in particular), why, and
the text.  The refusals are listed in hostile/refused.txt.
"""

HEAD = "# SPDX-License-Identifier: MIT\n# A malformed capture: must be refused.\n"
DISK = ("P: /devices/virtual/block/x0\nN: x0\nE: DEVNAME=/dev/x0\nE: DEVTYPE=disk\n"
        "E: MAJOR=240\nE: MINOR=0\nE: SUBSYSTEM=block\nA: dev=240:0\\n\n")
LINES = DISK.count("\n") + HEAD.count("\n")
HUGE = 1024 * 1024 + 16

ROWS = (
    ("bad-line-without-colon", LINES + 1, "a line without a colon",
     HEAD + DISK + "A queue/rotational=0\n"),
    ("bad-line-prose", LINES + 1, "prose", HEAD + DISK + "hello, world\n"),
    ("bad-unknown-letter", LINES + 1, "an unknown kind of line",
     HEAD + DISK + "X: a=b\n"),
    ("bad-letter-without-blank", LINES + 1, "no blank after the colon",
     HEAD + DISK + "A:size=0\n"),
    ("bad-path-dotdot", 3, "P: with .. in it",
     HEAD + DISK.replace("virtual/block/x0", "virtual/../../etc", 1)),
    ("bad-path-outside", 3, "P: not below /devices",
     HEAD + DISK.replace("/devices/virtual/block/x0", "/etc/passwd", 1)),
    ("bad-path-relative", 3, "P: is no absolute path",
     HEAD + DISK.replace("/devices", "devices", 1)),
    ("bad-attribute-dotdot", LINES + 1, "an attribute outside its device",
     HEAD + DISK + "A: ../x1/size=0\\n\n"),
    ("bad-attribute-absolute", LINES + 1, "an attribute with an absolute name",
     HEAD + DISK + "A: /etc/passwd=0\\n\n"),
    ("bad-attribute-no-name", LINES + 1, "an attribute without a name",
     HEAD + DISK + "A: =0\\n\n"),
    ("bad-attribute-no-value", LINES + 1, "an attribute without an equals sign",
     HEAD + DISK + "A: size\n"),
    ("bad-duplicate-attribute", LINES + 2, "the same attribute twice in a block",
     HEAD + DISK + "A: size=1\\n\nA: size=2\\n\n"),
    ("bad-duplicate-property", 9 + 1, "the same property twice in a block",
     HEAD + DISK.replace("A: dev", "E: MAJOR=8\nA: dev", 1)),
    ("bad-duplicate-device", 0, "the same device twice", HEAD + DISK + "\n" + DISK),
    ("bad-two-devices-one-block", LINES + 1, "no empty line between two devices",
     HEAD + DISK + DISK.replace("x0", "x1")),
    ("bad-before-device", 3, "an attribute before the first device",
     HEAD + "A: size=0\\n\n\n" + DISK),
    ("bad-hex-odd", LINES + 1, "H: with an odd number of digits",
     HEAD + DISK + "H: vpd_pgb1=00B1003\n"),
    ("bad-hex-letters", LINES + 1, "H: with a letter that is no digit",
     HEAD + DISK + "H: vpd_pgb1=00B1G03C\n"),
    ("bad-hex-blanks", LINES + 1, "H: with blanks", HEAD + DISK + "H: vpd_pgb1=00 B1\n"),
    ("bad-mode-letters", LINES + 1, "M: that is no octal number",
     HEAD + DISK + "M: dev=rw-r--r--\n"),
    ("bad-mode-nine", LINES + 1, "M: with a 9", HEAD + DISK + "M: dev=0944\n"),
    ("bad-file-relative", 3, "F: with a relative path",
     HEAD + "F: proc/cmdline=quiet\\n\n" + DISK),
    ("bad-file-dotdot", 3, "F: with .. in it",
     HEAD + "F: /proc/../etc/shadow=x\n" + DISK),
    ("bad-file-duplicate", 0, "the same file twice",
     HEAD + "F: /proc/cmdline=a\\n\nF: /proc/cmdline=b\\n\n" + DISK),
    ("bad-link-empty", LINES + 1, "L: without a target", HEAD + DISK + "L: device=\n"),
    ("bad-nul-byte", LINES + 1, "a NUL byte", HEAD + DISK + "A: size=1\0 2\\n\n"),
    ("bad-nul-first", 1, "a NUL byte at the very start", "\0" + HEAD + DISK),
    ("bad-truncated", LINES + 1, "ends in the middle of an A: line",
     HEAD + DISK + "A: queue/read_ahe"),
    ("bad-truncated-value", LINES + 1, "ends in the middle of a value, without newline",
     HEAD + DISK + "A: queue/read_ahead_kb=12"),
    ("bad-huge-line", LINES + 1, "a line of more than 1 MiB",
     HEAD + DISK + "A: size=" + "9" * HUGE + "\\n\n"),
    ("bad-crlf", 0, "lines end in CR LF", (HEAD + DISK).replace("\n", "\r\n")
     + "\r\n" + DISK.replace("x0", "x1").replace("\n", "\r\n")),
    ("bad-empty", 0, "an empty file", ""),
    ("bad-comments-only", 0, "no device in the file", HEAD),
    ("bad-escape", LINES + 1, "an escape that nobody writes",
     HEAD + DISK + "A: size=1\\q\n"),
    ("bad-escape-at-end", LINES + 1, "a backslash at the end of a value",
     HEAD + DISK + "A: size=1\\\n"),
    ("bad-subsystem-path", 0, "SUBSYSTEM with a slash",
     HEAD + DISK.replace("SUBSYSTEM=block", "SUBSYSTEM=../../etc")),
    ("bad-binary", 0, "not a text at all",
     "\x1f\u008b\x08\x08PSEUDO\x00\x03\u00ff\u00fe gzip? no\n"),
)


def files():
    """(file name below hostile/, bytes) of each malformed capture and of the list."""
    for name, _, _, text in ROWS:
        coding = "latin-1" if name == "bad-binary" else "utf-8"
        yield f"{name}.capture", text.encode(coding)
    lines = ["# SPDX-License-Identifier: MIT",
             "# The malformed captures: file, line that the refusal names (0: any), why."]
    lines += [f"{name}.capture {line} {why}" for name, line, why, _ in ROWS]
    yield "refused.txt", "\n".join(lines).encode() + b"\n"
