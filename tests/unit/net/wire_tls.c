/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TLS against an OpenSSL server in a child of the test, with a self-signed and
 * pinned certificate.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/clock.h"
#include "net/wire.h"

/* The time for a handshake in tests that do not measure it. */
#define PATIENCE_MS 60000

struct server {
	EVP_PKEY *key;
	X509 *cert;
	char pin[64];
	pid_t pid;
	uint16_t port;
};

/* The server's action after the handshake. */
typedef void server_fn(SSL *ssl);

static void
add_san(X509 *cert, const char *names)
{
	X509_EXTENSION *x =
	    X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, names);

	assert_non_null(x);
	assert_int_equal(X509_add_ext(cert, x, -1), 1);
	X509_EXTENSION_free(x);
}

static void
make_cert(struct server *s, const char *names)
{
	unsigned char *der = NULL, hash[32];
	int n;

	s->key = EVP_EC_gen("P-256");
	s->cert = X509_new();
	assert_non_null(s->key);
	assert_int_equal(X509_set_version(s->cert, 2), 1);
	(void)ASN1_INTEGER_set(X509_get_serialNumber(s->cert), 7);
	(void)X509_gmtime_adj(X509_getm_notBefore(s->cert), -3600);
	(void)X509_gmtime_adj(X509_getm_notAfter(s->cert), 3600);
	assert_int_equal(X509_set_pubkey(s->cert, s->key), 1);
	add_san(s->cert, names);
	assert_true(X509_sign(s->cert, s->key, EVP_sha256()) > 0);
	n = i2d_PUBKEY(s->key, &der);
	assert_true(n > 0);
	assert_int_equal(EVP_Digest(der, (size_t)n, hash, NULL, EVP_sha256(),
			     NULL),
	    1);
	OPENSSL_free(der);
	s->pin[base64_encode(s->pin, hash, sizeof(hash))] = '\0';
}

static void
serve(const struct server *s, int listener, server_fn *fn)
{
	SSL_CTX *ctx = SSL_CTX_new(TLS_server_method());
	int fd = accept(listener, NULL, NULL);
	SSL *ssl;

	(void)signal(SIGPIPE, SIG_IGN);
	(void)alarm(100);
	if (ctx == NULL || fd < 0 ||
	    SSL_CTX_use_certificate(ctx, s->cert) != 1 ||
	    SSL_CTX_use_PrivateKey(ctx, s->key) != 1)
		_exit(1);
	ssl = SSL_new(ctx);
	if (ssl == NULL || SSL_set_fd(ssl, fd) != 1)
		_exit(1);
	if (SSL_accept(ssl) == 1)
		fn(ssl);
	_exit(0);
}

static void
start(struct server *s, const char *names, server_fn *fn)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	make_cert(s, names);
	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(fd, 1), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &n), 0);
	s->port = ntohs(a.sin_port);
	s->pid = fork();
	assert_true(s->pid >= 0);
	if (s->pid == 0)
		serve(s, fd, fn);
	(void)close(fd);
}

static void
stop(struct server *s)
{
	(void)kill(s->pid, SIGKILL);
	(void)waitpid(s->pid, NULL, 0);
	X509_free(s->cert);
	EVP_PKEY_free(s->key);
}

static int
open_it(const struct server *s, const char *host, int64_t left_ms,
    struct wire **w, struct err *e)
{
	struct wire_target t = { .host = str_of(host),
		.port = s->port,
		.pin = str_of(s->pin),
		.deadline_ms = clock_mono_ms() + left_ms };

	return wire_open(&t, w, e);
}

/* One processor for both, so that it matters which one yields. */
static void
share_cpu(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	(void)sched_setaffinity(0, sizeof(one), &one);
}

/* New keys as fast as possible, and never a byte of mail. */
static void
flood(SSL *ssl)
{
	while (SSL_key_update(ssl, SSL_KEY_UPDATE_NOT_REQUESTED) == 1 &&
	    SSL_do_handshake(ssl) == 1)
		;
}

/*
 * A flooded connection, with a deadline that leaves time after the handshake,
 * however busy this machine is.
 */
static int
open_flooded(struct server *s, struct wire **w)
{
	for (int64_t left = 1000; left <= PATIENCE_MS; left *= 2) {
		struct err e = { 0 };

		start(s, "IP:127.0.0.1", flood);
		if (open_it(s, "127.0.0.1", left, w, &e) == 0)
			return 0;
		stop(s);
	}
	return -1;
}

/*
 * OpenSSL continues to read after a record without data, and a server that is
 * faster than we are never lets it return.  Here the server is faster because
 * we yield the processor to it.  Without the deadline its alarm would end this.
 */
