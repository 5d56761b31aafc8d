// SPDX-License-Identifier: Apache-2.0
// mock.mjs PORT: oauth2-mock-server, which redirects without a page, made to
// answer as a test says over a control port (PORT + 1), by POST of JSON:
//   next        the next token answers, in order: [{"status":400,"body":{}}]
//   rotate      a new refresh token with each refresh; the old one is refused
//   stillborn   how many access tokens are refused from the first use on
//   delay_ms    before a token answer; nothing else is answered meanwhile
// GET gives the counters; POST /introspect is RFC 7662.  That a refresh was asked
// for goes to stdout at once, a line of JSON.
import { createServer } from 'node:http';
import { OAuth2Server } from 'oauth2-mock-server';

const port = Number(process.argv[2]);
const server = new OAuth2Server();
await server.issuer.keys.generate('RS256');
await server.start(port, '127.0.0.1');
const st = { next: [], rotate: false, stillborn: 0, delay_ms: 0, refreshes: 0, codes: 0, reused: 0, gen: 0, given: 0, current: null };
const live = new Map();
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

server.service.on('beforeResponse', (res, req) => {
  const refresh = req.body.grant_type === 'refresh_token';
  if (refresh) console.log('{"what":"refresh"}');
  if (st.delay_ms) sleep(st.delay_ms);
  if (refresh) st.refreshes++; else st.codes++;
  const forced = st.next.shift();
  if (forced) { res.statusCode = forced.status; res.body = forced.body; return; }
  if (refresh && st.rotate && req.body.refresh_token !== st.current) {
    st.reused++;
    res.statusCode = 400;
    res.body = { error: 'invalid_grant', error_description: 'refresh token was used before' };
    return;
  }
  if (refresh && !st.rotate) delete res.body.refresh_token; // as Google does
  if (!refresh || st.rotate) res.body.refresh_token = st.current = `planted-rt-${++st.gen}`;
  res.body.access_token = `planted-at-${++st.given}`;
  res.body.scope = req.body.scope ?? 'mail';
  if (st.stillborn > 0) st.stillborn--;
  else live.set(res.body.access_token, Date.now() + 3600_000);
});
createServer((q, r) => {
  let b = '';
  q.on('data', (d) => { b += d; });
  q.on('end', () => {
    r.setHeader('content-type', 'application/json');
    if (q.url.startsWith('/introspect')) {
      const ok = (live.get(new URLSearchParams(b).get('token')) ?? 0) > Date.now();
      r.end(JSON.stringify(ok ? { active: true, email: 'agent@lab.example' } : { active: false }));
      return;
    }
    if (q.method === 'POST') Object.assign(st, JSON.parse(b));
    r.end(JSON.stringify(st));
  });
}).listen(port + 1, '127.0.0.1', () => console.log('{"what":"up"}'));
