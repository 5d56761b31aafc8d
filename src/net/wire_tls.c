/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TLS below the line stream.  OpenSSL is initialised by the first handshake, so
 * a command without one does not pay for it (about 1 ms), and without
 * openssl.cnf (wire_openssl.c): only this code decides what is verified and
 * how.
 *
 * OpenSSL's own socket BIO raises SIGPIPE; ours uses wire_send() and
 * wire_recv(), which also count the turns.
 */
#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>

#include "base/clock.h"
#include "net/internal.h"

static int
wire_tls_bio_write(BIO *b, const char *p, int n)
{
	ssize_t r = wire_send(BIO_get_data(b), p, (size_t)n);

	BIO_clear_retry_flags(b);
	if (r < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		BIO_set_retry_write(b);
	return (int)r;
}

/*
 * After a record without data OpenSSL reads on by itself, so a server that
 * sends only such records would keep us here; after the deadline nothing is
 * read, so the wait ends.
 */
static int
wire_tls_bio_read(BIO *b, char *p, int n)
{
	struct wire *w = BIO_get_data(b);
	ssize_t r;

	BIO_clear_retry_flags(b);
	if (clock_left_ms(w->deadline_ms) == 0) {
		BIO_set_retry_read(b);
		return -1;
	}
	r = wire_recv(w, p, (size_t)n);
	if (r < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		BIO_set_retry_read(b);
	return (int)r;
}

static long
wire_tls_bio_ctrl(BIO *b, int cmd, long num, void *p)
{
	(void)b;
	(void)num;
	(void)p;
	return cmd == BIO_CTRL_FLUSH;
}

/* One, for the life of the process. */
static BIO_METHOD *
wire_tls_bio_method(void)
{
	static BIO_METHOD *m;

	if (m != NULL)
		return m;
	m = BIO_meth_new(BIO_TYPE_SOURCE_SINK | BIO_get_new_index(), "wire");
	if (m == NULL || BIO_meth_set_write(m, wire_tls_bio_write) != 1 ||
	    BIO_meth_set_read(m, wire_tls_bio_read) != 1 ||
	    BIO_meth_set_ctrl(m, wire_tls_bio_ctrl) != 1)
		err_bug("out of memory");
	return m;
}

/* OpenSSL's own words, for the operator. */
static int
wire_tls_because(struct err *e)
{
	unsigned long code = ERR_peek_last_error();
	char text[256];

	if (code == 0)
		return -1;
	ERR_error_string_n(code, text, sizeof(text));
	ERR_clear_error();
	return err_because(e, "%s", text);
}

static int
wire_tls_set_up(struct wire *w, struct err *e)
{
	BIO *b;

	wire_openssl_begin();
	w->ctx = SSL_CTX_new(TLS_client_method());
	if (w->ctx == NULL ||
	    SSL_CTX_set_min_proto_version(w->ctx, TLS1_2_VERSION) != 1)
		err_bug("OpenSSL cannot make a TLS context");
	SSL_CTX_set_session_cache_mode(w->ctx, SSL_SESS_CACHE_OFF);
	(void)SSL_CTX_set_options(w->ctx,
	    SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
	(void)SSL_CTX_set_mode(w->ctx,
	    SSL_MODE_ENABLE_PARTIAL_WRITE |
		SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
	if (wire_verify_trust(w, e) < 0)
		return wire_tls_because(e);

	w->ssl = SSL_new(w->ctx);
	b = BIO_new(wire_tls_bio_method());
	if (w->ssl == NULL || b == NULL)
		err_bug("out of memory");
	BIO_set_data(b, w);
	BIO_set_init(b, 1);
	SSL_set_bio(w->ssl, b, b);
	if (wire_verify_expect(w, e) < 0)
		return wire_tls_because(e);
	return 0;
}

/* Why SSL_connect() failed, as a useful message. */
static int
wire_tls_explain(struct wire *w, int error, struct err *e)
{
	unsigned long code = ERR_peek_last_error();
	const char *say = "the TLS handshake failed";

	if (wire_verify_explain(w, e) < 0)
		return wire_tls_because(e);
	switch (ERR_GET_REASON(code)) {
	case SSL_R_WRONG_VERSION_NUMBER:
	case SSL_R_PACKET_LENGTH_TOO_LONG:
	case SSL_R_HTTP_REQUEST:
		say = "the server does not speak TLS on this port";
		break;
	case SSL_R_UNSUPPORTED_PROTOCOL:
	case SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
		say = "the server's TLS is too old";
		break;
	case SSL_R_UNEXPECTED_EOF_WHILE_READING:
		say =
		    "the server closed the connection during the TLS handshake";
		break;
	default:
		if (error == SSL_ERROR_SYSCALL)
			say = "the server closed the connection during the TLS "
			      "handshake";
		break;
	}
	(void)wire_fail(w, e, "tls", say);
	(void)err_hint(e,
	    "the port may need the other kind of security: see --imap-security "
	    "or --smtp-security");
	return wire_tls_because(e);
}

int
wire_tls_start(struct wire *w, struct err *e)
{
	int r, error;

	ERR_clear_error();
	if (wire_tls_set_up(w, e) < 0) {
		w->broken = true;
		return -1;
	}
	for (;;) {
		if (clock_left_ms(w->deadline_ms) == 0) {
			(void)wire_fail(w, e, "tls",
			    "the server did not answer in time");
			return -1;
		}
		r = SSL_connect(w->ssl);
		if (r == 1)
			break;
		error = SSL_get_error(w->ssl, r);
		if (error != SSL_ERROR_WANT_READ &&
		    error != SSL_ERROR_WANT_WRITE)
			return wire_tls_explain(w, error, e);
		r = wire_wait(w,
		    error == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT, e);
		if (r < 0) {
			e->reason = "tls";
			return -1;
		}
	}
	w->shaken = true;
	return 0;
}

/* The meaning of an SSL_read() or SSL_write() that moved nothing. */
static int
wire_tls_stopped(struct wire *w, int r, short *want, struct err *e)
{
	switch (SSL_get_error(w->ssl, r)) {
	case SSL_ERROR_WANT_READ:
		*want = POLLIN;
		return 0;
	case SSL_ERROR_WANT_WRITE:
		*want = POLLOUT;
		return 0;
	case SSL_ERROR_ZERO_RETURN:
		return wire_fail(w, e, NULL,
		    "the server closed the connection");
	case SSL_ERROR_SYSCALL:
		(void)wire_fail(w, e, NULL, "the server closed the connection");
		return wire_tls_because(e);
	default:
		(void)wire_fail(w, e, NULL,
		    ERR_GET_REASON(ERR_peek_last_error()) ==
			    SSL_R_UNEXPECTED_EOF_WHILE_READING
			? "the server closed the connection"
			: "the TLS connection broke");
		return wire_tls_because(e);
	}
}

ssize_t
wire_tls_read(struct wire *w, void *p, size_t n, short *want, struct err *e)
{
	int r;

	ERR_clear_error();
	r = SSL_read(w->ssl, p, n > INT32_MAX ? INT32_MAX : (int)n);
	return r > 0 ? r : wire_tls_stopped(w, r, want, e);
}

ssize_t
wire_tls_write(struct wire *w, const void *p, size_t n, short *want,
    struct err *e)
{
	int r;

	ERR_clear_error();
	r = SSL_write(w->ssl, p, n > INT32_MAX ? INT32_MAX : (int)n);
	return r > 0 ? r : wire_tls_stopped(w, r, want, e);
}

bool
wire_tls_met(const struct wire *w)
{
	return w->shaken ||
	    (w->ssl != NULL && SSL_get_verify_result(w->ssl) != X509_V_OK);
}

void
wire_tls_close(struct wire *w)
{
	if (w->ssl != NULL && w->shaken && !w->broken)
		(void)SSL_shutdown(w->ssl); /* sends close_notify, does not wait
					       for an answer */
	SSL_free(w->ssl);
	SSL_CTX_free(w->ctx);
	w->ssl = NULL;
	w->ctx = NULL;
	ERR_clear_error();
}

void
wire_tls_peer(const struct wire *w, struct wire_peer *out)
{
	X509 *cert = SSL_get0_peer_certificate(w->ssl);
	struct clock_date d;
	struct tm tm;

	(void)snprintf(out->version, sizeof(out->version), "%s",
	    SSL_get_version(w->ssl));
	wire_verify_key(w, out->pin);
	if (cert == NULL)
		return;
	/* X509_NAME_oneline() escapes unprintable characters. */
	(void)X509_NAME_oneline(X509_get_subject_name(cert), out->subject,
	    sizeof(out->subject));
	(void)X509_NAME_oneline(X509_get_issuer_name(cert), out->issuer,
	    sizeof(out->issuer));
	if (ASN1_TIME_to_tm(X509_get0_notAfter(cert), &tm) != 1)
		return;
	d = (struct clock_date){ tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday,
		tm.tm_hour, tm.tm_min, tm.tm_sec, 0 };
	out->not_after = clock_unix(&d);
}
