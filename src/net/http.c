/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wraps libcurl.  An easy handle is kept with its connection, and every option
 * for a request is set again.
 */
#include "net/http.h"

#include "base/base64.h"
#include "base/clock.h"
#include "net/http_curl.h"
#include "net/http_trace.h"
#include "net/internal.h"

struct http {
	CURL *curl;
	char ca_file[4096];
	char type[256];          /* the answer's Content-Type */
	char url[LIMIT_URL + 1]; /* and its final address */
	char *p;                 /* the answer's body */
	size_t n, room, max;
	size_t taken; /* bytes of the body passed to the request's `take` */
	size_t head;  /* bytes of header so far */
	bool over, refused, begun;
	const struct http_request *q;
};

int
http_open(struct str ca_file, struct http **out, struct err *e)
{
	struct http *h;

	if (http_need(e) < 0)
		return -1;
	h = calloc(1, sizeof(*h));
	if (h == NULL)
		err_bug("out of memory");
	if (ca_file.n >= sizeof(h->ca_file)) {
		free(h);
		return err_set(e, ERR_CONFIG,
		    "the path of the account's CA file is too long");
	}
	memcpy(h->ca_file, ca_file.p != NULL ? ca_file.p : "", ca_file.n);
	h->curl = http_curl.easy_init();
	if (h->curl == NULL)
		err_bug("out of memory");
	*out = h;
	return 0;
}

static void
http_drop_body(struct http *h)
{
	if (h->p != NULL)
		secret_free(h->p);
	h->p = NULL;
	h->n = h->room = h->head = h->taken = 0;
	h->over = h->refused = h->begun = false;
}

void
http_close(struct http **hp)
{
	struct http *h = *hp;

	if (h == NULL)
		return;
	*hp = NULL;
	http_curl.easy_cleanup(h->curl);
	http_drop_body(h);
	free(h);
}

/* Does the caller receive the body as it arrives? */
static bool
http_is_streamed(struct http *h)
{
	long status = 0;

	if (h->q->take == NULL)
		return false;
	(void)http_curl.easy_getinfo(h->curl, CURLINFO_RESPONSE_CODE, &status);
	return status / 100 == 2;
}

static size_t
http_hand_on(struct http *h, struct str part)
{
	h->taken += part.n;
	h->over = h->taken > h->max;
	h->refused = !h->over && h->q->take(part, h->q->ctx) < 0;
	return h->over || h->refused ? 0 : part.n;
}

static size_t
http_take_body(char *p, size_t size, size_t n, void *ctx)
{
	struct http *h = ctx;

	n *= size;
	if (n > 0 && http_is_streamed(h))
		return http_hand_on(h, (struct str){ p, n });
	if (n > h->max - h->n) {
		h->over = true;
		return 0;
	}
	if (h->n + n > h->room) {
		size_t room = 2 * (h->n + n);
		char *q = secret_realloc(h->p, room);

		if (q == NULL)
			err_bug("out of memory");
		h->p = q;
		h->room = room;
	}
	memcpy(h->p + h->n, p, n);
	h->n += n;
	return n;
}

/* The empty line after a head: the caller may look at it before the body. */
static void
http_tell_begun(struct http *h)
{
	long status = 0;
	char *type = NULL;

	if (h->begun || h->q->begun == NULL || !http_is_streamed(h))
		return;
	h->begun = true;
	(void)http_curl.easy_getinfo(h->curl, CURLINFO_RESPONSE_CODE, &status);
	(void)http_curl.easy_getinfo(h->curl, CURLINFO_CONTENT_TYPE, &type);
	h->refused = h->q->begun((int)status, str_of(type), h->q->ctx) < 0;
}

static size_t
http_take_head(char *p, size_t size, size_t n, void *ctx)
{
	struct http *h = ctx;
	struct str line = { p, n * size };

	h->head += line.n;
	h->over = h->head > LIMIT_HTTP_HEAD;
	if (!h->over && (str_eq(line, S("\r\n")) || str_eq(line, S("\n"))))
		http_tell_begun(h);
	return h->over || h->refused ? 0 : line.n;
}

