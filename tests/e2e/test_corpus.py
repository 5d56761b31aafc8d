# SPDX-License-Identifier: Apache-2.0
"""Messages of other mail projects, read by us and by other readers.

The corpus has what Dovecot, Cyrus and Python see in each message and what two
test suites expect of theirs.  We differ when two of the readers agree with one
another and not with us, or when we are not what a suite expects.  Where we
mean to, tests/corpus/differs.tsv says why; any other difference fails, and so
does an explanation that is no longer needed.
"""

import base64
import email.header
import email.utils
import json
import os
import pathlib
import re
import subprocess
import tarfile
import xml.etree.ElementTree as xml

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DIFFERS = ROOT / "tests/corpus/differs.tsv"
FIELDS = ("subject", "from", "to", "date", "message_id", "shape", "names",
          "leaves")


def find_corpus():
    named = os.environ.get("EMCLI_CORPUS")
    path = pathlib.Path(named) if named else ROOT.parent / "shared/corpus.tar.xz"
    if not path.exists():
        pytest.skip("no corpus: set EMCLI_CORPUS to corpus.tar.xz")
    return path


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    path = find_corpus()
    if path.is_dir():
        return path
    out = tmp_path_factory.mktemp("corpus")
    with tarfile.open(path) as tar:
        tar.extractall(out)
    return out / "corpus" if (out / "corpus").is_dir() else out


@pytest.fixture(scope="module")
def driver():
    path = ROOT / "build/tests/corpus/read"
    assert path.exists(), "run make readers"
    return path


# What each reader says, in one form.


def words(text):
    """A text for comparing: white space and controls do not count."""
    return " ".join(re.sub(r"[\x00-\x20\x7f-\x9f\xa0]+", " ",
                           text or "").split())


def dense(data):
    """Bytes for comparing: we join flowed lines and others do not."""
    return b"".join(data.split())


def addrs(pairs):
    return tuple(a.strip().lower() for _, a in pairs if a and "@" in a)


def sexp(text):
    """An IMAP list as nested Python lists."""
    stack, i = [[]], 0
    token = re.compile(r'\{(\d+)\}\r?\n?|"((?:[^"\\]|\\.)*)"|[()]|[^\s()"]+')
    while True:
        m = token.search(text, i)
        if m is None:
            return stack[0]
        i = m.end()
        if m[1] is not None:
            stack[-1].append(text[i:i + int(m[1])])
            i += int(m[1])
        elif m[2] is not None:
            stack[-1].append(re.sub(r"\\(.)", r"\1", m[2]))
        elif m[0] == "(":
            stack.append([])
        elif m[0] == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(None if m[0] == "NIL" else m[0])


def imap_shape(b):
    if isinstance(b[0], list):
        return "M(" + ",".join(imap_shape(x) for x in b
                               if isinstance(x, list) and x and
                               (isinstance(x[0], list) or len(x) > 6)) + ")"
    if (b[0] or "").lower() == "message" and len(b) > 8 and \
            isinstance(b[8], list):
        return "E(" + imap_shape(b[8]) + ")"
    return "L"


def from_imap(row):
    found = sexp(row["fetch"])
    items = next(x for x in found if isinstance(x, list))
    get = dict(zip(items[::2], items[1::2]))
    env = get["ENVELOPE"]
    out = {"message_id": (env[9] or "").strip("<> ")}
    if env[1] is None or (env[1].isascii() and "=?" not in env[1]):
        out["subject"] = words(env[1])
    for key, at in (("from", 2), ("to", 5)):
        out[key] = tuple(f"{a[2]}@{a[3]}".lower() for a in env[at] or []
                         if a[2] and a[3])
    out["shape"] = imap_shape(get["BODYSTRUCTURE"])
    return out


def stamp(text):
    try:
        return int(email.utils.parsedate_to_datetime(text).timestamp())
    except (TypeError, ValueError, OverflowError):
        return None


