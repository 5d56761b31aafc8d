#ifndef NET_WIRE_H
#define NET_WIRE_H

/*
 * A line stream over TCP and TLS for IMAP and SMTP.  The certificate chain and
 * the host name are always verified (RFC 6125); there is no switch to accept
 * anything.  One absolute deadline holds for everything done on it.  Errors
 * are ERR_NETWORK with the scope of the connection, ERR_LIMIT for a line that
 * is too long.  OpenSSL is set up at the first TLS handshake, not before.
 */
#include "base/err.h"
#include "base/secret.h"
#include "base/str.h"

enum wire_security {
	WIRE_TLS,      /* implicit TLS, RFC 8314 */
	WIRE_STARTTLS, /* plain until wire_starttls() */
};

enum {
	WIRE_PINS = 4 /* two servers, and for each the key that comes next */
};

struct wire_target {
	struct str host; /* name or IP literal; the name to verify */
	uint16_t port;
	enum wire_security security;
	struct str ca_file; /* PEM file of a private CA; empty: the system's */
	/*
	 * Base64 of SHA-256 over the SPKI (RFC 7469 section 2.4), up to
	 * WIRE_PINS of them with commas between; empty: none.  With a pin the
	 * leaf's key must be one of these, whoever signed it, and no authority
	 * is asked: the chain may end nowhere.  The name and dates still count.
	 */
	struct str pin;
	int64_t deadline_ms; /* on clock_mono_ms() */
};

struct wire;

/*
 * Looks the host up and does nothing else: how many addresses it has, or 0
 * when a proxy is to look it up.
 */
int wire_lookup(const struct wire_target *t, unsigned *n, struct err *e);
/*
 * Connects (through ALL_PROXY, HTTPS_PROXY or their lower-case forms when set:
 * socks5://, socks5h://, http://; NO_PROXY honoured, this machine never behind
 * one) and, for WIRE_TLS, shakes hands.  TLS 1.2 at least.
 */
int wire_open(const struct wire_target *t, struct wire **out, struct err *e);
/* A stream over a descriptor we are given, unencrypted: for tests. */
struct wire *wire_over(int fd, int64_t deadline_ms);
/* Closes without waiting for the peer.  NULL-safe; sets *w to NULL. */
void wire_close(struct wire **w);

/*
 * Starts TLS on a WIRE_STARTTLS stream.  Bytes already received and not read
 * are an injection (CVE-2011-0411): ERR_NETWORK.
 */
int wire_starttls(struct wire *w, struct err *e);

/* What a server should be. */
enum wire_greet {
	WIRE_GREET_IMAP,
	WIRE_GREET_SMTP,
};

/*
 * Waits for a server's first words and leaves them to be read.  ERR_NETWORK
 * when they are another kind's, with what it said; or, in the clear, when there
 * are none because the port wants TLS from the start, which is tried on another
 * connection rather than waiting out the deadline.  wire_greet.c
 */
int wire_greet(struct wire *w, enum wire_greet who, struct err *e);
bool wire_is_tls(const struct wire *w);

/*
 * Writing is gathered; nothing leaves before wire_flush() or 64 KiB.  A trace
 * (base/trace.h) has of what is put no more than how many bytes it was; what
 * is said, it shows: the words of the protocol, never a secret nor a message.
 */
int wire_put(struct wire *w, struct str s, struct err *e);
int wire_say(struct wire *w, struct str s, struct err *e);
int wire_say_fmt(struct wire *w, struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int wire_flush(struct wire *w, struct err *e);

/*
 * Reads a line without its end (CRLF, or a bare LF) of at most max bytes.  The
 * view is good until the next call.  What was put is flushed first.
 */
int wire_line(struct wire *w, size_t max, struct str *out, struct err *e);
/*
 * Reads what is there of a line that may be longer than LIMIT_LINE, its end
 * (LF) included when *ended.  At least one byte; the view is good until the
 * next call.  How long the whole may get is the caller's to watch.
 */
int wire_part(struct wire *w, struct str *out, bool *ended, struct err *e);
/* Reads exactly n bytes. */
int wire_bytes(struct wire *w, void *p, size_t n, struct err *e);
/* Is there something to read without waiting? */
bool wire_pending(struct wire *w);
/*
 * How many bytes came so far, and how many of them were read: what was received
 * before a command was put does not answer it.
 */
uint64_t wire_received(const struct wire *w);
uint64_t wire_taken(const struct wire *w);

/*
 * Shows in a trace what was read since the last time: `open`, and of `rest`
 * with `hide` only how long it is.  What nobody tells of is a number of bytes
 * there.  wire_trace.c
 */
void wire_trace_read(struct wire *w, struct str open, struct str rest,
    bool hide);

/* What doctor shows of the TLS session; empty strings on a plain stream. */
struct wire_peer {
	char version[16];  /* "TLSv1.3" */
	char subject[128]; /* of the certificate */
	char issuer[128];  /* who signed it */
	int64_t not_after; /* unix seconds */
	char pin[64];      /* what `pin` would have to be */
};
void wire_peer(const struct wire *w, struct wire_peer *out);
/* The file or folder of the authorities this machine knows; NULL: it knows
 * none, or what is named in its environment cannot be read.  trust.c */
const char *trust_where(void);
/* How often we waited for the peer so far: round trips, for bench/. */
unsigned wire_turns(const struct wire *w);

#endif
