// SPDX-License-Identifier: Apache-2.0
// mcp.mjs stdio CMD ARGS... | http URL: a session of the official SDK's client
// with emcli; what each step gave, as JSON.  $BEARER goes along over HTTP.  The
// client itself holds results to the schemas that tools/list gave.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

const [kind, ...rest] = process.argv.slice(2);
const transport = kind === 'stdio'
  ? new StdioClientTransport({ command: rest[0], args: rest.slice(1), env: process.env, stderr: 'inherit' })
  : new StreamableHTTPClientTransport(new URL(rest[0]), {
    requestInit: { headers: process.env.BEARER ? { Authorization: `Bearer ${process.env.BEARER}` } : {} },
  });
const client = new Client({ name: 'tests', version: '1' }, { capabilities: {} });
let changed;
const change = new Promise((resolve) => { changed = resolve; });
client.setNotificationHandler(ToolListChangedNotificationSchema, () => changed(true));
const late = () => new Promise((resolve) => setTimeout(resolve, 10000, false));

const out = {};
const box = { account: 'work', folder: 'INBOX' };
const call = async (name, args) => client.callTool({ name, arguments: args });
await client.connect(transport);
out.server = client.getServerVersion();
out.capabilities = client.getServerCapabilities();
out.instructions = client.getInstructions();
out.before = (await client.listTools()).tools.map((t) => t.name);
out.refused = await call('list', box);
out.loaded = await call('load_skill', { skill: 'mail-read' });
if (out.capabilities.tools.listChanged) out.changed = await Promise.race([change, late()]);
out.after = (await client.listTools()).tools.map((t) => t.name);
out.rows = await call('list', { ...box, lease: JSON.parse(out.loaded.content[0].text).data.lease });
out.resources = (await client.listResources()).resources.map((r) => r.uri);
out.text = (await client.readResource({ uri: out.resources[0] })).contents[0].text;
try { await call('no_such_tool', {}); } catch (e) { out.unknown = e.code; }
await client.ping();
await client.close();
console.log(JSON.stringify(out));
