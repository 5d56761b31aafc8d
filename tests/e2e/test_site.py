# SPDX-License-Identifier: Apache-2.0
"""The papers as pages: each link leads somewhere, and a page asks the network for nothing."""

import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOADS = re.compile(r'<(?:script|img|iframe|link|source|object|embed)\b[^>]*(?:src|href)="([^"]*)"')


class Tree:
    """The papers, and a manual of one page."""

    def __init__(self, folder):
        self.folder = folder
        for path in ROOT.glob("*.md"):
            shutil.copy(path, folder)
        shutil.copytree(ROOT / "doc", folder / "doc")
        (folder / "tools").mkdir()
        shutil.copy(ROOT / "tools/site", folder / "tools")
        # What papers name of the source has to be there.
        for name in "src", "tests", "bench", "skills", "LICENSE", "check", "try":
            (folder / name).symlink_to(ROOT / name)
        (folder / "manual").mkdir()
        (folder / "manual/emcli.1").write_text(".Dd $Mdocdate$\n.Dt EMCLI 1\n.Os\n.Sh NAME\n"
                                               ".Nm emcli\n.Nd a gate\n")

    def site(self):
        return subprocess.run([self.folder / "tools/site", "--manual", self.folder / "manual",
                               self.folder / "site"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=120)


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path)


def test_every_paper_is_a_page(tree):
    r = tree.site()
    assert r.returncode == 0, r.stdout
    pages = {str(p.relative_to(tree.folder / "site")): p.read_text()
             for p in (tree.folder / "site").rglob("*.html")}
    assert {"index.html", "emcli.1.html", "hosts.html", "backends/imap.html",
            "internals/outbox.html", "SECURITY.html"} <= set(pages)
    papers = [*ROOT.glob("*.md"), *(ROOT / "doc").rglob("*.md")]
    assert len(pages) == len(papers) + 1
    for name, text in pages.items():
        loads = LOADS.findall(text)
        pictures = [to for to in loads if to.endswith(".svg")]
        for to in pictures:
            drawn = (tree.folder / "site" / name).parent / to
            assert drawn.read_bytes() == (ROOT / "doc/hosts" / to).read_bytes()
        assert [to for to in loads if to not in pictures] == [
            "../" * name.count("/") + "site.css"], name
        assert 'href="emcli.1.html"' in text or 'href="../emcli.1.html"' in text


def test_a_picture_that_is_not_there_is_an_error(tree):
    with open(tree.folder / "doc/hosts/codex.md", "a") as f:
        f.write("\n![a picture](nowhere.svg)\n")
    r = tree.site()
    assert r.returncode != 0 and "there is no nowhere.svg" in r.stdout


@pytest.mark.parametrize("link", ["nowhere.md", "CHANGELOG.md#nowhere", "#nowhere", "src/none.c"])
def test_a_link_that_leads_nowhere_is_an_error(tree, link):
    with open(tree.folder / "SECURITY.md", "a") as f:
        f.write(f"\n[this]({link})\n")
    r = tree.site()
    assert r.returncode != 0
    assert "SECURITY" in r.stdout and "nowhere" in r.stdout or "none.c" in r.stdout
