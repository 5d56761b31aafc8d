/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Certificate verification.  The chain must end at a known authority, and the
 * leaf must have the host's name (RFC 6125) and be valid now.  A pin is the
 * SHA-256 of the leaf's SubjectPublicKeyInfo (RFC 7469 section 2.4).  It
 * replaces the authorities: the leaf's key must be pinned, whoever signed it
 * (section 2.6), and the chain may end anywhere; name and dates are still
 * checked.
 */
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "base/base64.h"
#include "net/internal.h"

static int
wire_verify_trust_system_in(struct ssl_ctx_st *ctx)
{
	struct trust t;
	int good = 0;

	trust_system(&t);
	if (t.file != NULL)
		good |= SSL_CTX_load_verify_file(ctx, t.file);
	if (t.dir != NULL)
		good |= SSL_CTX_load_verify_dir(ctx, t.dir);
	return good;
}

int
wire_verify_trust(struct wire *w, struct err *e)
{
	if (w->ca_file[0] != '\0') {
		if (SSL_CTX_load_verify_file(w->ctx, w->ca_file) == 1)
			return 0;
		(void)err_set(e, ERR_CONFIG,
		    "the account's CA file cannot be read");
		(void)err_because(e, "%s", w->ca_file);
		return err_hint(e,
		    "restore it, or name another: emcli account edit --ca");
	}
	/* With a pin the system's authorities are not needed. */
	if (wire_verify_trust_system_in(w->ctx) == 1 || w->pin[0] != '\0')
		return 0;
	return err_set(e, ERR_CONFIG,
	    "this machine has no certificate authorities");
}

static bool
wire_verify_key_of(X509 *cert, char out[64])
{
	unsigned char hash[EVP_MAX_MD_SIZE], *der = NULL;
	unsigned n = 0;
	bool good;
	int len;

	if (cert == NULL)
		return false;
	len = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(cert), &der);
	if (len <= 0)
		return false;
	good = EVP_Digest(der, (size_t)len, hash, &n, EVP_sha256(), NULL) == 1;
	OPENSSL_free(der);
	if (!good)
		return false;
	out[base64_encode(out, hash, n)] = '\0';
	return true;
}

static bool
wire_verify_is_pinned(const struct wire *w, X509 *cert)
{
	char key[64] = "";

	if (!wire_verify_key_of(cert, key))
		return false;
	for (size_t at = 0; w->pin[at] != '\0'; at += strlen(key) + 1)
		if (strncmp(w->pin + at, key, strlen(key)) == 0)
			return true;
	return false;
}

static bool
wire_verify_is_chain_error(int error)
{
	return error == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT ||
	    error == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY ||
	    error == X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT ||
	    error == X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN ||
	    error == X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE;
}

/*
 * Called for every certificate of the chain, and for every finding; 1
 * continues, 0 ends the handshake.
 */
static int
wire_verify_judge(int good, X509_STORE_CTX *ctx)
{
	X509 *leaf = X509_STORE_CTX_get0_cert(ctx);
	SSL *ssl = X509_STORE_CTX_get_ex_data(ctx,
	    SSL_get_ex_data_X509_STORE_CTX_idx());
	struct wire *w = SSL_get_app_data(ssl);
	bool pins = w->pin[0] != '\0';

	w->unpinned = pins && !wire_verify_is_pinned(w, leaf);
	if (w->unpinned && good == 1)
		X509_STORE_CTX_set_error(ctx, X509_V_ERR_CERT_REJECTED);
	if (!w->unpinned && good == 1)
		return 1;
	if (w->unpinned || !pins ||
	    !wire_verify_is_chain_error(X509_STORE_CTX_get_error(ctx))) {
		/* OpenSSL drops a certificate that it refused. */
		(void)wire_verify_key_of(leaf, w->key);
		return 0;
	}
	X509_STORE_CTX_set_error(ctx, X509_V_OK);
	return 1;
}

int
wire_verify_expect(struct wire *w, struct err *e)
{
	X509_VERIFY_PARAM *param = SSL_get0_param(w->ssl);
	int good;

	(void)SSL_set_app_data(w->ssl, w);
	SSL_set_verify(w->ssl, SSL_VERIFY_PEER, wire_verify_judge);
	X509_VERIFY_PARAM_set_hostflags(param,
	    X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
	/* RFC 6066 section 3: server_name is never an IP literal. */
	if (w->host_is_ip)
		good = X509_VERIFY_PARAM_set1_ip_asc(param, w->host);
	else
		good = SSL_set1_host(w->ssl, w->host) == 1 &&
		    SSL_set_tlsext_host_name(w->ssl, w->host) == 1;
	if (good == 1)
		return 0;
	return err_set(e, ERR_CONFIG, "the account's server name is not valid");
}

enum {
	OTHER_NAME,
	EXPIRED,
	FUTURE,
	NOT_PINNED,
	NO_AUTHORITY,
	OTHERWISE
};

/* The message, and what the operator can do about it. */
static const struct verdict {
	const char *say, *next;
} verdicts[] = {
	[OTHER_NAME] = { "the server's certificate does not match its name",
	    "use the name in the certificate: emcli account edit --imap-host "
	    "or --smtp-host" },
	[EXPIRED] = { "the server's certificate has expired",
	    "check this machine's clock; if it is right, whoever runs the "
	    "server must renew the certificate" },
	[FUTURE] = { "the server's certificate is not valid yet",
	    "check this machine's clock; if it is right, the server's "
	    "certificate is wrong" },
	[NOT_PINNED] = { "the server's key is not the pinned one",
	    "if the server's key was changed on purpose, set the new pin; if "
	    "two servers have two keys, set both: emcli account edit --pin "
	    "A,B" },
	[NO_AUTHORITY] = { "the server's certificate is not signed by a known "
			   "authority",
	    "for a private server, set its authority or its key: emcli account "
	    "edit --ca or --pin" },
	[OTHERWISE] = { "the server's certificate cannot be verified",
	    "ask whoever runs the server" },
};

static int
wire_verify_verdict_of(const struct wire *w, long error)
{
	if (w->unpinned)
		return NOT_PINNED;
	if (error == X509_V_ERR_HOSTNAME_MISMATCH ||
	    error == X509_V_ERR_IP_ADDRESS_MISMATCH)
		return OTHER_NAME;
	if (error == X509_V_ERR_CERT_HAS_EXPIRED)
		return EXPIRED;
	if (error == X509_V_ERR_CERT_NOT_YET_VALID)
		return FUTURE;
	if (!wire_verify_is_chain_error((int)error))
		return OTHERWISE;
	return NO_AUTHORITY;
}

int
wire_verify_explain(struct wire *w, struct err *e)
{
	long error = SSL_get_verify_result(w->ssl);
	const struct verdict *v;

	if (error == X509_V_OK)
		return 0;
	v = &verdicts[wire_verify_verdict_of(w, error)];
	(void)wire_fail(w, e, "tls", v->say);
	(void)err_hint(e, v->next);
	(void)err_because(e, "%s: %s", w->host,
	    X509_verify_cert_error_string(error));
	if (w->key[0] != '\0')
		(void)err_because(e, "its pin is %s", w->key);
	return -1;
}

void
wire_verify_key(const struct wire *w, char out[64])
{
	if (!wire_verify_key_of(SSL_get0_peer_certificate(w->ssl), out))
		out[0] = '\0';
}
