// SPDX-License-Identifier: Apache-2.0
// langchain.mjs MODEL-URL CMD PROMPTS...: LangChain's adapter for MCP and a loop
// over its tools, a turn a prompt; the tools are asked for once, as its pages say.
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { ChatOpenAI } from '@langchain/openai';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';

const [baseURL, command, ...prompts] = process.argv.slice(2);
const client = new MultiServerMCPClient({
  mcpServers: { emcli: { command, args: ['mcp'], env: process.env } },
});
const tools = await client.getTools();
const model = new ChatOpenAI({ model: 'scripted', apiKey: 'none', configuration: { baseURL } }).bindTools(tools);
const said = [];
for (const prompt of prompts) {
  said.push(new HumanMessage(prompt));
  for (;;) {
    const answer = await model.invoke(said);
    said.push(answer);
    if (!answer.tool_calls?.length) break;
    for (const call of answer.tool_calls) {
      const tool = tools.find((t) => t.name === call.name);
      let got;
      try {
        got = tool ? await tool.invoke({ ...call, type: 'tool_call' }) : `there is no tool ${call.name}`;
      } catch (e) { got = `Error: ${e.message}`; }
      said.push(typeof got === 'string' ? new ToolMessage({ content: got, tool_call_id: call.id }) : got);
    }
  }
}
await client.close();
