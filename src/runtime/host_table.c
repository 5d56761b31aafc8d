/* SPDX-License-Identifier: Apache-2.0 */
/* The programs that agents run in, and the layout of their homes. */
#include "runtime/home.h"

static const struct home_host table[] = {
	{ .name = "claude",
	    .variable = "CLAUDE_CONFIG_DIR",
	    .executable = "claude",
	    .skills = "skills",
	    .role = "CLAUDE.md",
	    .mcp = ".claude.json",
	    .call = "/",
	    .prompt = "> ❯",
	    .working = "esc to interrupt",
	    .hooks = "settings.json",
	    .busy = "UserPromptSubmit",
	    .idle = "Stop" },
	{ .name = "codex",
	    .variable = "CODEX_HOME",
	    .executable = "codex",
	    .skills = "skills",
	    .about = "agents/openai.yaml",
	    .role = "AGENTS.md",
	    .mcp = "config.toml",
	    .call = "$",
	    .prompt = "› ▌",
	    .working = "esc to interrupt",
	    .hooks = "config.toml",
	    .idle = "notify" },
	{ .name = "gemini",
	    .variable = "GEMINI_CLI_HOME",
	    .executable = "gemini",
	    .skills = ".gemini/skills",
	    .rival = ".agents/skills",
	    .role = ".gemini/GEMINI.md",
	    .mcp = ".gemini/settings.json",
	    .call = "Use the skill ",
	    .prompt = "> *",
	    .working = "esc to cancel",
	    .hooks = ".gemini/settings.json",
	    .busy = "BeforeAgent",
	    .idle = "AfterAgent" },
};

enum {
	HOSTS = sizeof(table) / sizeof(table[0])
};

const struct home_host *
host_table_find(struct str tool)
{
	for (size_t i = 0; i < HOSTS; i++)
		if (str_eq(str_of(table[i].name), tool))
			return &table[i];
	return NULL;
}
