/* SPDX-License-Identifier: Apache-2.0 */
#ifndef POLICY_POLICY_H
#define POLICY_POLICY_H

/*
 * Decides whether an act may be done and whether a message may be seen.  Pure:
 * no I/O, no clock, no memory except the regex's.  Zero is the safe value
 * everywhere.  Addresses reach this room only in canonical form
 * (mime/address.h), so comparing bytes compares addresses.
 */
#include <stdbool.h>

#include "base/str.h"

enum mode {
	MODE_RO, /* zero: nothing can be sent */
	MODE_RW,
};

enum effect {
	EFFECT_SEND, /* zero: an op without an effect counts as the worst */
	EFFECT_DRAFT,
	EFFECT_STATE, /* emcli's own seen-set */
	EFFECT_READ,
	EFFECT_ORGANISE, /* flags and folders of mail that stays */
	EFFECT_OPERATE, /* the operator's: needs the admin key; agents' rules do
			   not apply */
};

enum verdict {
	VERDICT_DENY, /* zero on purpose: forgetting to decide denies */
	VERDICT_ASK,  /* the operator must approve first */
	VERDICT_ALLOW,
};

enum outbound {
	OUTBOUND_NONE, /* zero: nothing can be sent */
	OUTBOUND_DRAFT,
	OUTBOUND_APPROVE,
	OUTBOUND_SEND,
};

enum organise {
	ORGANISE_OFF, /* zero: no flag and no folder of a message changes */
	ORGANISE_ON,
	ORGANISE_APPROVE, /* after the operator has agreed to each change */
};

struct policy_regex;

/* One account's rules.  All zero refuses everything that would be sent. */
struct policy_rules {
	enum mode mode;
	enum outbound outbound;
	enum organise organise;
	/* Where mail may be changed and moved to; none: everywhere. */
	struct strs folders;
	bool forward;         /* mail of others may be passed on */
	bool in_on, out_on;   /* are the whitelists on? */
	struct strs in, out;  /* canonical "a@b.example", or "@b.example" */
	struct strs in_dmarc; /* the same; the sender must be authenticated */
	struct policy_regex *subject; /* NULL: no subject rule */
};

struct policy_facts {
	enum effect effect;
	struct strs to; /* to, cc and bcc, canonical */
	bool frozen;    /* the agent is stopped, here or everywhere */
	bool later;     /* who gets it is found later, and asked about then */
	struct strs
	    folders;   /* in which it changes mail, or into which it goes */
	bool forwards; /* it passes on mail that somebody else wrote */
};

struct decision {
	enum verdict verdict;
	const char *why; /* "ro_mode", "whitelist_out": static, fit to show */
};

/* Judges an act.  Borrows both; cannot fail. */
struct decision policy_decide(const struct policy_rules *r,
    const struct policy_facts *f);

/* The content of a message, as its author gave it. */
struct policy_text {
	struct str subject, body; /* UTF-8 */
	size_t files;             /* number of attachments */
};

/*
 * Is it plainly unfinished?  Returns what was found ("a placeholder", "no file
 * is attached"), static, with the words in *found, a part of the text; or NULL.
 * Quotations, code and what follows them are ignored, because others wrote
 * them.
 */
const char *policy_unfinished(const struct policy_text *t, struct str *found);

/* Was the sender authenticated for the domain in From? */
enum sender_auth {
	SENDER_UNCHECKED, /* zero: not checked, or not possible */
	SENDER_NONE,      /* not authenticated */
	SENDER_FAIL,
	SENDER_PASS,
};

/* What is known about a message before it may be seen. */
struct policy_mail {
	size_t from_fields; /* the number of From fields */
	struct str from;    /* canonical, or empty unless exactly one */
	enum sender_auth auth;
	struct str subject; /* decoded UTF-8 */
	bool subject_cut;   /* incomplete: a subject rule fails */
};

/* False means that, for this agent, the message does not exist. */
bool policy_sees(const struct policy_rules *r, const struct policy_mail *m);
/*
 * Does the visibility of this message depend only on m->auth, which is still
 * unchecked?  Then verifying a signature is worthwhile.
 */
bool policy_wants_auth(const struct policy_rules *r,
    const struct policy_mail *m);

/* policy/match.c. Does a canonical address match a canonical entry? */
bool policy_match_entry(struct str entry, struct str addr);
bool policy_match_any(const struct strs *entries, struct str addr);
/*
 * The same for a recipient.  Servers at `here` that support old source routes
 * (Postfix does by default) forward "eve%else@here.example", "else!eve@here"
 * and "\"eve@else\"@here" to `else`, so only an entry for exactly that address
 * matches them.
 */
bool policy_match_rcpt(const struct strs *entries, struct str addr);
/* A folder, by its whole name; INBOX in any case (RFC 9051 section 5.1). */
bool policy_match_folder(const struct strs *entries, struct str folder);

/*
 * Compiles a subject rule: PCRE2, UTF, caseless, no \C, no JIT, at most
 * LIMIT_REGEX bytes.  NULL with a reason in why (a static or copied text of at
 * most `size` bytes) if it is invalid.
 */
struct policy_regex *policy_regex_open(struct str pattern, char *why,
    size_t size);
void policy_regex_close(struct policy_regex **re);
/* Fails closed: a limit reached, bad UTF-8 or any error is "no match". */
bool policy_regex_match(const struct policy_regex *re, struct str subject);

#endif
