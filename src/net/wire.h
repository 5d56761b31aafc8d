/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NET_WIRE_H
#define NET_WIRE_H

/*
 * A line stream over TCP and TLS for IMAP and SMTP.  The certificate chain and
 * the host name are always verified (RFC 6125); nothing turns that off.  One
 * absolute deadline applies to all work on it.  Errors are ERR_NETWORK with the
 * scope of the connection, ERR_LIMIT for a line that is too long.  OpenSSL is
 * set up at the first TLS handshake, not before.
 */
#include "base/err.h"
#include "base/secret.h"
#include "base/str.h"

enum wire_security {
	WIRE_TLS,      /* implicit TLS, RFC 8314 */
	WIRE_STARTTLS, /* plain until wire_starttls() */
};

enum {
	WIRE_PINS = 4 /* two servers, each with a current and a next key */
};

struct wire_target {
	struct str host; /* name or IP literal; the name to verify */
	uint16_t port;
	enum wire_security security;
	struct str ca_file; /* PEM file of a private CA; empty: the system's */
	/*
	 * Base64 of SHA-256 over the SPKI (RFC 7469 section 2.4), up to
	 * WIRE_PINS of them separated by commas; empty: none.  With a pin the
	 * leaf's key must be one of these, whoever signed it, and no authority
	 * is needed: the chain may end anywhere.  Name and dates are still
	 * checked.
	 */
	struct str pin;
	int64_t deadline_ms; /* on clock_mono_ms() */
};

struct wire;

/*
 * Only looks up the host: the number of its addresses, or 0 if a proxy looks it
 * up.
 */
int wire_lookup(const struct wire_target *t, unsigned *n, struct err *e);
/*
 * Connects (through ALL_PROXY, HTTPS_PROXY or their lower-case forms if set:
 * socks5://, socks5h://, http://; honours NO_PROXY, and never uses a proxy for
 * this machine) and, for WIRE_TLS, does the handshake.  TLS 1.2 at least.
 */
int wire_open(const struct wire_target *t, struct wire **out, struct err *e);
/* A plain stream over a given descriptor: for tests. */
struct wire *wire_over(int fd, int64_t deadline_ms);
/* Closes without waiting for the peer.  NULL-safe; sets *w to NULL. */
void wire_close(struct wire **w);

/*
 * Starts TLS on a WIRE_STARTTLS stream.  Bytes already received but not read
 * are an injection (CVE-2011-0411): ERR_NETWORK.
 */
int wire_starttls(struct wire *w, struct err *e);

/* The expected kind of server. */
enum wire_greet {
	WIRE_GREET_IMAP,
	WIRE_GREET_SMTP,
};

/*
 * Waits for a server's greeting and leaves it to be read.  ERR_NETWORK if it is
 * that of another protocol, with its words; or, in the clear, if there is none
 * because the port needs TLS from the start.  That is tried on another
 * connection instead of waiting for the deadline.  wire_greet.c
 */
int wire_greet(struct wire *w, enum wire_greet who, struct err *e);
bool wire_is_tls(const struct wire *w);

/*
 * Writes are buffered; nothing is sent before wire_flush() or 64 KiB.  For
 * wire_put(), a trace (base/trace.h) has only the number of bytes; for
 * wire_say() it shows the text: words of the protocol, never a secret or a
 * message.
 */
int wire_put(struct wire *w, struct str s, struct err *e);
int wire_say(struct wire *w, struct str s, struct err *e);
int wire_say_fmt(struct wire *w, struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int wire_flush(struct wire *w, struct err *e);

/*
 * Reads a line without its end (CRLF, or a bare LF) of at most max bytes.  The
 * view is valid until the next call.  Flushes writes first.
 */
int wire_line(struct wire *w, size_t max, struct str *out, struct err *e);
/*
 * Reads the available part of a line that may be longer than LIMIT_LINE,
 * including its end (LF) if *ended.  At least one byte; the view is valid until
 * the next call.  The caller limits the total length.
 */
int wire_part(struct wire *w, struct str *out, bool *ended, struct err *e);
/* Reads exactly n bytes. */
int wire_bytes(struct wire *w, void *p, size_t n, struct err *e);
/* Can something be read without waiting? */
bool wire_pending(struct wire *w);
/* From now on all work on it ends at another deadline.  NULL-safe. */
void wire_deadline(struct wire *w, int64_t deadline_ms);
/*
 * Waits for what can be read, or for the end of the connection, whatever the
 * deadline: 1; 0: until_ms has come, on clock_mono_ms().  Flushes writes first.
 * wire_await.c
 */
int wire_await(struct wire *w, int64_t until_ms, struct err *e);
/*
 * The number of bytes received so far, and of these, read: bytes received
 * before a command was put cannot answer it.
 */
uint64_t wire_received(const struct wire *w);
uint64_t wire_taken(const struct wire *w);

/*
 * Shows in a trace what was read since the last call: `open` as text, and of
 * `rest` only its length if `hide`.  Data without such a call is a number of
 * bytes there.  wire_trace.c
 */
void wire_trace_read(struct wire *w, struct str open, struct str rest,
    bool hide);

/* What doctor shows of the TLS session; empty strings on a plain stream. */
struct wire_peer {
	char version[16];  /* "TLSv1.3" */
	char subject[128]; /* of the certificate */
	char issuer[128];  /* who signed it */
	int64_t not_after; /* unix seconds */
	char pin[64];      /* the value of `pin` for it */
};
void wire_peer(const struct wire *w, struct wire_peer *out);
/*
 * The file or folder of this machine's authorities; NULL: none, or the one
 * named in the environment is unreadable.  trust.c
 */
const char *trust_where(void);
/* How many times emcli waited for the peer so far: round trips, for bench/. */
unsigned wire_turns(const struct wire *w);

#endif
