/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The routes of the gateway, each with its operation, whose tables say what a
 * request and an answer hold.  Names are Houmao's, of its first and of its
 * later versions.
 */
#include "door/http/gateway.h"

#define MAIL (ROUTE_HOST | ROUTE_ORIGIN | ROUTE_BEARER | ROUTE_NEAR)
#define POST(at, name)                                                         \
	{                                                                      \
		"POST", "/v1/mail/" at, MAIL, "application/json",              \
		    http_mail_answer, NULL, name                               \
	}

const struct route http_mail_rows[] = {
	/* Houmao's resolver sends no token. */
	{ "GET", "/health", ROUTE_HOST | ROUTE_ORIGIN, NULL, http_mail_health,
	    http_mail_brief, NULL },
	{ "GET", "/v1/mail/status", MAIL, NULL, http_mail_answer,
	    http_mail_brief, "mail_status" },
	POST("check", "mail_check"),
	POST("send", "mail_send"),
	POST("post", "mail_post"),
	POST("reply", "mail_reply"),
	POST("state", "mail_state"),
	POST("list", "mail_list"),
	POST("peek", "mail_peek"),
	POST("read", "mail_read"),
	POST("mark", "mail_mark"),
	POST("move", "mail_move"),
	POST("archive", "mail_archive"),
	{ "GET", "/v1/mail/attachment/", MAIL, NULL, http_mail_file, NULL,
	    "mail_attachment" },
	{ "GET", "/v1/mail-notifier", MAIL, NULL, http_mail_answer,
	    http_mail_brief, "mail_notifier" },
	{ "PUT", "/v1/mail-notifier", MAIL, "application/json",
	    http_mail_answer, http_mail_brief, "mail_notifier_set" },
	{ "DELETE", "/v1/mail-notifier", MAIL, NULL, http_mail_answer,
	    http_mail_brief, "mail_notifier_off" },
	{ 0 },
};
