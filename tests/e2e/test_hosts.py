# SPDX-License-Identifier: Apache-2.0
"""The hosts that are small, each the whole way with a scripted model: what they are
made of comes from npm/agents.  The large ones are in judges_hosts.py, by hand."""

import pytest

import judges_hosts


@pytest.fixture(scope="session")
def agents():
    judges_hosts.install("agents")


@pytest.mark.parametrize("host", judges_hosts.SMALL, ids=lambda h: h.__name__)
def test_a_host_goes_the_whole_way(agents, host, tmp_path):
    row = judges_hosts.check(judges_hosts.Scene(tmp_path, host).run())
    # The list of tools is what it was at the start: whoever reads it once has all.
    assert row["mode"] == "all" and row["client"]
