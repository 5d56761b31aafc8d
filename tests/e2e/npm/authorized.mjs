// SPDX-License-Identifier: Apache-2.0
// authorized.mjs URL: the official SDK's client, which has no token and gets one by
// itself: it finds the server's document, its provider, registers there, and wants
// somebody to open a page, whose address is the first line.  Then it lists the tools
// and calls one; the last line is what each step gave.
import { createServer } from 'node:http';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const url = new URL(process.argv[2]);
const back = createServer();
await new Promise((resolve) => back.listen(0, '127.0.0.1', resolve));
const redirect = `http://127.0.0.1:${back.address().port}/back`;
const code = new Promise((resolve) => back.on('request', (req, res) => {
  res.end('You may close this tab.');
  resolve(new URL(req.url, redirect).searchParams.get('code'));
}));

const kept = {};
const person = {
  redirectUrl: redirect,
  clientMetadata: { client_name: 'tests', redirect_uris: [redirect], token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'], response_types: ['code'] },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => { kept.client = client; },
  tokens: () => kept.tokens,
  saveTokens: (tokens) => { kept.tokens = tokens; },
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: (verifier) => { kept.verifier = verifier; },
  redirectToAuthorization: (page) => { console.log(JSON.stringify({ page })); },
};
const client = new Client({ name: 'tests', version: '1' }, { capabilities: {} });
const transport = () => new StreamableHTTPClientTransport(url, { authProvider: person });

const first = transport();
try {
  await client.connect(first);
  throw new Error('it needed no token');
} catch (e) {
  if (!(e instanceof UnauthorizedError)) throw e;
}
await first.finishAuth(await code);
back.close();
await client.connect(transport());
const tools = (await client.listTools()).tools.map((t) => t.name);
const loaded = await client.callTool({ name: 'load_skill', arguments: { skill: 'mail-read' } });
const { lease } = JSON.parse(loaded.content[0].text).data;
const rows = await client.callTool({ name: 'list', arguments: { account: 'work', folder: 'INBOX', lease } });
await client.close();
console.log(JSON.stringify({ tools, rows: rows.content[0].text, token: kept.tokens.access_token }));
