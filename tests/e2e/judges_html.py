# SPDX-License-Identifier: Apache-2.0
"""Chromium draws each page of htmlsights.py, and htmldrawn.json records what was seen.

Two pictures of two hundred pages take a minute or more, and the answers change
only with the pages.  By hand: /usr/bin/python3 -m pytest -p no:cacheprovider
tests/e2e/judges_html.py, after a page is added or changed.
"""

import json
import subprocess

import htmlsights
from oauthlab import node, npm  # noqa: F401  (a fixture)


def test_what_chromium_draws(npm, tmp_path):  # noqa: F811
    paths = htmlsights.write(tmp_path)
    (tmp_path / "list").write_text("".join(f"{p}\n" for p in paths))
    said = subprocess.run([node(), "pixels.mjs", tmp_path / "list"], cwd=npm, check=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=1800).stdout
    version = subprocess.run(["/usr/bin/chromium", "--version"], check=True, text=True,
                             stdout=subprocess.PIPE, timeout=60).stdout.split()[1]
    seen = [json.loads(line)["drawn"] for line in said.decode().splitlines()]
    pages = {htmlsights.digest(path): drawn for path, drawn in zip(paths, seen, strict=True)}
    htmlsights.DRAWN.write_text(json.dumps({"chromium": version, "pages": pages}, indent=0) + "\n")
