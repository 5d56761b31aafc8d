// SPDX-License-Identifier: Apache-2.0
// oidc.mjs PORT: a certified OpenID provider, oidc-provider, with PKCE required,
// loopback redirects on any port, refresh tokens that rotate (and a family that
// dies when an old one comes back), the device flow and introspection.  Its
// login and consent pages are its own, so that a browser has to click them.
// What happens to grants goes to stdout, a line of JSON each.
import Provider from 'oidc-provider';

const port = Number(process.argv[2]);
const grants = ['authorization_code', 'refresh_token'];
const loopback = { application_type: 'native', redirect_uris: ['http://127.0.0.1/'], response_types: ['code'] };
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    { ...loopback, client_id: 'native', token_endpoint_auth_method: 'none',
      grant_types: [...grants, 'urn:ietf:params:oauth:grant-type:device_code'] },
    { ...loopback, client_id: 'lab-client', client_secret: 'lab-client-secret', grant_types: grants },
    { client_id: 'introspect', client_secret: 'lab', redirect_uris: [], response_types: [], grant_types: [] },
  ],
  features: {
    introspection: { enabled: true, allowedPolicy: () => true },
    deviceFlow: { enabled: true },
    devInteractions: { enabled: true },
  },
  pkce: { required: () => true, methods: ['S256'] },
  scopes: ['openid', 'offline_access', 'mail'],
  findAccount: (ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  issueRefreshToken: async () => true,
  rotateRefreshToken: () => true,
  ttl: { AccessToken: 3600, IdToken: 3600, Interaction: 600, Session: 3600, Grant: 86400, RefreshToken: 86400, DeviceCode: 600 },
  cookies: { keys: ['lab'] },
});
const tell = (what, more = {}) => console.log(JSON.stringify({ what, ...more }));
provider.on('server_error', (ctx, e) => tell('server_error', { e: String(e) }));
provider.on('grant.success', (ctx) => tell('grant', { type: ctx.oidc.params.grant_type }));
provider.on('grant.error', (ctx, e) => tell('refused', { type: ctx.oidc.params?.grant_type, e: e.error_detail ?? e.message }));
provider.on('grant.revoked', () => tell('revoked'));
provider.listen(port, '127.0.0.1', () => tell('up'));
