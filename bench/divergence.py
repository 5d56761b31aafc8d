#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How well it is told that the two texts of a message say different things.

divergence.py DRIVER DIR [MAILS]: of the messages in DIR with a plain text and an
HTML text, how many are called divergent as they are; and of those that are not,
how often one fact changed in one of the texts is told of.  What is changed is
said in both texts, in the same words; what, where and to what is drawn with a
seed.
"""

import collections
import functools
import hashlib
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

SEEDS = 2
NOT = {
    "en": (r"\b(?:not|never|cannot|don't|can't|won't|isn't|doesn't|didn't)\b", {"not": "", "never": "", "cannot": "can"},
           r"\b(is|are|was|will|can|may|must|should|do|have|has)\b", r"\1 not"),
    "de": (r"\b(?:nicht|kein|keine|keinen|nie)\b", {"kein": "ein", "keine": "eine", "keinen": "einen"},
           r"\b(ist|sind|wird|werden|kann|können|haben|hat)\b", r"\1 nicht"),
    "fr": (r"\b(?:pas|jamais|aucun|aucune)\b", {}, r"\b(est|sont|peut|pouvez|avez)\b", r"\1 pas"),
    "es": (r"\b(?:no|nunca|sin)\b", {}, r"\b(es|está|puede|tiene|será)\b", r"no \1"),
    "pt": (r"\b(?:não|nunca|sem)\b", {}, r"\b(é|está|pode|tem|será)\b", r"não \1"),
    "it": (r"\b(?:non|mai|senza)\b", {}, r"\b(è|sono|può|ha|sarà)\b", r"non \1"),
    "nl": (r"\b(?:niet|geen|nooit)\b", {}, r"\b(is|zijn|wordt|kan|kunt)\b", r"\1 niet"),
    "ru": (r"\bне\b", {}, r"\b(может|будет|можно|есть)\b", r"не \1"),
    "ja": (r"ません|ない", {"ません": "ます", "ない": "る"}, r"(?<=[ぁ-ん一-龥])ます", "ません"),
    "zh": (r"[不没未]", {}, r"[会能是]", r"不\g<0>"),
}
SIGNS = {
    "en": "the and of to you for your with", "de": "der die und sie für ihre mit ist", "fr": "le les et vous pour votre des est",
    "es": "el los que para su con una por", "pt": "você para não com uma seu os", "it": "il che per di una sono gli",
    "nl": "de het een van voor uw met", "ru": "и в на не с что по",
}
NAMES = "Mallory Ivanov Okafor Lindqvist Tanaka Moreau Ferreira Kowalski".split()
DATES = ["January February March April May June July August September October November December".split(),
         "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
         "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),
         "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag".split(),
         "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(),
         "lundi mardi mercredi jeudi vendredi samedi dimanche".split(),
         "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(),
         "lunes martes miércoles jueves viernes sábado domingo".split(),
         "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split()]
MONEY = r"(?:[$€£¥]|\b(?:USD|EUR|GBP|R\$|CHF) ?)\d[\d.,]*\d|\d[\d.,]* ?(?:€|EUR\b|USD\b|euros?\b|dollars?\b|円)"
SENTENCE = re.compile(r"(?:(?<=[.!?。] )|(?<=\n)|^)([^\n.!?。][^.!?。]{25,220}?[.!?。])(?=\s|$)")
FORBIDDEN = re.compile(r"[<>@]|://|www\.")


def language(text):
    if re.search("[ぁ-ん]", text):
        return "ja"
    if len(re.findall("[一-龥]", text)) > 20:
        return "zh"
    words = collections.Counter(re.findall(r"\w+", text.casefold()))
    scored = {k: sum(words[w] for w in v.split()) for k, v in SIGNS.items()}
    best = max(scored, key=scored.get)
    return best if scored[best] >= 3 else None


@functools.lru_cache(maxsize=64)
def flat(text):
    """The words of a text in a row, without the targets of links."""
    return " " + " ".join(re.findall(r"\w+", re.sub(r"<\S+>", " ", text).casefold())) + " "


def around(text, m, n=2):
    """Is what is about the match said in the same words in the other text?"""
    before = re.findall(r"\w+", text[max(0, m.start() - 80):m.start()].casefold())[-n:]
    after = re.findall(r"\w+", text[m.end():m.end() + 80].casefold())[:n]
    return before, re.findall(r"\w+", m.group(0).casefold()), after


def is_shared(text, m, other):
    before, what, after = around(text, m)
    if len(before) + len(after) < 3:
        return False
    if re.search("[ぁ-ん一-龥]", m.group(0)):
        return text[max(0, m.start() - 3):m.end() + 3].strip() in other
    return " " + " ".join([*before, *what, *after]) + " " in flat(other)


def sites(pattern, text, other, flags=0):
    return [m for m in re.finditer(pattern, text, flags)
            if not re.search(r"(?:<|://|www\.|@)\S*$", text[max(0, m.start() - 300):m.end()]) and is_shared(text, m, other)]


def put(text, m, new):
    return text[:m.start()] + new + text[m.end():]


def digit(r, s):
    at = r.choice([i for i, c in enumerate(s) if c.isdigit()])
    return s[:at] + r.choice([d for d in "123456789" if d != s[at]]) + s[at + 1:]


def change_not_dropped(r, text, other, lang, _):
    found = sites(NOT[lang][0], text, other, re.I) if lang in NOT else []
    if not found:
        return None
    m = r.choice(found)
    word = m.group(0)
    return put(text, m, NOT[lang][1].get(word.lower(), word[:-3] if word.endswith("n't") else ""))


def change_not_added(r, text, other, lang, _):
    found = sites(NOT[lang][2], text, other) if lang in NOT else []
    found = [m for m in found if not re.match(r"\s+(?:not|nicht|pas|niet)\b|n't", text[m.end():])]
    if not found:
        return None
    m = r.choice(found)
    return put(text, m, m.expand(NOT[lang][3]))


def change_amount(r, text, other, *_):
    found = sites(MONEY, text, other)
    if not found:
        return None
    m = r.choice(found)
    return put(text, m, digit(r, m.group(0)))


def change_number(r, text, other, *_):
    """An account, a telephone number, an order: six digits and more."""
    found = sites(r"(?<![\w/=&?])\+?[A-Z]{0,2}\d(?:[ ()-]?\d){5,25}(?![\w/=&])", text, other)
    if not found:
        return None
    m = r.choice(found)
    return put(text, m, digit(r, m.group(0)))


def change_name(r, text, other, *_):
    found = [m for m in sites(r"(?<=[a-zà-ÿ,] )[A-ZÀ-Þ][a-zà-ÿ]{2,}(?![\w'’])", text, other)
             if not re.search(rf"\b{m.group(0).lower()}\b", text) and not re.search(rf"\b{m.group(0).lower()}\b", other)]
    if not found:
        return None
    m = r.choice(found)
    return put(text, m, r.choice([n for n in NAMES if n != m.group(0)]))


def change_date(r, text, other, *_):
    names = {w: row for row in DATES for w in row}
    found = sites(r"\b(?:" + "|".join(names) + r")\b", text, other)
    dates = sites(r"\b\d{1,4}[./-]\d{1,2}[./-]\d{2,4}\b|\b\d{1,2}:\d\d\b|\d{1,2}[月日]", text, other)
    if not found + dates:
        return None
    m = r.choice(found + dates)
    if m.group(0) in names:
        return put(text, m, r.choice([w for w in names[m.group(0)] if w != m.group(0)]))
    return put(text, m, digit(r, m.group(0)))


def places(pattern, text, other, begins):
    """Places that both texts name; the text about them begins with `begins`."""
    return [m for m in re.finditer(pattern, text) if m.group(0).lower() in other.lower()
            and re.search(begins + "$", re.search(r"\S*$", text[max(0, m.start() - 300):m.start()]).group(0))]


def change_address(r, text, other, *_):
    mail = r"[\w.+-]+@([\w-]+)\.[\w.-]*\w"
    theirs = {m.group(0).lower() for m in places(mail, other, text, r"^(?:\W*|\W*mailto:)")}
    found = [m for m in places(mail, text, other, r"^(?:\W*|\W*mailto:)") if m.group(0).lower() in theirs]
    if not found:
        return None
    m = r.choice(found)
    host = m.group(1)
    return put(text, m, m.group(0).replace("@" + host, "@" + host + r.choice(["-mail", "-pay", "s", "group"]), 1))


def change_host(r, text, other, *_):
    found = places(r"(?:[\w-]+\.)+[a-z]{2,}", text, other, r"^\W*https?://")
    found = [m for m in found if is_said_alike(text, m, other)]
    if not found:
        return None
    m = r.choice(found)
    parts = m.group(0).split(".")
    parts[-2] += r.choice(["-login", "-secure", "pay"])
    return put(text, m, ".".join(parts))


def is_said_alike(text, m, other):
    """Has the other text that link after the same words?"""
    before = re.findall(r"\w+", re.sub(r"<?https?://\S+", " ", text[max(0, m.start() - 300):m.start() - 8]))[-2:]
    return len(before) == 2 and re.search(r"\W+".join(map(re.escape, before)) + r"[^\w<]*<?https?://" +
                                          re.escape(m.group(0)), other) is not None


def shared_sentences(text, other):
    whole = flat(other)
    return [m for m in SENTENCE.finditer(text) if not FORBIDDEN.search(m.group(1))
            and len(re.findall(r"\w+", m.group(1))) >= 5 and flat(m.group(1)) in whole]


def change_sentence_dropped(r, text, other, *_):
    found = shared_sentences(text, other)
    if not found:
        return None
    m = r.choice(found)
    return text[:m.start(1)] + text[m.end(1):].lstrip(" ")


def change_sentence_added(r, text, other, lang, foreign):
    found = shared_sentences(text, other)
    if not found or not foreign.get(lang):
        return None
    m, new = r.choice(found), r.choice(foreign[lang])
    return text[:m.end(1)] + " " + new + text[m.end(1):]


KINDS = [change_not_dropped, change_not_added, change_amount, change_number, change_name, change_date,
         change_address, change_host, change_sentence_added, change_sentence_dropped]


def verdicts(driver, pairs):
    with tempfile.TemporaryDirectory() as tmp:
        paths = []
        for i, (plain, html) in enumerate(pairs):
            path = pathlib.Path(tmp) / str(i)
            path.write_bytes((plain.replace("\0", "") + "\0" + html.replace("\0", "")).encode("utf-8", "replace"))
            paths.append(str(path))
        out = subprocess.run([driver, "--pairs"], input="".join(p + "\n" for p in paths).encode(),
                             stdout=subprocess.PIPE, check=True).stdout
    rows = out.decode().split("\n")[:-1]
    assert len(rows) == len(pairs)
    return rows


def texts(driver, folder, most):
    paths = sorted(str(p) for p in pathlib.Path(folder).rglob("*") if p.is_file() and p.suffix != ".html")
    out = subprocess.run([driver, "--messages"], input="".join(p + "\n" for p in paths).encode(),
                         stdout=subprocess.PIPE, check=True).stdout
    known, found = set(), []
    for line in out.split(b"\n")[:-1]:
        row = json.loads(line)
        key = hashlib.sha256((row["plain"] + "\0" + row["html"]).encode("utf-8", "replace")).digest()
        if row["both"] and key not in known:
            known.add(key)
            found.append((pathlib.Path(row["path"]).name, row["plain"], row["html"]))
    return sorted(random.Random(1).sample(found, most)) if most and len(found) > most else found


def changed(quiet):
    """(kind, language, side, mail, plain, HTML) for each fact that is changed."""
    foreign = collections.defaultdict(list)
    for _, plain, html in quiet:
        foreign[language(plain)] += [m.group(1) for m in shared_sentences(plain, html)
                                     if len(re.findall(r"\w+", m.group(1))) >= 6]
    for name, plain, html in quiet:
        lang = language(plain)
        others = {lang: [s for s in foreign[lang] if s not in plain]}
        for kind in KINDS:
            for side in 0, 1:
                for seed in range(SEEDS):
                    r = random.Random(f"{name} {kind.__name__} {side} {seed}")
                    both = [plain, html]
                    new = kind(r, both[side], both[1 - side], lang, others)
                    if new is not None and new != both[side]:
                        both[side] = new
                        yield kind.__name__[7:], lang, side, name, *both


def main():
    driver, folder = sys.argv[1], sys.argv[2]
    pairs = texts(driver, folder, int(sys.argv[3]) if len(sys.argv) > 3 else 0)
    told = verdicts(driver, [p[1:] for p in pairs])
    flagged = [p[0] for p, v in zip(pairs, told) if v == "meaning"]
    print(f"{len(pairs)} messages with both texts, {len(flagged)} called divergent: "
          f"{100 * len(flagged) / max(1, len(pairs)):.1f} %")
    for name in flagged[:40]:
        print(f"    {name}")
    rows = list(changed([p for p, v in zip(pairs, told) if v != "meaning"]))
    caught = verdicts(driver, [r[4:] for r in rows])
    by, languages = collections.defaultdict(lambda: [0, 0]), collections.defaultdict(lambda: [0, 0])
    for (kind, lang, side, name, *_), v in zip(rows, caught):
        for table, key in (by, (kind, side)), (by, ("all", side)), (languages, lang):
            table[key][0] += v == "meaning"
            table[key][1] += 1
    print(f"{'changed':18} {'plain text':>16} {'HTML':>16}")
    for kind in [*(k.__name__[7:] for k in KINDS), "all"]:
        cells = [by[kind, side] for side in (0, 1)]
        print(f"{kind.replace('_', ' '):18}", *(f"{c:5} of {n:4} {100 * c / n if n else 0:4.0f}%" for c, n in cells))
    c, n = (sum(by["all", side][i] for side in (0, 1)) for i in (0, 1))
    print(f"facts caught: {c} of {n}, {100 * c / max(1, n):.1f} %; by language:",
          ", ".join(f"{k} {100 * c / n:.0f} % of {n}" for k, (c, n) in sorted(languages.items(), key=lambda x: -x[1][1])))
    if len(sys.argv) > 4:
        with open(sys.argv[4], "w", encoding="utf-8") as out:
            for r, v in zip(rows, caught):
                if v != "meaning":
                    out.write(json.dumps(r) + "\n")


if __name__ == "__main__":
    main()
