# SPDX-License-Identifier: Apache-2.0
"""
tools/contents: the list of a release by SPDX 2.3, of files made here.  tests/release looks at
the list of a whole one.
"""

import hashlib
import io
import json
import pathlib
import re
import subprocess
import tarfile
import zipfile

import pytest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/contents"
EPOCH = "1790000000"
LINKED = "libssl-dev 3.0.19-1~deb12u2 amd64 openssl 3.0.19-1~deb12u2\n" \
    "libidn2-dev 2.3.3-1+b1 amd64 libidn2 2.3.3-1\n"
SOURCE = {"emcli-9.1/README.md": b"read me", "emcli-9.1/src/main.c": b"int main(void);"}


def run(*argv):
    return subprocess.run([TOOL, *argv], capture_output=True, text=True, timeout=60,
                          env={"PATH": "/usr/bin:/bin", "SOURCE_DATE_EPOCH": EPOCH})


def tarred(files, mode="w"):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode) as t:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            t.addfile(member, io.BytesIO(data))
    return file.getvalue()


@pytest.fixture
def release(tmp_path):
    """A release in small: OUT, and WORK with what the other commands print."""
    out, work, deb = tmp_path / "out", tmp_path / "work", tmp_path / "deb"
    for folder in out, work, deb / "DEBIAN", deb / "usr/bin":
        folder.mkdir(parents=True)
    (out / "emcli-9.1.tar.gz").write_bytes(tarred(SOURCE, "w:gz"))
    (out / "emcli-9.1-image-amd64.tar").write_bytes(tarred({
        "0.tar": tarred({"usr/bin/emcli": b"a program"}), "manifest.json": b"[]"}))
    with zipfile.ZipFile(out / "emcli-9.1-linux-x86_64.mcpb", "w") as z:
        z.writestr("server/emcli", b"a program")
    (deb / "usr/bin/emcli").write_bytes(b"another")
    (deb / "DEBIAN/control").write_text("Package: emcli\nVersion: 9.1\nArchitecture: amd64\n"
                                        "Maintainer: x <x@lab.example>\nDescription: x\n"
                                        "Depends: libc6 (>= 2.36), gcc, notalib (= 3)\n")
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", deb, out / "emcli_9.1_amd64.deb"],
                   check=True, stdout=subprocess.DEVNULL, timeout=60)
    (out / "emcli_9.1.dsc").write_text("Format: 3.0\n")
    (work / "x86_64.linked").write_text(LINKED)
    (work / "deb.linked").write_text("libc6 2.36-9 amd64 glibc 2.36-9\n")
    return tmp_path


def listed(release):
    r = run("list", "9.1", str(release / "out"), str(release / "work"))
    assert r.returncode == 0, r.stderr
    return r.stdout


def related(spdx, kind):
    return {(k["spdxElementId"], k["relatedSpdxElement"]) for k in spdx["relationships"]
            if k["relationshipType"] == kind}


def test_the_list_is_whole(release):
    """By the standard's rules: what is required, that ids are one's own, that all refer to some."""
    text = listed(release)
    assert text == listed(release)
    spdx = json.loads(text)
    assert spdx["spdxVersion"] == "SPDX-2.3" and spdx["dataLicense"] == "CC0-1.0"
    assert spdx["documentNamespace"].startswith("urn:uuid:") and spdx["name"] == "emcli-9.1"
    assert spdx["creationInfo"]["created"] == "2026-09-21T14:13:20Z"
    ids = [e["SPDXID"] for e in [spdx, *spdx["packages"], *spdx["files"]]]
    assert len(ids) == len(set(ids)) and all(re.fullmatch(r"SPDXRef-[a-zA-Z0-9.-]+", i) for i in ids)
    assert {e for k in spdx["relationships"] for e in
            (k["spdxElementId"], k["relatedSpdxElement"])} <= set(ids)
    packages = {p["SPDXID"]: p for p in spdx["packages"]}
    for p in packages.values():
        assert p["downloadLocation"] == "NOASSERTION" and p["licenseConcluded"] and p["name"]
        assert p["filesAnalyzed"] == ("packageVerificationCode" in p)
    described = {other for _, other in related(spdx, "DESCRIBES")}
    assert {packages[i]["packageFileName"] for i in described} == \
        {path.name for path in (release / "out").iterdir()}


