/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The most used providers.  `checked` is the day a row was last compared with
 * the provider, or with the public database of mail settings; check rows that
 * are older than two years.
 */
#include "source/provider.h"

#define IMAPS(host) .imap_host = (host), .imap_port = 993
#define IMAP(host, port)                                                       \
	.imap_host = (host), .imap_port = (port), .imap_starttls = true
/* RFC 8314 section 7.3 and RFC 6409. */
#define SUBMISSIONS(host) .smtp_host = (host), .smtp_port = 465
#define SUBMISSION(host, port)                                                 \
	.smtp_host = (host), .smtp_port = (port), .smtp_starttls = true

#define AUTHORIZATION_CODE                                                     \
	"turn on IMAP and SMTP in the web mailbox's settings; it then gives "  \
	"an authorization code, which is the password here"

const struct provider provider_table[] = {
	/* 2026-11-22.  The server puts mail sent by SMTP into Sent. */
	{ .name = "gmail",
	    .title = "Gmail",
	    .checked = "2026-11-22",
	    .domains = "gmail.com googlemail.com",
	    IMAPS("imap.gmail.com"),
	    SUBMISSIONS("smtp.gmail.com"),
	    .login = PROVIDER_APP_PASSWORD | PROVIDER_OAUTH2,
	    .consent = "google",
	    .no_sent_copy = true,
	    .note = "an app password needs two-step verification: "
		    "https://myaccount.google.com/apppasswords" },
	/* 2026-11-22.  Passwords are refused; app passwords may be forbidden
	 * by the domain's administrator. */
	{ .name = "google",
	    .title = "Google Workspace",
	    .checked = "2026-11-22",
	    .domains = "google.com",
	    .mx = "google.com googlemail.com",
	    IMAPS("imap.gmail.com"),
	    SUBMISSIONS("smtp.gmail.com"),
	    .login = PROVIDER_OAUTH2 | PROVIDER_APP_PASSWORD,
	    .consent = "google",
	    .no_sent_copy = true,
	    .note = "the domain's administrator decides whether IMAP and app "
		    "passwords are allowed" },
	/* 2026-11-22.  No passwords of any kind for IMAP since 2024. */
	{ .name = "outlook",
	    .title = "Outlook.com, Hotmail",
	    .checked = "2026-11-22",
	    .domains = "outlook.* hotmail.* live.* msn.com windowslive.com "
		       "passport.com",
	    IMAPS("outlook.office365.com"),
	    SUBMISSION("smtp-mail.outlook.com", 587),
	    .login = PROVIDER_OAUTH2,
	    .consent = "microsoft",
	    .no_sent_copy = true,
	    .note = "IMAP must be allowed in the settings of outlook.com, "
		    "Mail, Forwarding and IMAP" },
	/*
	 * 2026-11-22.  Passwords ended for IMAP in 2022 and for SMTP in 2026;
	 * SMTP AUTH is off in new tenants.
	 */
	{ .name = "microsoft",
	    .title = "Microsoft 365",
	    .checked = "2026-11-22",
	    .domains = "onmicrosoft.com",
	    .mx = "protection.outlook.com mx.microsoft",
	    IMAPS("outlook.office365.com"),
	    SUBMISSION("smtp.office365.com", 587),
	    .login = PROVIDER_OAUTH2,
	    .consent = "microsoft",
	    .no_sent_copy = true,
	    .note = "the tenant's administrator must allow IMAP and "
		    "authenticated SMTP for the mailbox" },
	/* 2026-11-22 */
	{ .name = "icloud",
	    .title = "iCloud Mail",
	    .checked = "2026-11-22",
	    .domains = "icloud.com me.com mac.com",
	    .mx = "mail.icloud.com",
	    IMAPS("imap.mail.me.com"),
	    SUBMISSION("smtp.mail.me.com", 587),
	    .login = PROVIDER_APP_PASSWORD,
	    .note = "make an app-specific password at "
		    "https://account.apple.com" },
	/* 2026-11-22 */
	{ .name = "yahoo",
	    .title = "Yahoo Mail",
	    .checked = "2026-11-22",
	    .domains = "yahoo.* ymail.com myyahoo.com rocketmail.com",
	    IMAPS("imap.mail.yahoo.com"),
	    SUBMISSIONS("smtp.mail.yahoo.com"),
	    .login = PROVIDER_APP_PASSWORD,
	    .note = "make an app password in the account's security "
		    "settings" },
	/* 2026-11-22 */
	{ .name = "aol",
	    .title = "AOL Mail",
	    .checked = "2026-11-22",
	    .domains = "aol.* aim.com netscape.net compuserve.com",
	    IMAPS("imap.aol.com"),
	    SUBMISSIONS("smtp.aol.com"),
	    .login = PROVIDER_APP_PASSWORD,
	    .note = "make an app password in the account's security "
		    "settings" },
	/* 2026-11-22 */
	{ .name = "fastmail",
	    .title = "Fastmail",
	    .checked = "2026-11-22",
	    .domains = "fastmail.com fastmail.fm fastmail.net fastmail.org "
		       "messagingengine.com sent.com",
	    .mx = "messagingengine.com",
	    IMAPS("imap.fastmail.com"),
	    SUBMISSIONS("smtp.fastmail.com"),
	    .login = PROVIDER_APP_PASSWORD,
	    .note = "make an app password with access to mail (IMAP, SMTP)" },
	/* 2026-11-22 */
	{ .name = "gmx",
	    .title = "GMX",
	    .checked = "2026-11-22",
	    .domains = "gmx.net gmx.de gmx.at gmx.ch gmx.eu gmx.biz gmx.org "
		       "gmx.info",
	    .mx = "gmx.net",
	    IMAPS("imap.gmx.net"),
	    SUBMISSIONS("mail.gmx.net"),
	    .login = PROVIDER_PASSWORD | PROVIDER_APP_PASSWORD,
	    .note =
		"allow POP3 and IMAP once in the settings of the web mailbox" },
	/* 2026-11-22.  The same company as gmx, other servers. */
	{ .name = "gmx.com",
	    .title = "GMX.com",
	    .checked = "2026-11-22",
	    .domains = "gmx.com gmx.us gmx.co.uk gmx.fr gmx.es",
	    .mx = "gmx.com",
	    IMAPS("imap.gmx.com"),
	    SUBMISSION("mail.gmx.com", 587),
	    .login = PROVIDER_PASSWORD,
	    .note =
		"allow POP3 and IMAP once in the settings of the web mailbox" },
	/* 2026-11-22 */
	{ .name = "web.de",
	    .title = "WEB.DE",
	    .checked = "2026-11-22",
	    .domains = "web.de",
	    .mx = "web.de",
	    IMAPS("imap.web.de"),
	    SUBMISSION("smtp.web.de", 587),
	    .login = PROVIDER_PASSWORD | PROVIDER_APP_PASSWORD,
	    .note =
		"allow POP3 and IMAP once in the settings of the web mailbox" },
	/*
	 * 2026-11-22.  Bridge listens on this machine, with its own
	 * certificate.
	 */
	{ .name = "proton",
	    .title = "Proton Mail, by Bridge",
	    .checked = "2026-11-22",
	    .domains = "proton.me protonmail.com protonmail.ch pm.me",
	    .mx = "protonmail.ch",
	    IMAP("127.0.0.1", 1143),
	    SUBMISSION("127.0.0.1", 1025),
	    .login = PROVIDER_APP_PASSWORD,
	    .no_sent_copy = true,
	    .note = "Proton Mail Bridge must run here: it shows the password "
		    "to use; give its exported certificate with --ca" },
	/*
	 * 2026-11-22.  SELECT is refused ("Unsafe Login") before the client
	 * sends ID (RFC 2971).
	 */
	{ .name = "163",
	    .title = "NetEase 163",
	    .checked = "2026-11-22",
	    .domains = "163.com",
	    IMAPS("imap.163.com"),
	    SUBMISSIONS("smtp.163.com"),
	    .login = PROVIDER_APP_PASSWORD,
	    .id_on = true,
	    .note = AUTHORIZATION_CODE },
	/* 2026-11-22 */
	{ .name = "126",
	    .title = "NetEase 126",
	    .checked = "2026-11-22",
	    .domains = "126.com",
	    IMAPS("imap.126.com"),
	    SUBMISSIONS("smtp.126.com"),
	    .login = PROVIDER_APP_PASSWORD,
	    .id_on = true,
	    .note = AUTHORIZATION_CODE },
	/* 2026-11-22 */
	{ .name = "yeah",
	    .title = "NetEase yeah.net",
	    .checked = "2026-11-22",
	    .domains = "yeah.net",
	    IMAPS("imap.yeah.net"),
	    SUBMISSIONS("smtp.yeah.net"),
	    .login = PROVIDER_APP_PASSWORD,
	    .id_on = true,
	    .note = AUTHORIZATION_CODE },
	/* 2026-11-22 */
	{ .name = "qq",
	    .title = "QQ Mail",
	    .checked = "2026-11-22",
	    .domains = "qq.com foxmail.com vip.qq.com",
	    IMAPS("imap.qq.com"),
	    SUBMISSIONS("smtp.qq.com"),
	    .login = PROVIDER_APP_PASSWORD,
	    .note = AUTHORIZATION_CODE },
	/* 2026-11-22 */
	{ .name = "zoho",
	    .title = "Zoho Mail",
	    .checked = "2026-11-22",
	    .domains = "zoho.com zohomail.com",
	    .mx = "zoho.com",
	    IMAPS("imap.zoho.com"),
	    SUBMISSIONS("smtp.zoho.com"),
	    .login = PROVIDER_PASSWORD | PROVIDER_APP_PASSWORD,
	    .note = "IMAP must be allowed in the mailbox's settings; your own "
		    "domain may need imappro.zoho.com and smtppro.zoho.com" },
	/* 2026-11-22.  Data stored in Europe has separate servers. */
	{ .name = "zoho.eu",
	    .title = "Zoho Mail (EU)",
	    .checked = "2026-11-22",
	    .domains = "zoho.eu zohomail.eu",
	    .mx = "zoho.eu",
	    IMAPS("imap.zoho.eu"),
	    SUBMISSIONS("smtp.zoho.eu"),
	    .login = PROVIDER_PASSWORD | PROVIDER_APP_PASSWORD,
	    .note = "IMAP must be allowed in the mailbox's settings; your own "
		    "domain may need imappro.zoho.eu and smtppro.zoho.eu" },
	/* 2026-11-22 */
	{ .name = "mailbox.org",
	    .title = "mailbox.org",
	    .checked = "2026-11-22",
	    .domains = "mailbox.org",
	    .mx = "mailbox.org",
	    IMAPS("imap.mailbox.org"),
	    SUBMISSIONS("smtp.mailbox.org"),
	    .login = PROVIDER_PASSWORD | PROVIDER_APP_PASSWORD,
	    .note = "with two-factor login on, an application password is "
		    "needed" },
	/* 2026-11-22 */
	{ .name = "posteo",
	    .title = "Posteo",
	    .checked = "2026-11-22",
	    .domains = "posteo.*",
	    .mx = "posteo.de",
	    IMAPS("posteo.de"),
	    SUBMISSIONS("posteo.de"),
	    .login = PROVIDER_PASSWORD },
	/* 2026-11-22 */
	{ .name = "yandex",
	    .title = "Yandex Mail",
	    .checked = "2026-11-22",
	    .domains = "yandex.* ya.ru narod.ru",
	    .mx = "yandex.net",
	    IMAPS("imap.yandex.com"),
	    SUBMISSIONS("smtp.yandex.com"),
	    .login = PROVIDER_APP_PASSWORD,
	    .note = "allow IMAP in the mailbox's settings, and make an app "
		    "password" },
	/* 2026-11-22 */
	{ .name = "t-online",
	    .title = "T-Online, Telekom",
	    .checked = "2026-11-22",
	    .domains = "t-online.de magenta.de",
	    IMAPS("secureimap.t-online.de"),
	    SUBMISSIONS("securesmtp.t-online.de"),
	    .login = PROVIDER_APP_PASSWORD,
	    .note = "the password of the web site does not work: set an e-mail "
		    "password in the customer center" },
	/* 2026-11-22.  1&1 is its older name. */
	{ .name = "ionos",
	    .title = "IONOS",
	    .checked = "2026-11-22",
	    .domains = "online.de onlinehome.de",
	    .mx = "kundenserver.de ionos.de",
	    IMAPS("imap.ionos.de"),
	    SUBMISSIONS("smtp.ionos.de"),
	    .login = PROVIDER_PASSWORD },
	{ 0 },
};
