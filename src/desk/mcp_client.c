/* SPDX-License-Identifier: Apache-2.0 */
/* The table of clients. */
#include "desk/mcp_client.h"

static const struct mcp_client table[] = {
	{ .name = "claude",
	    .title = "Claude Code",
	    .file = ".mcp.json",
	    .section = "mcpServers",
	    .open = "${",
	    .close = "}",
	    .local = "stdio",
	    .remote = "http",
	    .url = "url",
	    .next = "restart claude in this folder and approve the server "
		    "emcli when it asks (/mcp shows it)" },
	{ .name = "claude-desktop",
	    .title = "Claude Desktop",
	    .file = "~/.config/Claude/claude_desktop_config.json",
	    .section = "mcpServers",
	    .next = "quit Claude Desktop, start it again, and allow the tools "
		    "when it asks" },
	{ .name = "cline",
	    .title = "Cline",
	    .file = "~/.cline/data/settings/cline_mcp_settings.json",
	    .section = "mcpServers",
	    .inherits = true,
	    .next = "restart cline; by default it asks before no tool: "
		    "--auto-approve false makes it ask" },
	{ .name = "codex",
	    .title = "Codex",
	    .file = "~/.codex/config.toml",
	    .format = MCP_CLIENT_TOML,
	    .section = "mcp_servers",
	    .open = "",
	    .close = "",
	    .url = "url",
	    .next = "restart codex (/mcp shows the server) and allow the "
		    "tools when it asks" },
	{ .name = "continue",
	    .title = "Continue",
	    .file = "~/.continue/config.yaml",
	    .format = MCP_CLIENT_YAML,
	    .section = "mcpServers",
	    .open = "${{ secrets.",
	    .close = " }}",
	    .remote = "streamable-http",
	    .url = "url",
	    .options = "requestOptions",
	    .first = "Continue has no such file yet, and wants its models in "
		     "it: set it up first",
	    .next = "restart cn (/mcp shows the server) and allow the tools "
		    "when it asks; without a terminal it runs them with "
		    "--auto" },
	{ .name = "copilot",
	    .title = "Copilot CLI",
	    .file = "~/.copilot/mcp-config.json",
	    .section = "mcpServers",
	    .open = "${",
	    .close = "}",
	    .local = "local",
	    .remote = "http",
	    .url = "url",
	    .asks_tools = true,
	    .next = "restart copilot (/mcp show emcli) and allow the tools "
		    "when it asks" },
	{ .name = "cursor",
	    .title = "Cursor",
	    .file = "~/.cursor/mcp.json",
	    .section = "mcpServers",
	    .open = "${env:",
	    .close = "}",
	    .url = "url",
	    .next = "restart Cursor, switch emcli on in its settings under "
		    "MCP, and allow the tools when it asks" },
	{ .name = "gemini",
	    .title = "Gemini CLI",
	    .file = "~/.gemini/settings.json",
	    .section = "mcpServers",
	    .open = "${",
	    .close = "}",
	    .url = "httpUrl",
	    .next = "restart gemini in a folder it trusts (/mcp list) and "
		    "allow the tools when it asks" },
	{ .name = "hermes",
	    .title = "Hermes Agent",
	    .file = "~/.hermes/config.yaml",
	    .format = MCP_CLIENT_YAML_MAP,
	    .section = "mcp_servers",
	    .open = "${",
	    .close = "}",
	    .url = "url",
	    .next = "restart hermes, or /reload-mcp in a session (hermes mcp "
		    "test emcli tries the server)" },
	{ .name = "openclaw",
	    .title = "OpenClaw",
	    .file = "~/.openclaw/openclaw.json",
	    .section = "mcp.servers",
	    .open = "${",
	    .close = "}",
	    .remote = "streamable-http",
	    .kind = "transport",
	    .url = "url",
	    .next = "start the gateway again (openclaw mcp doctor emcli "
		    "--probe tries the server)" },
	{ .name = "opencode",
	    .title = "OpenCode",
	    .file = "~/.config/opencode/opencode.json",
	    .section = "mcp",
	    .open = "{env:",
	    .close = "}",
	    .local = "local",
	    .remote = "remote",
	    .url = "url",
	    .words = true,
	    .next = "restart opencode (opencode mcp list); it asks before "
		    "no tool unless its \"permission\" says so" },
	{ .name = "qwen",
	    .title = "Qwen Code",
	    .file = "~/.qwen/settings.json",
	    .section = "mcpServers",
	    .open = "${",
	    .close = "}",
	    .url = "httpUrl",
	    .next = "restart qwen (/mcp shows the server) and allow the "
		    "tools when it asks" },
	{ .name = "vscode",
	    .title = "VS Code",
	    .file = ".vscode/mcp.json",
	    .section = "servers",
	    .open = "${env:",
	    .close = "}",
	    .local = "stdio",
	    .remote = "http",
	    .url = "url",
	    .next = "press Start above the entry in that file, trust the "
		    "server, and allow the tools when it asks" },
	{ .name = "windsurf",
	    .title = "Windsurf",
	    .file = "~/.codeium/windsurf/mcp_config.json",
	    .section = "mcpServers",
	    .open = "${env:",
	    .close = "}",
	    .url = "serverUrl",
	    .next = "press Refresh among Cascade's MCP servers and allow the "
		    "tools when it asks" },
};

enum {
	CLIENTS = sizeof(table) / sizeof(table[0])
};

const struct mcp_client *
mcp_client_find(struct str name)
{
	for (size_t i = 0; i < CLIENTS; i++)
		if (str_eq(str_of(table[i].name), name))
			return &table[i];
	return NULL;
}
