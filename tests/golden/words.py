# SPDX-License-Identifier: Apache-2.0
"""Fixed words in place of what differs between two runs of one program."""

import base64
import calendar
import json
import re
import time

DAY = 86400

# Whatever is dated from the begin of the run on was made by it.  All mail that
# the scenes write is years older, and its dates are kept.
BEGAN = time.time() - 60
STAMP = re.compile(r"\b(20\d\d-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::\d\d)?(?:\.\d+)?"
                   r"(?:Z|[+-]\d\d:?\d\d)?)?")
MAILED = re.compile(r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), +(\d+ \w{3} 20\d\d \d\d:\d\d):\d\d "
                    r"(?:[+-]\d{4}|GMT)")
EPOCH = re.compile(r"(?<!\d)([12]\d{9})(\d{3})?(?!\d)")

PLAIN = [
    (re.compile(r"\b\d+ seconds? ago"), "<n> seconds ago"),
    # What a question asks for, so that nobody answers by chance.
    (re.compile(r"(?<=, type )[a-z]{6}(?=;)|(?<=does not: )[a-z]{6}\b"), "<word>"),
    # Where a browser is sent back to.
    (re.compile(r"(?<=127\.0\.0\.1%3A)\d+|(?<=localhost%3A)\d+"), "<port>"),
    # A session's process, and the column of a table, which is as wide as it.
    (re.compile(r'(?<="pid":)\d+'), "1"),
    (re.compile(r"(?<= running  )\d+(?=  )"), "<pid>"),
    (re.compile(r"(?<= PID) +(?=ACCOUNT\b)"), "  "),
    (re.compile(r"\b\d+ MiB are free"), "<n> MiB are free"),
    # How long something took, in replies and in the audit log.
    (re.compile(r'(\\*"ms\\*":)\d+'), r"\g<1>0"),
    # A file that was delivered to a Maildir, by its time, process and chance.
    (re.compile(r"\b\d{10}\.M\d+P\d+R[0-9a-f]{16}\b"), "<file>"),
    # A home, a session, a message: by the moment and chance.
    (re.compile(r"\b20\d{6}-?T?\d{6}Z-[0-9a-f]{8,32}\b"), "<moment>-<hex>"),
    (re.compile(r"\b20\d{6}-\d{6}Z-[0-9a-f]{8}\b"), "<moment>-<hex>"),
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"), "<uuid>"),
    (re.compile(r"(?:(?<![0-9a-f])|(?<=:b))[0-9a-f]{64}(?![0-9a-f])"), "<hash>"),
    (re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])"), "<hex>"),
    (re.compile(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{43}=(?![A-Za-z0-9+/=])"), "<key>"),
    (re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])"), "<token>"),
]


def is_ours(text, form):
    """As UTC, which scenes have for their zone."""
    try:
        when = calendar.timegm(time.strptime(text, form))
    except ValueError:
        return False
    return when >= BEGAN // 60 * 60 - (DAY if form == "%Y-%m-%d" else 0)


def stamp(m):
    if m[2] is None:
        return "<day>" if is_ours(m[1], "%Y-%m-%d") else m[0]
    return "<time>" if is_ours(f"{m[1]} {m[2]}", "%Y-%m-%d %H:%M") else m[0]


def mailed(m):
    return "<date>" if is_ours(m[1], "%d %b %Y %H:%M") else m[0]


def epoch(m):
    """A number stays one, so that JSON stays JSON."""
    if int(m[1]) < BEGAN:
        return m[0]
    return "1" * len(m[0])


def fixed(text, known):
    """text in fixed words; known is a list of (what, word) of this run."""
    for what, word in known:
        text = text.replace(what, word)
    text = STAMP.sub(stamp, text)
    text = MAILED.sub(mailed, text)
    for pattern, word in PLAIN:
        text = pattern.sub(word, text)
    return EPOCH.sub(epoch, text)


def decoded(data):
    """Bytes as text: what is not UTF-8 is escaped."""
    return data.decode("utf-8", "backslashreplace")


def indented(text):
    """(JSON a member a line, True), when that loses nothing; else (text, False)."""
    try:
        value = json.loads(text)
    except ValueError:
        return text, False
    for ascii in False, True:
        line = json.dumps(value, separators=(",", ":"), ensure_ascii=ascii)
        if isinstance(value, (dict, list)) and text in (line, line + "\n"):
            return json.dumps(value, indent=1, ensure_ascii=ascii) + "\n", True
    return text, False


def block(name, data, known):
    """One stream of an observation; "json" is one line written as many."""
    text = fixed(decoded(data), known)
    if not text:
        return ""
    shown, is_json = indented(text)
    if is_json:
        end = "" if text.endswith("\n") else " without its end"
        return f"-- {name}, one line of JSON{end}\n{shown}"
    if not text.endswith("\n"):
        shown += "\n-- (no newline)\n"
    return f"-- {name}\n{shown}"


def key(seed):
    """A key that is the same in every run."""
    return base64.b64encode(bytes([seed]) * 32).decode()