static void
flooded(void **state)
{
	struct server s = { 0 };
	struct err e = { 0 };
	struct wire *w = NULL;
	struct str line;
	int status = -1;
	pid_t pid;

	(void)state;
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		share_cpu();
		errno = 0;
		if (nice(10) == -1 && errno != 0)
			_exit(9);
		if (open_flooded(&s, &w) < 0 ||
		    wire_line(w, 100, &line, &e) == 0)
			_exit(8);
		stop(&s);
		_exit(strstr(e.say, "in time") == NULL ? 2 : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* Half a line, and the TCP connection ends without a close_notify. */
static void
cut(SSL *ssl)
{
	(void)SSL_write(ssl, "half\r\na line", 12);
	SSL_set_quiet_shutdown(ssl, 1);
}

/* The same with a close_notify: for a line there is no difference. */
static void
goodbye(SSL *ssl)
{
	(void)SSL_write(ssl, "half\r\na line", 12);
	(void)SSL_shutdown(ssl);
}

static void
truncated(void **state)
{
	server_fn *const ways[] = { cut, goodbye };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct server s = { 0 };
		struct err e = { 0 };
		struct wire *w = NULL;
		struct str line;

		start(&s, "IP:127.0.0.1", ways[i]);
		assert_int_equal(open_it(&s, "127.0.0.1", PATIENCE_MS, &w, &e),
		    0);
		assert_int_equal(wire_line(w, 100, &line, &e), 0);
		assert_true(str_eq(line, S("half")));
		assert_int_equal(wire_line(w, 100, &line, &e), -1);
		assert_int_equal(e.kind, ERR_NETWORK);
		assert_string_equal(e.say, "the server closed the connection");
		wire_close(&w);
		stop(&s);
	}
}

/* A pin replaces an authority, never the name. */
static void
names(void **state)
{
	static const struct {
		const char *names, *host;
		bool good;
	} rows[] = {
		{ "IP:127.0.0.1", "127.0.0.1", true },
		{ "DNS:localhost", "localhost", true },
		{ "DNS:localhost", "LocalHost.", true },
		/* A DNS name that looks like the address, and the reverse. */
		{ "DNS:127.0.0.1", "127.0.0.1", false },
		{ "IP:127.0.0.1", "localhost", false },
		{ "IP:127.0.0.2", "127.0.0.1", false },
		{ "DNS:*", "localhost", false },
		{ "DNS:l*t", "localhost", false },
		{ "DNS:*.localhost", "localhost", false },
		{ "DNS:*.x.localhost", "a.x.localhost", true },
		{ "DNS:*.x.localhost", "b.a.x.localhost", false },
		{ "DNS:*.x.localhost", "x.localhost", false },
		{ "email:localhost", "localhost", false },
		{ "DNS:localhost.evil.example", "localhost", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct server s = { 0 };
		struct err e = { 0 };
		struct wire *w = NULL;

		start(&s, rows[i].names, cut);
		if (open_it(&s, rows[i].host, PATIENCE_MS, &w, &e) !=
		    (rows[i].good ? 0 : -1))
			fail_msg("%s for %s: %s", rows[i].names, rows[i].host,
			    e.say);
		if (!rows[i].good)
			assert_string_equal(e.say,
			    "the server's certificate does not match its name");
		wire_close(&w);
		stop(&s);
	}
}

/* The server's own certificate as an authority, in a file. */
static void
write_ca(const struct server *s, char path[])
{
	int fd = mkstemp(path);
	BIO *b = BIO_new_fd(fd, BIO_CLOSE);

	assert_true(fd >= 0);
	assert_non_null(b);
	assert_int_equal(PEM_write_bio_X509(b, s->cert), 1);
	BIO_free(b);
}

#define OTHER "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

/* With a pin the leaf's key decides, RFC 7469 section 2.6. */
static void
pins(void **state)
{
	static const struct {
		const char *why, *pin; /* "%s" is the server's own */
		bool ca, good;
	} rows[] = {
		{ "an authority, no pin", "", true, true },
		{ "neither", "", false, false },
		{ "the pin alone", "%s", false, true },
		{ "both", "%s", true, true },
		{ "an authority, and another's pin", OTHER, true, false },
		{ "another's pin alone", OTHER, false, false },
		{ "one of two", OTHER ",%s", true, true },
		{ "the first of two", "%s," OTHER, false, true },
		{ "two others", OTHER "," OTHER, true, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char path[] = "/tmp/emcli-pin-XXXXXX", pin[200];
		struct server s = { 0 };
		struct err e = { 0 };
		struct wire *w = NULL;
		const char *own;
		int r;

		start(&s, "IP:127.0.0.1", cut);
		write_ca(&s, path);
		own = strstr(rows[i].pin, "%s");
		(void)snprintf(pin, sizeof(pin), "%.*s%s%s",
		    own == NULL ? 200 : (int)(own - rows[i].pin), rows[i].pin,
		    own == NULL ? "" : s.pin, own == NULL ? "" : own + 2);
		r = wire_open(&(struct wire_target){ .host = S("127.0.0.1"),
				  .port = s.port,
				  .ca_file = str_of(rows[i].ca ? path : ""),
				  .pin = str_of(pin),
				  .deadline_ms = clock_mono_ms() + 5000 },
		    &w, &e);
		if (r != (rows[i].good ? 0 : -1))
			fail_msg("%s: %d %s", rows[i].why, r, e.say);
		if (r < 0 && pin[0] != '\0')
			assert_string_equal(e.say,
			    "the server's key is not the pinned one");
		wire_close(&w);
		stop(&s);
		(void)unlink(path);
	}
}

#define T(why, fn)                                                             \
	{                                                                      \
		why, fn, NULL, NULL, NULL                                      \
	}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T("the deadline holds against records without data", flooded),
		T("the end of the stream is never the end of a line",
		    truncated),
		T("the name counts, pin or not", names),
		T("the leaf's key is a pinned one, whoever signed it", pins),
	};

	return cmocka_run_group_tests_name("net/wire_tls", tests, NULL, NULL);
}