/* Not 0: cancels the request. */
static int
http_is_stopped(void *ctx, curl_off_t d, curl_off_t dn, curl_off_t u,
    curl_off_t un)
{
	struct http *h = ctx;

	(void)d;
	(void)dn;
	(void)u;
	(void)un;
	if (h->q->stop != NULL && *h->q->stop != 0)
		return 1;
	h->refused = h->q->tick != NULL && h->q->tick(h->q->ctx) < 0;
	return h->refused;
}

#define SET(h, option, value) HTTP_CURL_SET((h)->curl, option, value)

static void
http_set_limits(struct http *h, const struct http_request *q)
{
	long left = clock_left_ms(q->deadline_ms);

	h->q = q;
	h->max = q->max;
	if (q->stop != NULL || q->tick != NULL) {
		SET(h, CURLOPT_NOPROGRESS, 0L);
		SET(h, CURLOPT_XFERINFOFUNCTION, http_is_stopped);
		SET(h, CURLOPT_XFERINFODATA, h);
	}
	if (q->socket != NULL)
		SET(h, CURLOPT_UNIX_SOCKET_PATH, q->socket);
	SET(h, CURLOPT_PROTOCOLS_STR, "https,http");
	SET(h, CURLOPT_FOLLOWLOCATION, 0L);
	SET(h, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	SET(h, CURLOPT_NOSIGNAL, 1L);
	SET(h, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	/* 0 would mean no limit. */
	SET(h, CURLOPT_TIMEOUT_MS, left > 0 ? left : 1L);
	SET(h, CURLOPT_USERAGENT, "emcli/" EMCLI_VERSION);
	SET(h, CURLOPT_WRITEFUNCTION, http_take_body);
	SET(h, CURLOPT_WRITEDATA, h);
	SET(h, CURLOPT_HEADERFUNCTION, http_take_head);
	SET(h, CURLOPT_HEADERDATA, h);
}

static int
http_put_bearer(struct str plain, void *ctx)
{
	struct http *h = ctx;
	char text[LIMIT_SECRET + 1];

	for (size_t i = 0; i < plain.n; i++)
		if ((unsigned char)plain.p[i] <= 0x20 ||
		    (unsigned char)plain.p[i] >= 0x7f)
			return -1;
	memcpy(text, plain.p, plain.n);
	text[plain.n] = '\0';
	SET(h, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER);
	SET(h, CURLOPT_XOAUTH2_BEARER, text);
	secret_wipe(text, plain.n);
	return 0;
}

struct basic {
	struct str user;
	struct curl_slist *list;
};

/*
 * As a header of our own: with CURLOPT_USERPWD libcurl puts the user name into
 * the address of a relative redirect.
 */
static int
http_put_basic(struct str plain, void *ctx)
{
	struct basic *b = ctx;
	char raw[LIMIT_SECRET + 512],
	    text[2 * LIMIT_SECRET] = "Authorization: Basic ";
	size_t n = strlen(text), at = 0;

	if (plain.n == 0 || plain.n > LIMIT_SECRET || b->user.n > 500 ||
	    str_has_char(b->user, ':'))
		return -1;
	if (b->user.n > 0) {
		memcpy(raw, b->user.p, b->user.n);
		raw[b->user.n] = ':';
		at = b->user.n + 1;
	}
	memcpy(raw + at, plain.p, plain.n);
	text[n + base64_encode(text + n, raw, at + plain.n)] = '\0';
	b->list = http_curl.slist_append(b->list, text);
	secret_wipe(raw, at + plain.n);
	secret_wipe(text, sizeof(text));
	return b->list == NULL ? -1 : 0;
}

struct cookie {
	struct http *h;
	const char *name; /* for a value without a name, or NULL */
};

static int
http_put_cookie(struct str plain, void *ctx)
{
	const struct cookie *c = ctx;
	char text[LIMIT_SECRET + 64];
	bool named = str_has_char(plain, '=');
	int n = 0;

	/*
	 * One pair, RFC 6265 section 4.2.1: no character that ends it or the
	 * line.
	 */
	if (plain.n == 0 || (!named && c->name == NULL))
		return -1;
	for (size_t i = 0; i < plain.n; i++)
		if ((unsigned char)plain.p[i] <= 0x20 ||
		    (unsigned char)plain.p[i] >= 0x7f || plain.p[i] == ';')
			return -1;
	if (!named)
		n = snprintf(text, 60, "%s=", c->name);
	memcpy(text + n, plain.p, plain.n);
	text[(size_t)n + plain.n] = '\0';
	SET(c->h, CURLOPT_COOKIE, text);
	secret_wipe(text, (size_t)n + plain.n);
	return 0;
}

static int
http_set_login(struct http *h, const struct http_request *q,
    struct curl_slist **list, struct err *e)
{
	struct cookie c = { h, q->cookie_name };
	struct basic b = { q->basic_user, NULL };
	int r = 0;

	if (q->bearer != NULL)
		r = secret_lend(q->bearer, http_put_bearer, h);
	else if (q->basic != NULL)
		r = secret_lend(q->basic, http_put_basic, &b);
	else if (q->cookie != NULL)
		r = secret_lend(q->cookie, http_put_cookie, &c);
	*list = b.list;
	if (r < 0)
		return err_set(e, ERR_USAGE,
		    "the credential cannot be sent over HTTP");
	return 0;
}

static struct curl_slist *
http_set_body(struct http *h, const struct http_request *q,
    struct curl_slist *list)
{
	char type[160];

	(void)snprintf(type, sizeof(type), "Accept: %s",
	    q->accept != NULL ? q->accept : "application/json");
	list = http_curl.slist_append(list, type);

	if (q->body.p == NULL) {
		SET(h, CURLOPT_HTTPGET, 1L);
	} else {
		(void)snprintf(type, sizeof(type), "Content-Type: %.*s",
		    STR_ARG(q->type));
		SET(h, CURLOPT_POST, 1L);
		SET(h, CURLOPT_POSTFIELDS, q->body.p);
		SET(h, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)q->body.n);
		if (list != NULL)
			list = http_curl.slist_append(list, type);
		/* Waiting for 100 Continue would cost a round trip. */
		if (list != NULL)
			list = http_curl.slist_append(list, "Expect:");
	}
	if (q->method != NULL)
		SET(h, CURLOPT_CUSTOMREQUEST, q->method);
	if (list == NULL)
		err_bug("out of memory");
	SET(h, CURLOPT_HTTPHEADER, list);
	return list;
}

static int
http_explain(const struct http *h, CURLcode code, const char *origin,
    struct err *e)
{
	const char *say = "the web server's answer is not valid HTTP";

	if (h->over) {
		(void)err_set(e, ERR_LIMIT,
		    "the web server's answer is too long");
		return err_because(e, "http: %s", origin);
	}
	if (code == CURLE_PEER_FAILED_VERIFICATION ||
	    code == CURLE_SSL_CACERT_BADFILE)
		say = "the web server's certificate cannot be verified";
	else if (code == CURLE_COULDNT_RESOLVE_HOST)
		say = "the web server's name cannot be found";
	else if (code == CURLE_COULDNT_RESOLVE_PROXY || code == CURLE_PROXY ||
	    code == CURLE_COULDNT_CONNECT)
		say = "the web server cannot be reached";
	else if (code == CURLE_ABORTED_BY_CALLBACK)
		say = "the request was cancelled";
	else if (h->refused)
		say = "the web server's answer was refused";
	else if (code == CURLE_OPERATION_TIMEDOUT)
		say = "the web server did not answer in time";
	else if (code == CURLE_SSL_CONNECT_ERROR)
		say = "no TLS connection to the web server is possible";
	(void)err_set(e, ERR_NETWORK, "%s", say);
	return err_because(e, "http: %s: %s", origin,
	    http_curl.easy_strerror(code));
}

static void
http_take_reply(struct http *h, struct http_reply *out)
{
	long status = 0;
	curl_off_t wait = 0;
	char *type = NULL;
	size_t n;

	(void)http_curl.easy_getinfo(h->curl, CURLINFO_RESPONSE_CODE, &status);
	/* Both forms of RFC 9110 section 10.2.3, a date made into seconds. */
	(void)http_curl.easy_getinfo(h->curl, CURLINFO_RETRY_AFTER, &wait);
	(void)http_curl.easy_getinfo(h->curl, CURLINFO_CONTENT_TYPE, &type);
	n = type != NULL ? strlen(type) : 0;
	if (n >= sizeof(h->type))
		n = 0; /* longer than any supported type */
	if (n > 0)
		memcpy(h->type, type, n);
	*out = (struct http_reply){
		.status = (int)status,
		.body = { h->p != NULL ? h->p : "", h->n },
		.type = { h->type, n },
		.retry_after_s = wait < 0        ? 0
		    : wait > LIMIT_RETRY_AFTER_S ? LIMIT_RETRY_AFTER_S
						 : wait,
	};
}

/* One request, no redirect followed. */
static int
http_ask(struct http *h, const struct http_request *q, const char *url,
    bool login, struct http_reply *out, struct err *e)
{
	struct curl_slist *list = NULL;
	char origin[512];
	CURLcode code;

	if (!http_url_origin(url, origin, sizeof(origin)))
		return err_set(e, ERR_CONFIG,
		    "a web address is not valid, or not https");
	http_drop_body(h);
	/* Keeps connections, clears options including the last login. */
	http_curl.easy_reset(h->curl);
	http_set_limits(h, q);
	SET(h, CURLOPT_URL, url);
	if (http_way_trust(h->curl, h->ca_file, e) < 0 ||
	    http_way_proxy(h->curl, origin, e) < 0 ||
	    (login && http_set_login(h, q, &list, e) < 0))
		return -1;
	list = http_set_body(h, q, list);
	http_trace_ask(origin, str_of(url), q);
	code = http_curl.easy_perform(h->curl);
	http_curl.slist_free_all(list);
	if (code != CURLE_OK) {
		(void)http_explain(h, code, origin, e);
		http_trace_failed(origin, e);
		return -1;
	}
	http_take_reply(h, out);
	http_trace_answer(origin, out, h->n + h->taken);
	return 0;
}

/* The address of a redirect, or NULL. */
static const char *
http_next_url(struct http *h, const struct http_request *q, int status)
{
	char *url = NULL;

	if (q->body.p != NULL || q->method != NULL || status < 300 ||
	    status > 399 ||
	    http_curl.easy_getinfo(h->curl, CURLINFO_REDIRECT_URL, &url) !=
		CURLE_OK)
		return NULL;
	return url;
}

int
http_send(struct http *h, const struct http_request *q, struct http_reply *out,
    struct err *e)
{
	char first[512] = "", origin[512] = "";
	char *url = h->url;
	const char *next;
	bool login = true;

	if (!http_url_copy(q->url, url) ||
	    !http_url_origin(url, first, sizeof(first)))
		return err_set(e, ERR_CONFIG,
		    "a web address is not valid, or not https");
	for (unsigned i = 0;; i++) {
		if (http_ask(h, q, url, login, out, e) < 0)
			return -1;
		out->url = str_of(url);
		if (i >= q->redirects ||
		    (next = http_next_url(h, q, out->status)) == NULL)
			return 0;
		/*
		 * A remote server must not redirect us to services on this
		 * machine.
		 */
		if (!http_url_copy(str_of(next), url) ||
		    !http_url_origin(url, origin, sizeof(origin)) ||
		    (str_starts(str_of(first), S("https:")) &&
			!str_starts(str_of(origin), S("https:")))) {
			(void)err_set(e, ERR_NETWORK,
			    "the web server redirects to an address that is "
			    "not allowed");
			return err_because(e, "http: from %s", first);
		}
		login = login && strcmp(origin, first) == 0;
	}
}
