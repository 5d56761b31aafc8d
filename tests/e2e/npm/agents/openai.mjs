// SPDX-License-Identifier: Apache-2.0
// openai.mjs MODEL-URL CMD PROMPTS...: OpenAI's agents SDK with an MCP server of
// its own starting, a run a prompt.
import { Agent, MCPServerStdio, OpenAIProvider, Runner } from '@openai/agents';

const [baseURL, command, ...prompts] = process.argv.slice(2);
const server = new MCPServerStdio({ name: 'emcli', command, args: ['mcp'], env: process.env });
await server.connect();
const runner = new Runner({
  modelProvider: new OpenAIProvider({ baseURL, apiKey: 'none', useResponses: true }),
  tracingDisabled: true,
});
const agent = new Agent({ name: 'tests', instructions: 'Help.', model: 'scripted', mcpServers: [server] });
let said = [];
for (const prompt of prompts) {
  try {
    const result = await runner.run(agent, [...said, { role: 'user', content: prompt }]);
    said = result.history;
  } catch (e) { console.error(`${prompt}: ${e.message}`); }
}
await server.close();
