/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_CONFORM_MAIL_H
#define TESTS_CONFORM_MAIL_H

/*
 * The mailbox every backend is asked about: these messages in INBOX, in this
 * order, and folders Empty, Kept and Drafts, all empty.  `backend mail N`
 * prints the N-th, so that what fills a server has them from here.
 */
#include <stdint.h>

#define MAILS 6

struct conform_mail {
	const char *subject; /* decoded */
	int64_t day_s;       /* midnight of its Date */
	bool attachment;
	const char *raw;
};

#define MAIL_HEAD(from, subject, day)                                          \
	"Received: from nowhere by here; Sat, 20 Jun 2026 10:00:00 +0000\r\n"  \
	"From: " from "\r\nTo: agent@lab.example\r\nSubject: " subject         \
	"\r\nDate: " day " 10:00:00 +0000\r\n"

static const struct conform_mail mails[MAILS] = {
	{ "first", 1781913600, false,
	    MAIL_HEAD("Ann <ann@example.net>", "first",
		"Sat, 20 Jun 2026") "Message-ID: "
				    "<1@conform.example>\r\n\r\nhello\r\n" },
	{ "two senders", 1782000000, false,
	    MAIL_HEAD("ann@example.net", "two senders",
		"Sun, 21 Jun 2026") "From: eve@evil.example\r\n"
				    "Message-ID: "
				    "<2@conform.example>\r\n\r\nhello\r\n" },
	{ "a needle", 1782086400, false,
	    MAIL_HEAD("bob@example.org", "a needle",
		"Mon, 22 Jun 2026") "Message-ID: <3@conform.example>\r\n"
				    "Cc: Carol <carol@example.org>\r\n"
				    "In-Reply-To: <1@conform.example>\r\n"
				    "References: <0@conform.example>\r\n "
				    "<1@conform.example>\r\n"
				    "\r\nthe Haystack-Word stands "
				    "here\r\n.\r\n" },
	{ "with a file", 1782172800, true,
	    MAIL_HEAD("bob@example.org", "with a file",
		"Tue, 23 Jun 2026") "Message-ID: "
				    "<4@conform.example>\r\n"
				    "List-Id: Dev <dev.conform.example>\r\n"
				    "MIME-Version: "
				    "1.0\r\n"
				    "Content-Type: multipart/mixed; "
				    "boundary=b\r\n\r\n"
				    "--b\r\nContent-Type: "
				    "text/plain\r\n\r\nsee there\r\n"
				    "--b\r\nContent-Type: application/pdf; "
				    "name=x.pdf\r\n"
				    "Content-Disposition: attachment; "
				    "filename=x.pdf\r\n"
				    "Content-Transfer-Encoding: "
				    "base64\r\n\r\nJVBERi0=\r\n"
				    "--b--\r\n" },
	{ "gr\xc3\xbc\xc3\x9f", 1782259200, false,
	    MAIL_HEAD("Ann <ANN@Example.NET>", "=?utf-8?q?gr=C3=BC=C3=9F?=",
		"Wed, 24 Jun 2026") "Message-ID: <5@conform.example>\r\n\r\n8 "
				    "bit: \xc3\xbc\r\n" },
	{ "last", 1782345600, false,
	    MAIL_HEAD("ann@example.net", "last",
		"Thu, 25 Jun 2026") "Message-ID: <6@conform.example>\r\n\r\nno "
				    "line end at the end" },
};

#endif
