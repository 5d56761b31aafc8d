// SPDX-License-Identifier: Apache-2.0
// authority.mjs PORT: the identity provider of an operator, oidc-provider: clients
// register by themselves, tokens are for the resource that was asked for (RFC 8707),
// as JWT or, for the client `plain`, as words that only introspection explains.
// POST /lab/mint {header, claims, key}: a token as the provider itself would sign
// it, with anything in it; POST /lab/rotate: it has another key from now on; POST
// /lab/hold, /lab/release: whoever asks about a token that begins with "slow" waits.
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import Provider from 'oidc-provider';

const port = Number(process.argv[2]);
const issuer = `http://127.0.0.1:${port}`;
const keys = [];
async function rotate() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...await exportJWK(privateKey), kid: `key-${keys.length}`, use: 'sig', alg: 'RS256' };
  keys.push({ privateKey, jwk });
  return jwk.kid;
}
await rotate();

const make = () => new Provider(issuer, {
  jwks: { keys: [keys[keys.length - 1].jwk] },
  clients: [
    { client_id: 'plain', client_secret: 'lab', redirect_uris: [], response_types: [],
      grant_types: ['client_credentials'] },
    { client_id: 'signed', client_secret: 'lab', redirect_uris: [], response_types: [],
      grant_types: ['client_credentials'] },
    { client_id: 'asks', client_secret: 'lab-secret', redirect_uris: [], response_types: [], grant_types: [] },
  ],
  features: {
    registration: { enabled: true },
    clientCredentials: { enabled: true },
    revocation: { enabled: true },
    introspection: { enabled: true, allowedPolicy: () => true },
    devInteractions: { enabled: true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: (ctx, resource, client) => ({
        scope: 'mail other', audience: resource, accessTokenTTL: 3600,
        ...(client.clientId === 'plain'
          ? { accessTokenFormat: 'opaque' }
          : { accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } }),
      }),
    },
  },
  pkce: { required: () => true, methods: ['S256'] },
  scopes: ['openid', 'offline_access', 'mail', 'other'],
  // Of a client's own token it says no subject by itself.
  extraTokenClaims: (ctx, token) => (token.clientId === 'plain' ? { sub: 'plain' } : undefined),
  findAccount: (ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  cookies: { keys: ['lab'] },
});
let provider = make().callback();

const text = async (req) => {
  let all = '';
  for await (const part of req) all += part;
  return all;
};
const body = async (req) => JSON.parse(await text(req) || '{}');
const mint = async ({ header = {}, claims = {}, key = keys.length - 1 }) => new SignJWT(claims)
  .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: `key-${key}`, ...header })
  .sign(keys[key].privateKey);

let held = null;
async function introspect(req, res) {
  const form = new URLSearchParams(await text(req));
  if (held && form.get('token').startsWith('slow')) {
    console.log(JSON.stringify({ what: 'held', token: form.get('token') }));
    await new Promise((go) => { held.push(go); });
  }
  req.body = Object.fromEntries(form);
  provider(req, res);
}

createServer(async (req, res) => {
  const tell = (value) => res.end(JSON.stringify(value));
  console.log(JSON.stringify({ what: 'asked', path: req.url.split('?')[0] }));
  if (req.url === '/lab/mint') {
    tell({ token: await mint(await body(req)) });
  } else if (req.url === '/lab/rotate') {
    await rotate();
    provider = make().callback();
    tell({});
  } else if (req.url === '/lab/hold') {
    held = [];
    tell({});
  } else if (req.url === '/lab/release') {
    held.forEach((go) => go());
    held = null;
    tell({});
  } else if (req.url === '/token/introspection') {
    introspect(req, res);
  } else {
    provider(req, res);
  }
}).listen(port, '127.0.0.1');
