# SPDX-License-Identifier: Apache-2.0
"""An mbox as a Maildir: FILE FOLDER.  Names as delivery makes them, most read."""

import os
import sys

FILE, FOLDER = sys.argv[1:]
for half in "cur", "new", "tmp":
    os.makedirs(f"{FOLDER}/{half}")


def messages(f):
    """Each without its From_ line; ours quote nothing."""
    lines = []
    for line in f:
        if line.startswith(b"From dev-return-") and lines:
            yield b"".join(lines)
            lines = []
        elif not line.startswith(b"From dev-return-"):
            lines.append(line)
    yield b"".join(lines)


with open(FILE, "rb") as mbox:
    for i, text in enumerate(messages(mbox)):
        where = f"new/{1510000000 + i * 60}.M{i}P7.mail,S={len(text)}" if i % 100 == 99 else \
            f"cur/{1510000000 + i * 60}.M{i}P7.mail,S={len(text)}:2,S"
        with open(f"{FOLDER}/{where}", "wb") as out:
            out.write(text)
