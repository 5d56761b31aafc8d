# SPDX-License-Identifier: Apache-2.0
"""
The pictures in doc/hosts, which pictures.py makes by hand: what emcli says in them it says now,
and they show no secret and nothing of the machine that they were made on.
"""

import re

import pytest

import cli
import servers
import svg

PICTURES = sorted((cli.ROOT / "doc/hosts").glob("*.svg"))
LETTER = "2026-06-21T10:00:00+00:00"
INSTALLED = [p for p in PICTURES if p.stem.endswith("-install")]


def commands(lines):
    """(command, what followed) of a picture of a shell; a long line goes on in the next."""
    whole = "\n".join(lines)
    for part in re.split(r"^\$ ", whole, flags=re.M)[1:]:
        yield part.strip("\n")


def squeezed(text):
    """What a terminal wrapped is one again."""
    return re.sub(r"\s", "", text)


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """As pictures.py has it, but for the places, which have other names."""
    folder = tmp_path_factory.mktemp("scene")
    e = cli.Emcli(folder / "mail")
    e.init()
    site = folder / "site"
    for user in servers.USERS:
        for half in "cur", "new", "tmp":
            (site / servers.address(user) / half).mkdir(parents=True)
    e.account_maildir(site, process_backlog=True, outbound="approve", whitelist_out="on")
    e.site, e.home = site, folder / "home"
    e.home.mkdir()
    return e


def says(e, line):
    """The terminal's text, with the places of the pictures."""
    argv = line.split()
    assert argv[0] == "emcli"
    if "install" in argv:
        # Something was in the file before.
        (e.home / ".openclaw").mkdir(exist_ok=True)
        (e.home / ".openclaw/openclaw.json").write_text("{}\n")
        (e.home / ".openclaw/openclaw.json.bak").write_text("{}\n")
    r = e.admin(*argv[1:], env={"HOME": str(e.home), "COLUMNS": "80",
                                "EMCLI_KEY": e.agent_key})
    assert r.rc == 0, str(r)
    return (r.out + r.err).decode().replace(str(e.home), "/home/mara").replace(
        str(e.site), "/srv/mail/site")


def test_each_page_shows_its_pictures():
    for path in PICTURES:
        page = path.with_name(path.stem.rpartition("-")[0] + ".md").read_text()
        assert f"]({path.name})" in page, path.name
    assert {p.stem for p in INSTALLED} == {f"{h}-install" for h in
                                           ("claude", "codex", "gemini", "openclaw")}


@pytest.mark.parametrize("path", INSTALLED, ids=lambda p: p.stem)
def test_what_emcli_says_in_them_it_says(scene, path):
    ours = [p for p in commands(svg.read(path.read_text())) if p.startswith("emcli ")]
    assert ours, "no command of emcli's is in it"
    for part in ours:
        line, _, shown = part.partition("\n")
        now = says(scene, line)
        if "..." not in shown:
            assert squeezed(shown) == squeezed(now), (shown, now)
            continue
        # A table is as wide as the terminal there, and whole here.
        assert len(shown.split()) == len(now.split()), (shown, now)
        for word, whole in zip(shown.split(), now.split()):
            assert whole == word or "..." in word and whole.startswith(word[:-3]), (shown, now)


@pytest.mark.parametrize("path", INSTALLED, ids=lambda p: p.stem)
def test_the_page_s_commands_are_in_it(path):
    page = path.with_name(path.stem.removesuffix("-install") + ".md").read_text()
    lines = re.search(r"\n\n((?:    [^\n]+\n)+)", page)[1].split("\n")[:-1]
    shown = squeezed("\n".join(svg.read(path.read_text())))
    for line in lines:
        assert squeezed("$ " + line) in shown, line


@pytest.mark.parametrize("path", PICTURES, ids=lambda p: p.stem)
def test_a_picture_is_small_and_of_no_machine(path):
    text = path.read_text()
    assert len(text.encode()) < 40_000
    shown = "\n".join(svg.read(text))
    assert not re.search(r"\d:\d\d", shown.replace(LETTER, "")), "a time of day"
    assert not re.search(r"[\w+/]{43}=|/tmp/|/work/|/root", shown)
    assert not re.search(r"<(?:image|script|use|a)\b|url\(|@import|https?:", text.replace(
        'xmlns="http://www.w3.org/2000/svg"', ""))


def test_colours_and_places_survive():
    lines = ["\x1b[1;31mred\x1b[0m  plain \x1b[48;5;240m x \x1b[m", "", "a < b & \"c\""]
    made = svg.draw([*lines, "   "], "t")
    assert svg.read(made) == ["red  plain  x", "", "a < b & \"c\""]
    assert 'font-weight="bold"' in made and f'fill="{svg.BASE[1]}"' in made
    assert f'fill="{svg.colour(240)}"' in made and made == svg.draw(lines, "t")
