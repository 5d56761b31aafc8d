# SPDX-License-Identifier: Apache-2.0
"""Our threads beside a server's: RFC 5256 without its merging by subject."""

import pathlib
import random
import subprocess

import pytest

import cli

# "id<reference,reference~answered"; "-" is no id.
CASES = {
    "answers": "a b<a c<a,b d~c e",
    "backwards": "d<c c<b b<a a x",
    "gaps": "c<a,b d<a,b,x e<y f<y",
    "parents alone": "a b<a c<b d<c e~d f~e",
    "two halves": "b<a d<c e<a,b,c,d",
    "claimed later": "x a c<x,a",
    "claimed before": "c<x,a a x",
    "answers that move": "a b c<b d<a,c",
    "circles": "a<b b<a c<c d<d,a",
    "no id": "a -<a - -~a",
}


def tangle(seed, n=150):
    """Honest chains, cut ones, wrong ones, and ids nobody has."""
    r = random.Random(seed)
    chains, words = {}, []
    for i in range(n):
        kind = r.random()
        refs = []
        if chains and kind < 0.75:
            up = r.choice(list(chains))
            refs = chains[up] + [up]
            if kind < 0.2:
                refs = refs[-1:]
            elif kind < 0.35:
                refs = [x for x in refs if r.random() < 0.7] or refs[-1:]
            elif kind < 0.4:
                refs = refs[:-1] + [f"lost{r.randrange(9)}"]
        name = f"m{i}"
        chains[name] = refs
        words.append(name + ("~" + refs[-1] if refs and r.random() < 0.2
                             else "<" + ",".join(refs) if refs else ""))
    # Mail does not always come in the order it was written.
    for _ in range(n // 10):
        i = r.randrange(n - 5)
        words.insert(i, words.pop(i + r.randrange(5)))
    return " ".join(words)


def messages(text):
    for i, word in enumerate(text.split()):
        head, _, answered = word.partition("~")
        name, _, refs = head.partition("<")
        lines = [f"Subject: s{i}", f"Date: Sun, 21 Jun 2026 {i // 60:02}:{i % 60:02}:00 +0000",
                 "From: a@lab.example"]
        if name != "-":
            lines.append(f"Message-ID: <{name}@lab.example>")
        if refs:
            lines.append("References: " + " ".join(
                f"<{x}@lab.example>" for x in refs.split(",")))
        if answered:
            lines.append(f"In-Reply-To: <{answered}@lab.example>")
        yield ("\r\n".join(lines) + "\r\n\r\nx\r\n").encode()


def groups(data):
    """The sets of numbers of a THREAD response, RFC 5256 section 4."""
    out, depth, word = [], 0, ""
    for c in data.decode() + " ":
        if word and not c.isdigit():
            out[-1].add(int(word))
            word = ""
        if c == "(":
            depth += 1
            if depth == 1:
                out.append(set())
        elif c == ")":
            depth -= 1
        elif c.isdigit():
            word += c
    return sorted(map(sorted, out))


@pytest.mark.parametrize("text", [*CASES.values(), *map(tangle, range(4))],
                         ids=[*CASES, *(f"tangle{i}" for i in range(4))])
def test_the_server_sees_the_same_threads(dovecot, tmp_path, text):
    ours = cli.built(sanitizers=True).parent / "tests/conform/thread"
    assert ours.exists(), "run make conform, with the SAN of the program"
    c = dovecot.client("agent")
    files = []
    for i, raw in enumerate(messages(text)):
        files.append(tmp_path / f"{i:04}.eml")
        files[-1].write_bytes(raw)
        assert c.append("INBOX", "", None, raw)[0] == "OK"
    c.select("INBOX", readonly=True)
    # REFS is REFERENCES without the steps that look at subjects.
    kind, data = c.thread("REFS", "UTF-8", "ALL")
    assert kind == "OK"
    c.logout()
    done = subprocess.run([ours, *files], check=True, capture_output=True)
    got = sorted(sorted(map(int, line.split()))
                 for line in done.stdout.decode().splitlines())
    assert got == groups(data[0])
