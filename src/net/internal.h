/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NET_INTERNAL_H
#define NET_INTERNAL_H

/*
 * Shared by the files of net/.  wire.c has the stream and its buffers,
 * wire_connect.c names and sockets, wire_proxy.c proxies, wire_tls.c and
 * wire_verify.c everything that uses OpenSSL; trust.c is for them and for
 * http.c.
 */
#include <sys/socket.h>
#include <sys/types.h>

#include "base/limits.h"
#include "net/wire.h"

#define WIRE_HOST 254       /* a host name, RFC 1035 section 2.3.4, and a NUL */
#define WIRE_OUT (64 << 10) /* buffered before it is sent by itself */
#define WIRE_ADDRS 8        /* addresses of one host that are tried */

struct ssl_st;
struct ssl_ctx_st;

struct wire_told;

struct wire {
	int fd;
	struct wire_told *told; /* wire_trace.c; NULL: no trace */
	struct ssl_ctx_st *ctx;
	struct ssl_st *ssl; /* NULL while the stream is plain */
	int64_t deadline_ms;
	bool broken; /* the stream's position is lost */
	bool wrote;  /* something was sent after the last byte came */
	bool shaken; /* the TLS handshake is finished */
	bool host_is_ip;
	unsigned turns;
	uint16_t port; /* 0: a stream over a descriptor */
	char host[WIRE_HOST];
	char ca_file[4096];
	char pin[4 * 45 +
	    1]; /* the only accepted keys, each followed by a comma, or "" */
	bool unpinned;     /* the handshake failed because of the pin */
	char key[64];      /* the pin of a refused certificate */
	uint64_t received; /* bytes received, read or not */
	size_t in_at, in_n;
	size_t out_n;
	char in[LIMIT_LINE + 2];
	char out[WIRE_OUT];
};

struct wire_addrs {
	struct sockaddr_storage v[WIRE_ADDRS];
	socklen_t len[WIRE_ADDRS];
	size_t n;
};

enum wire_proxy_kind {
	WIRE_PROXY_NONE,
	WIRE_PROXY_SOCKS5,  /* emcli looks names up */
	WIRE_PROXY_SOCKS5H, /* the proxy looks names up */
	WIRE_PROXY_HTTP,    /* CONNECT, RFC 9110 section 9.3.6 */
};

struct wire_proxy {
	enum wire_proxy_kind kind;
	char host[WIRE_HOST];
	uint16_t port;
	char user[256], pass[256];
};

/* wire.c */
/*
 * Fails with ERR_NETWORK and the scope of the connection; `stage` becomes the
 * reason ("dns", "tcp", "proxy", "tls") or is NULL; a given wire is broken from
 * then on.
 */
int wire_fail(struct wire *w, struct err *e, const char *stage,
    const char *say);
struct wire *wire_make(int fd, int64_t deadline_ms);
/* Connects to the stored host, or through a proxy. */
int wire_reach(struct wire *w, uint16_t port, struct err *e);
/* Reads at least one byte after what was received. */
int wire_fill(struct wire *w, struct err *e);
/* Waits for poll(2) events until the deadline. */
int wire_wait(struct wire *w, short events, struct err *e);
/* recv(2) and send(2) that count turns and raise no SIGPIPE. */
ssize_t wire_recv(struct wire *w, void *p, size_t n);
ssize_t wire_send(struct wire *w, const void *p, size_t n);

/* wire_target.c */
/* Stores the host to reach; ERR_CONFIG. */
int wire_target_take(struct wire *w, const struct wire_target *t,
    struct err *e);

/* wire_connect.c */
/* Is it a host name or IP literal that can be looked up and sent? */
bool wire_connect_is_host(struct str host);
bool wire_connect_is_ip(const char *host);
int wire_connect_resolve(const char *host, uint16_t port, int64_t deadline_ms,
    struct wire_addrs *out, struct err *e);
/* Tries all addresses of a host; *fd is connected and non-blocking. */
int wire_connect(const char *host, uint16_t port, int64_t deadline_ms, int *fd,
    struct err *e);

/* wire_proxy.c */
/* The environment's proxy for a host; kind NONE: connect directly. */
int wire_proxy_find(const char *host, struct wire_proxy *out, struct err *e);
/* Parses "socks5h://user:pass@host:1080"; false if it is malformed. */
bool wire_proxy_parse(struct str url, struct wire_proxy *out);
/* Does NO_PROXY name the host? */
bool wire_proxy_skips(struct str no_proxy, struct str host);
/* Asks the proxy at the other end of w to connect to host and port. */
int wire_proxy_ask(struct wire *w, const struct wire_proxy *p, const char *host,
    uint16_t port, struct err *e);

/* wire_openssl.c */
/*
 * Before OpenSSL or libcurl is used; repeated calls do little.  Without
 * openssl.cnf, which may name code to load: OPENSSL_CONF names the file, and
 * whoever calls emcli sets that.
 */
void wire_openssl_begin(void);

/* wire_tls.c */
int wire_tls_start(struct wire *w, struct err *e);
/* At least 1: bytes moved; 0: wait for *want; -1: broken, *e says why. */
ssize_t wire_tls_read(struct wire *w, void *p, size_t n, short *want,
    struct err *e);
ssize_t wire_tls_write(struct wire *w, const void *p, size_t n, short *want,
    struct err *e);
/* Did the peer answer as a TLS server, even if the handshake failed? */
bool wire_tls_met(const struct wire *w);
void wire_tls_close(struct wire *w);
void wire_tls_peer(const struct wire *w, struct wire_peer *out);

/* trust.c */
struct trust {
	const char *file; /* PEM bundle, or NULL */
	const char *dir;  /* hashed names, or NULL */
};

/* The authorities that this machine trusts; both NULL: none. */
void trust_system(struct trust *out);

/* http_url.c; both want http_need() first. */
/*
 * Adds a NUL; false if it is too long or has characters not allowed in an
 * address.
 */
bool http_url_copy(struct str url, char out[LIMIT_URL + 1]);
/* "https://host:port" of an allowed address; else false. */
bool http_url_origin(const char *url, char *out, size_t room);

/* wire_trace.c */
/* A change in the state of the connection. */
void wire_trace_state(struct wire *w, const char *what);
void wire_trace_put(struct wire *w, struct str s, bool shown);
/* Buffered data is about to be sent. */
void wire_trace_sent(struct wire *w);
void wire_trace_close(struct wire *w);

/* wire_verify.c */
/* The trust anchors: the account's own file, or the system's authorities. */
int wire_verify_trust(struct wire *w, struct err *e);
/* Sets the name to match and the callback that checks the pin. */
int wire_verify_expect(struct wire *w, struct err *e);
/* Explains a failed verification; 0 if something else failed. */
int wire_verify_explain(struct wire *w, struct err *e);
/* The base64 of SHA-256 over the server's SPKI, or "". */
void wire_verify_key(const struct wire *w, char out[64]);

#endif