def from_jmap(row):
    p = row.get("parsed")
    if not p:
        return {}
    out = {"subject": words(p["subject"]),
           "message_id": (p["messageId"] or [""])[0]}
    for key in ("from", "to"):
        out[key] = addrs((a["name"], a["email"]) for a in p[key] or [])
    if p["sentAt"]:
        import datetime
        out["date"] = int(datetime.datetime.fromisoformat(
            p["sentAt"].replace("Z", "+00:00")).timestamp())
    return out


def from_python(row):
    if "subject" not in row:
        return {}
    none = lambda s: "" if s == "None" else s
    out = {"subject": words(none(row["subject"])),
           "message_id": none(row["message_id"]).strip().strip("<>")}
    for key in ("from", "to"):
        out[key] = addrs(email.utils.getaddresses([none(row[key])]))
    if none(row["date"]):
        out["date"] = stamp(row["date"])
    out["names"] = [words(a["name"]) for a in row["attachments"] if a["name"]]
    return out


def stalwart_shape(parts, i):
    body = parts[i]["body"]
    if "Multipart" in body:
        return "M(" + ",".join(stalwart_shape(parts, k)
                               for k in body["Multipart"]) + ")"
    if "Message" in body:
        return "E(" + stalwart_shape(body["Message"]["parts"], 0) + ")"
    return "L"


def stalwart_leaves(parts, i):
    body = parts[i]["body"]
    if "Multipart" in body:
        for k in body["Multipart"]:
            yield from stalwart_leaves(parts, k)
    elif "Message" in body:
        yield from stalwart_leaves(body["Message"]["parts"], 0)
    elif "Text" in body or "Html" in body:
        yield (body.get("Text") or body.get("Html") or "").encode()
    else:
        yield bytes(body.get("Binary") or body.get("InlineBinary") or [])


def stalwart_header(part, name):
    found = [h["value"] for h in part["headers"] if h["name"] == name]
    return found[0] if found and isinstance(found[0], dict) else {}


def stalwart_addrs(value):
    a = value.get("Address") or {}
    group = a.get("List") or [m for g in a.get("Group") or []
                              for m in g["addresses"]]
    return addrs((x.get("name"), x.get("address") or "") for x in group)


def stalwart_names(parts, i):
    """The names of a part and of those below, as they are written."""
    body, attrs = parts[i]["body"], {}
    for field, key in (("content_type", "name"),
                       ("content_disposition", "filename")):
        value = stalwart_header(parts[i], field).get("ContentType") or {}
        for a in value.get("attributes") or []:
            if a["name"] == key:
                attrs[key] = a["value"]
    name = attrs.get("filename") or attrs.get("name")
    if name:
        yield name
    if "Multipart" in body:
        for k in body["Multipart"]:
            yield from stalwart_names(parts, k)
    elif "Message" in body:
        yield from stalwart_names(body["Message"]["parts"], 0)


def from_stalwart(file):
    d = json.loads(file.read_text())
    root = d["parts"][0]
    out = {"shape": stalwart_shape(d["parts"], 0),
           "names": [words(n) for n in stalwart_names(d["parts"], 0)],
           "leaves": list(stalwart_leaves(d["parts"], 0))}
    for key in ("from", "to"):
        out[key] = stalwart_addrs(stalwart_header(root, key))
    out["subject"] = words(stalwart_header(root, "subject").get("Text"))
    out["message_id"] = stalwart_header(root, "message_id").get("Text") or ""
    t = stalwart_header(root, "date").get("DateTime")
    if t:
        import calendar
        zone = (t["tz_hour"] * 60 + t["tz_minute"]) * 60
        out["date"] = calendar.timegm(
            (t["year"], t["month"], t["day"], t["hour"], t["minute"],
             t["second"])) + (zone if t["tz_before_gmt"] else -zone)
    return out


def mime4j_shape(node):
    inner = [n for n in node if n.tag in ("multipart", "message", "body",
                                          "text-body", "binary-body")]
    if not inner:
        return "L"
    n = inner[0]
    if n.tag == "multipart":
        return "M(" + ",".join(mime4j_shape(p) for p in n
                               if p.tag == "body-part") + ")"
    if n.tag == "message":
        return "E(" + mime4j_shape(n) + ")"
    return "L"


