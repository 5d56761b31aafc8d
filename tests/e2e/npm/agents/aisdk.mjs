// SPDX-License-Identifier: Apache-2.0
// aisdk.mjs MODEL-URL CMD PROMPTS...: the AI SDK with its own client of MCP; tools
// are asked for before each turn, as its pages do before each request of a user.
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as Stdio } from '@ai-sdk/mcp/mcp-stdio';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs } from 'ai';

const [baseURL, command, ...prompts] = process.argv.slice(2);
const client = await createMCPClient({ transport: new Stdio({ command, args: ['mcp'], env: process.env }) });
const model = createOpenAICompatible({ name: 'tests', baseURL, apiKey: 'none' })('scripted');
const messages = [];
for (const prompt of prompts) {
  messages.push({ role: 'user', content: prompt });
  const got = await generateText({ model, messages, tools: await client.tools(), stopWhen: stepCountIs(30) });
  messages.push(...(got.response?.messages ?? []));
}
await client.close();