def test_what_is_in_a_file(release):
    spdx = json.loads(listed(release))
    files = {f["SPDXID"]: f for f in spdx["files"]}
    source, = [p for p in spdx["packages"] if p["name"] == "emcli-9.1.tar.gz"]
    inside = [files[f] for p, f in related(spdx, "CONTAINS") if p == source["SPDXID"]]
    assert {f["fileName"]: [c["checksumValue"] for c in f["checksums"]] for f in inside} == {
        f"./{name}": [hashlib.sha1(data).hexdigest(), hashlib.sha256(data).hexdigest()]
        for name, data in SOURCE.items()}
    digests = "".join(sorted(hashlib.sha1(data).hexdigest() for data in SOURCE.values()))
    assert source["packageVerificationCode"]["packageVerificationCodeValue"] == \
        hashlib.sha1(digests.encode()).hexdigest()
    assert sorted(f["fileName"] for f in files.values()) == sorted([
        *(f"./{name}" for name in SOURCE), "./server/emcli", "./usr/bin/emcli", "./usr/bin/emcli"])


def test_the_libraries_in_a_program(release):
    spdx = json.loads(listed(release))
    packages = {p["SPDXID"]: p for p in spdx["packages"]}

    def libraries(kind):
        return {(packages[p]["name"], packages[lib]["name"]) for p, lib in related(spdx, kind)}
    bundle, deb = "emcli-9.1-linux-x86_64.mcpb", "emcli_9.1_amd64.deb"
    assert libraries("STATIC_LINK") == {(name, library) for library in ("libssl-dev", "libidn2-dev")
                                        for name in (bundle, "emcli-9.1-image-amd64.tar")}
    assert libraries("DYNAMIC_LINK") == {(deb, "libc6")}
    by_name = {p["name"]: p for p in packages.values()}
    assert by_name[bundle]["licenseConcluded"] == \
        "Apache-2.0 AND (LGPL-3.0-or-later OR GPL-2.0-or-later)"
    assert by_name[deb]["licenseConcluded"] == "Apache-2.0"
    assert by_name["libssl-dev"]["versionInfo"] == "3.0.19-1~deb12u2"
    assert by_name["libidn2-dev"]["sourceInfo"].endswith("libidn2 2.3.3-1")


def test_a_library_whose_licence_nobody_wrote_down_is_refused(release):
    (release / "work/x86_64.linked").write_text("libnew-dev 1 amd64 new 1\n")
    r = run("list", "9.1", str(release / "out"), str(release / "work"))
    assert r.returncode == 1 and r.stdout == "" and "no licence of new is known" in r.stderr


def test_the_packages_that_archives_are_from(tmp_path):
    """As tools/install put them there; the licences come along."""
    path = subprocess.run(["gcc", "-print-file-name=libssl.a"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()
    (tmp_path / "archives").write_text(f"{path} 1 2\n{path} 1 2\n")
    r = run("linked", str(tmp_path / "archives"), str(tmp_path / "licences"))
    assert r.returncode == 0, r.stderr
    name, version, *_, source, _ = r.stdout.split()
    assert (name, source, r.stdout.count("\n")) == ("libssl-dev", "openssl", 1)
    assert "Apache" in (tmp_path / "licences/openssl").read_text()
    assert (tmp_path / "licences/common/Apache-2.0").exists()
    assert version in (tmp_path / "licences/README").read_text()


def test_the_libraries_that_a_package_needs(release):
    r = run("needed", str(release / "out/emcli_9.1_amd64.deb"))
    assert r.returncode == 0, r.stderr
    assert [line.split()[0] for line in r.stdout.splitlines()] == ["libc6"]
