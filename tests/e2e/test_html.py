# SPDX-License-Identifier: Apache-2.0
"""HTML mail, read by us and shown by Chromium.

Of ordinary mail both must have the same words.  What we write beyond a browser, the targets of
links and the marks of lists and quotes, is taken off first.  Of pages that
nobody writes we must show no word that cannot be seen there.
"""

import collections
import email
import email.policy
import json
import os
import pathlib
import re
import statistics
import subprocess
import tarfile

import pytest

import htmlmail
import htmlsights
import htmltricks
from oauthlab import node, npm  # noqa: F401  (a fixture)

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAILS = 210
TRICKS = 120
AGREE = 0.98
FASTER = 50


@pytest.fixture(scope="module")
def driver():
    path = ROOT / "build/tests/corpus/html"
    assert path.exists(), "run make readers"
    return path


def html_parts(raw):
    message = email.message_from_bytes(raw, policy=email.policy.compat32)
    for part in message.walk():
        if part.get_content_type() != "text/html" or part.is_multipart():
            continue
        try:
            text = part.get_payload(decode=True).decode(part.get_content_charset() or "utf-8")
        except (LookupError, UnicodeDecodeError, AttributeError):
            continue
        # What a browser takes for words of its own, our room does not see.
        if text.strip() and "\0" not in text:
            yield text


def found_mails(tmp_path):
    """The HTML parts of other people's mail, where there are any."""
    named = os.environ.get("EMCLI_CORPUS")
    path = pathlib.Path(named) if named else ROOT.parent / "shared/corpus.tar.xz"
    files = sorted((ROOT / "tests/mail").glob("*.eml"))
    if path.is_file():
        with tarfile.open(path) as tar:
            tar.extractall(tmp_path / "corpus")
        path = tmp_path / "corpus"
    if path.is_dir():
        files += sorted(p for p in path.rglob("*") if p.is_file())
    for file in files:
        try:
            parts = list(html_parts(file.read_bytes()))
        except (ValueError, LookupError):
            continue
        for i, text in enumerate(parts):
            yield f"found-{file.name}-{i}", text


def tokens(text):
    return collections.Counter(text.casefold().split())


def ours(row):
    text = row["text"]
    for url in sorted(set(row["links"]), key=len, reverse=True):
        if url:
            text = text.replace(f" <{url}>", "").replace(f"<{url}>", "")
    lines = [re.sub(r"^(?:> )*(?: *- )?", "", line) for line in text.split("\n")]
    return tokens("\n".join(lines))


def agreement(x, y):
    """Of all words on either side, how many are on both."""
    total = max(sum(x.values()), sum(y.values()))
    return sum((x & y).values()) / total if total else 1.0


@pytest.fixture(scope="module")
def readings(driver, npm, tmp_path_factory):  # noqa: F811
    tmp = tmp_path_factory.mktemp("html")
    paths = []
    for name, html in [*htmlmail.make(MAILS), *found_mails(tmp)]:
        path = tmp / f"{re.sub('[^A-Za-z0-9.-]', '_', name)}.html"
        path.write_text(html, encoding="utf-8", errors="replace", newline="")
        paths.append(str(path))
    (tmp / "list").write_text("\n".join(paths) + "\n")
    mine = subprocess.run([driver], input="\n".join(paths).encode() + b"\n", check=True,
                          stdout=subprocess.PIPE, timeout=120).stdout
    theirs = subprocess.run([node(), "render.mjs", tmp / "list"], cwd=npm, check=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=600).stdout
    a = [json.loads(line) for line in mine.decode().splitlines()]
    b = [json.loads(line) for line in theirs.decode().splitlines()]
    assert [r["path"] for r in a] == [r["path"] for r in b] == paths
    return list(zip(a, b))


def test_the_words_are_the_browsers(readings):
    scores = [(agreement(ours(a), tokens(b["text"])), a, b) for a, b in readings]
    scores.sort(key=lambda s: s[0])
    mean = statistics.mean(s for s, _, _ in scores)
    print(f"{len(scores)} mails, mean agreement {mean:.4f}, worst "
          + ", ".join(f"{pathlib.Path(a['path']).name} {s:.3f}" for s, a, _ in scores[:5]))
    for s, a, b in scores[:3]:
        x, y = ours(a), tokens(b["text"])
        print(pathlib.Path(a["path"]).name, s, "ours:", dict(list((x - y).items())[:12]),
              "theirs:", dict(list((y - x).items())[:12]), "hidden:", a["hidden"])
    assert len(scores) >= 200
    assert mean >= AGREE


