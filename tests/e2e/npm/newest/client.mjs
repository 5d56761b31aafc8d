// SPDX-License-Identifier: Apache-2.0
// client.mjs ERA stdio CMD ARGS... | ERA http URL: a session of the second official
// SDK's client with emcli, ERA being legacy, auto or a revision to be pinned; what
// each step gave, as JSON.  $BEARER goes along over HTTP.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [era, kind, ...rest] = process.argv.slice(2);
const transport = kind === 'stdio'
  ? new StdioClientTransport({ command: rest[0], args: rest.slice(1), env: process.env, stderr: 'inherit' })
  : new StreamableHTTPClientTransport(new URL(rest[0]), {
    requestInit: { headers: { Authorization: `Bearer ${process.env.BEARER}` } },
  });
const mode = era === 'legacy' || era === 'auto' ? era : { pin: era };
const client = new Client({ name: 'tests', version: '1' }, { capabilities: {}, versionNegotiation: { mode } });

const out = {};
const box = { account: 'work', folder: 'INBOX' };
const call = (name, args) => client.callTool({ name, arguments: args });
await client.connect(transport);
out.revision = client.getNegotiatedProtocolVersion();
out.server = client.getServerVersion();
out.before = (await client.listTools()).tools.map((t) => t.name);
out.refused = await call('list', box);
out.loaded = await call('load_skill', { skill: 'mail-read' });
out.after = (await client.listTools()).tools.map((t) => t.name);
out.rows = await call('list', { ...box, lease: JSON.parse(out.loaded.content[0].text).data.lease });
out.resources = (await client.listResources()).resources.map((r) => r.uri);
out.text = (await client.readResource({ uri: out.resources[0] })).contents[0].text;
try { await call('no_such_tool', {}); } catch (e) { out.unknown = e.code; }
// A call that is given up ends, and the next one goes well.
const giveUp = new AbortController();
const given = client.callTool({ name: 'doctor', arguments: {} }, { signal: giveUp.signal });
giveUp.abort();
try { await given; } catch (e) { out.aborted = true; }
out.again = (await client.listTools()).tools.length === out.after.length;
await client.close();
console.log(JSON.stringify(out));