def from_mime4j(file):
    root = xml.fromstring(file.read_bytes())
    leaves = [(file.parent / n.get("name")).read_bytes()
              for n in root.iter() if n.tag in ("text-body", "binary-body")]
    return {"shape": mime4j_shape(root), "leaves": leaves}


def our_shape(parts, i):
    kids = [k for k in range(len(parts)) if parts[k]["parent"] == i]
    inner = ",".join(our_shape(parts, k) for k in kids)
    return {"multipart": f"M({inner})", "message": f"E({inner})",
            "leaf": "L"}[parts[i]["kind"]]


def from_us(row):
    leaves = [p for p in row["parts"] if p["kind"] == "leaf"]
    return {
        "subject": words(row["subject"]),
        "from": addrs((a["name"], a["addr"]) for a in row["from"]),
        "to": addrs((a["name"], a["addr"]) for a in row["to"]),
        "date": row["date"],
        "message_id": row["message_id"].strip("<>"),
        "shape": our_shape(row["parts"], 0),
        "names": [words(p["name"]) for p in row["parts"] if p["name"]],
        "leaves": [p["text"].encode() if "text" in p
                   else base64.b64decode(p["bytes"]) for p in leaves],
        "raw": [base64.b64decode(p["bytes"]) for p in leaves],
    }


def oracle(corpus, name):
    with open(corpus / f"oracle/{name}.jsonl", encoding="utf-8") as rows:
        return {r["path"]: r for r in map(json.loads, rows)}


def message_list(corpus):
    rows = (corpus / "MANIFEST.tsv").read_text().splitlines()[1:]
    return [r.split("\t")[4] for r in rows if r.split("\t")[1] == "message"]


def expectations(corpus, path):
    file = corpus / path
    if path.startswith("stalwart"):
        file = file.with_suffix(".json")
        return from_stalwart(file) if file.exists() else {}
    if path.startswith("mime4j"):
        file = file.with_name(file.stem + "_decoded.xml")
        return from_mime4j(file) if file.exists() else {}
    return {}


def same(field, ours, theirs, us):
    if field == "names":  # not every reader looks into every part
        return set(theirs) <= set(ours)
    if field != "leaves":
        return ours == theirs
    if len(ours) != len(theirs):
        return False
    return all(dense(t) in (dense(o), dense(r))
               for o, r, t in zip(ours, us["raw"], theirs))


def differences(us, readers, expected):
    for field in FIELDS:
        ours = us[field]
        if field in expected and not same(field, ours, expected[field], us):
            yield field, ours, expected[field], "expected"
            continue
        said = [r[field] for r in readers if field in r]
        for value in said:
            enough = 1 if field == "names" else 2  # only Python tells them
            if said.count(value) >= enough and \
                    not same(field, ours, value, us):
                yield field, ours, value, "readers"
                break


@pytest.fixture(scope="module")
def found(corpus, driver):
    paths = message_list(corpus)
    out = subprocess.run([driver], cwd=corpus, check=True,
                         input="\n".join(paths).encode(),
                         stdout=subprocess.PIPE).stdout
    readers = [(oracle(corpus, name), read) for name, read in (
        ("imap", from_imap), ("jmap", from_jmap), ("python", from_python))]
    diffs = {}
    for line in out.splitlines():
        row = json.loads(line)
        path = row["path"]
        said = [read(rows[path]) for rows, read in readers if path in rows]
        for d in differences(from_us(row), said, expectations(corpus, path)):
            diffs[path, d[0]] = d[1:]
    assert out.count(b"\n") == len(paths)
    return diffs


def explained():
    out = {}
    for row in DIFFERS.read_text().splitlines():
        if row and not row.startswith("#"):
            path, field, why = row.split("\t")
            assert why.strip(), row
            out[path, field] = why
    return out


@pytest.mark.parametrize("field", FIELDS)
def test_we_read_what_others_read(found, field):
    known = explained()
    odd = {k: v for k, v in found.items()
           if k[1] == field and k not in known}
    assert not odd, "\n".join(f"{k[0]}: ours {v[0]!r:.300} {v[2]} {v[1]!r:.300}"
                              for k, v in odd.items())


def test_no_explanation_is_left_over(found):
    left = set(explained()) - set(found)
    assert not left