def test_what_is_made_here_agrees_one_by_one(readings):
    bad = [(pathlib.Path(a["path"]).name, agreement(ours(a), tokens(b["text"])))
           for a, b in readings if "found-" not in a["path"]]
    assert [x for x in bad if x[1] < 0.95] == []


def test_it_takes_a_fiftieth_of_the_time(readings):
    mine = statistics.mean(a["us"] for a, _ in readings) / 1000
    theirs = statistics.mean(b["ms"] for _, b in readings)
    print(f"ours {mine:.3f} ms, Chromium {theirs:.2f} ms a mail: {theirs / mine:.0f} times")
    assert theirs >= FASTER * mine


def rgba(text):
    parts = [float(x) for x in re.findall(r"[\d.]+(?:e-?\d+)?", text)]
    return parts if len(parts) == 4 else [*parts, 1.0]


def is_seen(t):
    """Whether a person would; None when that is hard to say."""
    ink, ground = rgba(t["ink"]), rgba(t["ground"])
    if t["width"] == 0 or t["height"] == 0 or not t["visible"] or t["font"] < 2.9 or ink[3] < 0.03 or t["opacity"] < 0.05:
        return False
    if t["right"] <= 0 or t["bottom"] <= 0:
        return False
    if t["picture"] or ground[3] < 1:
        return None
    return max(abs(ink[i] - ground[i]) for i in range(3)) > 5


def tricks(tmp, driver, npm, seeds):
    paths = []
    for seed in seeds:
        path = tmp / f"{seed}.html"
        path.write_text(htmltricks.make(seed), encoding="utf-8")
        paths.append(str(path))
    (tmp / "list").write_text("\n".join(paths) + "\n")
    mine = subprocess.run([driver], input="\n".join(paths).encode() + b"\n", check=True,
                          stdout=subprocess.PIPE, timeout=120).stdout
    theirs = subprocess.run([node(), "seen.mjs", tmp / "list"], cwd=npm, check=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=600).stdout
    rows = zip(map(json.loads, mine.decode().splitlines()), map(json.loads, theirs.decode().splitlines()))
    shown = leaked = lost = 0
    report = []
    for a, b in rows:
        words = set(re.findall(r"tok\d+q", a["text"]))
        leaks, misses = [], []
        for t in b["texts"]:
            for w in re.findall(r"tok\d+q", t["words"]):
                seen = is_seen(t)
                shown += w in words
                if seen is False and w in words:
                    leaks.append((w, t))
                if seen and w not in words and not sum(a["hidden"]):
                    misses.append((w, t))
        leaked += len(leaks)
        lost += len(misses)
        for kind, l in ("shown", leaks), ("lost", misses):
            if l:
                report.append((kind, a["path"], htmltricks.make(int(pathlib.Path(a["path"]).stem)), l[0]))
    return shown, leaked, lost, report


def test_nothing_unseen_is_shown_of_pages_nobody_writes(driver, npm, tmp_path):  # noqa: F811
    shown, leaked, lost, report = tricks(tmp_path, driver, npm, range(TRICKS))
    print(f"{TRICKS} pages: {shown} words shown, {leaked} that cannot be seen, {lost} lost without a word")
    assert shown > 500
    assert report == []


def test_what_is_drawn_is_read(driver, tmp_path):
    paths = htmlsights.write(tmp_path)
    mine = subprocess.run([driver], input="".join(f"{p}\n" for p in paths).encode(), check=True,
                          stdout=subprocess.PIPE, timeout=120).stdout.decode().splitlines()
    bad = []
    for name, a, drawn in zip(htmlsights.ROWS, map(json.loads, mine), htmlsights.drawn(paths),
                              strict=True):
        read, warned = "MMMM" in a["text"], sum(a["hidden"]) > 0
        if read != drawn and not (name.endswith("?") and warned):
            bad.append((name, "drawn" if drawn else "not drawn", "read" if read else "not read",
                        a["hidden"]))
        elif not read and not warned:
            bad.append((name, "left out without a word"))
    for row in bad:
        print(*row)
    assert bad == []
