// SPDX-License-Identifier: Apache-2.0
// move.mjs PORT CA USER FROM TO: moves every message of a folder; milliseconds from the
// connection on, and of the move alone.  The password is on standard input.
import { readFileSync } from "node:fs";
import { ImapFlow } from "imapflow";

const [port, ca, user, from, to] = process.argv.slice(2);
const pass = readFileSync(0, "utf8").trim();
const client = new ImapFlow({
	host: "localhost", port: Number(port), secure: true, logger: false,
	tls: { ca: readFileSync(ca) }, auth: { user, pass },
});
const begun = performance.now();
await client.connect();
await client.mailboxOpen(from);
const uids = (await client.search({ all: true }, { uid: true })).join(",");
const opened = performance.now();
const moved = await client.messageMove(uids, to, { uid: true });
const over = performance.now();
console.log(JSON.stringify({ all: over - begun, move: over - opened, n: moved.uidMap.size }));
await client.logout();
