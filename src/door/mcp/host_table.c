/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Observed behaviour of hosts, by the name they give at initialize.  An unknown
 * host gets every tool from the start, in the form that all hosts read.
 * doc/hosts.md says how each was observed.
 */
#include "door/mcp/host.h"

const struct mcp_host mcp_host_table[] = {
	{ .name = "claude-code",
	    .seen = "Claude Code 2.1.330",
	    .does = MCP_HOST_LISTS | MCP_HOST_SPILLS },
	{ .name = "gemini-cli-mcp-client*",
	    .seen = "Gemini CLI 0.61.0",
	    .does = MCP_HOST_LISTS | MCP_HOST_SPILLS },
	{ .name = "opencode",
	    .seen = "OpenCode 1.18.33",
	    .does = MCP_HOST_LISTS | MCP_HOST_SPILLS },
	{ .name = "codex-mcp-client",
	    .seen = "Codex 0.169.0",
	    .turn = { "x-codex-turn-metadata", "turn_id" } },
	{ .name = "qwen-cli-mcp-client*", .seen = "Qwen Code 0.24.4" },
	{ .name = "qwen-code*", .seen = "Qwen Code 0.24.4" },
	{ .name = "continue-client", .seen = "Continue" },
	{ .name = "continue-cli-client",
	    .seen = "Continue CLI 1.5.47",
	    .does = MCP_HOST_BARE },
	{ .name = "@cline/core", .seen = "Cline CLI 3.0.65" },
	{ .name = "Cline", .seen = "Cline" },
	{ .name = "copilot-cli", .seen = "Copilot CLI 1.0.102" },
	{ .name = "github-copilot-developer", .seen = "Copilot CLI" },
	{ .name = "@langchain/mcp-adapters",
	    .seen = "LangChain's adapter 1.1.4",
	    .does = MCP_HOST_BARE },
	{ .name = "langchain-mcp-adapter*",
	    .seen = "LangChain's adapter 0.1.0",
	    .does = MCP_HOST_BARE },
	{ .name = "ai-sdk-mcp-client",
	    .seen = "AI SDK 2.0.99",
	    .does = MCP_HOST_BARE },
	{ 0 },
};
