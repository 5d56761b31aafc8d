/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_ACCOUNT_SETTING_H
#define STORE_ACCOUNT_SETTING_H

/*
 * The settings of an account, one row each, in account_setting_list.h. A new
 * setting is one more row, a migration for its column and a member of struct
 * store_account; .rule and .server say what it decides.
 */
#include "store/store.h"

/* How a value is written, and the type of its member. */
enum setting_type {
	/* struct str, and a column of text that is NULL when it is empty. */
	SETTING_TEXT,
	SETTING_BACKEND,   /* the name of one */
	SETTING_LOGIN,     /* usually the address */
	SETTING_HOST,      /* a server's name */
	SETTING_URL,       /* http or https */
	SETTING_PIN,       /* base64 of SHA-256, up to four */
	SETTING_AUTHSERV,  /* RFC 8601: the server whose results are trusted */
	SETTING_REGEX,     /* PCRE2 */
	SETTING_NAMES,     /* of folders of mail, with commas between them */
	SETTING_ADDRESS,   /* an addr-spec, kept in canonical form */
	SETTING_FILE,      /* a path, kept absolute: of a file, */
	SETTING_SIGNATURE, /* of a file whose text is kept, */
	SETTING_FOLDERS,   /* of folders, see path_among_list(), */
	SETTING_MAIL,      /* of a folder, or with mbox of either */
	/* Of the whole store: a word, or the thing that it names. */
	SETTING_MODEL,       /* a model's name */
	SETTING_SKILLS,      /* a folder of skills */
	SETTING_TRANSCRIPTS, /* a folder that only its owner can read */
	SETTING_NOTIFY,      /* a program with arguments, or mailto: */
	SETTING_WORD,        /* one of `choices` */
	SETTING_SECURITY, /* the same: how TLS begins, on the port before it */
	/* A bool or an enum: its index in `choices`, from 0. */
	SETTING_CHOICE, /* kept as that word */
	SETTING_SWITCH, /* "on|off", kept as 1 or 0 */
	SETTING_FLAG,   /* the same, off by default: a flag */
	/* A number of 16, 32 or 64 bits; 0 is none. */
	SETTING_PORT,
	SETTING_COUNT,
	SETTING_MINUTES, /* or "off" */
};

struct setting {
	const char *name;    /* the name of its option, with "_" */
	const char *choices; /* "RO|RW" */
	const char *def;     /* of a new account, as text; NULL: nothing */
	const char *means;   /* for help */
	const char *column;  /* of the table accounts */
	size_t member, size; /* in struct store_account */
	/*
	 * Backends that need it, and other backends that accept it; if both are
	 * NULL, it applies to all.
	 */
	const char *needed_by, *taken_by;
	/*
	 * Its key in a declaration of mail sources.  A file cannot set one that
	 * is only compared.
	 */
	const char *declared;
	enum setting_type type;
	unsigned unknown; /* the value for an unknown word in the store */
	/* A number of the whole store: its range and its default. */
	uint32_t min, max, assumed;
	bool from_end; /* the last of `choices` is 0 */
	/* It decides what agents see and do, and is in `policy export`. */
	bool rule;
	/* It decides where the account's credentials go. */
	bool server;
	bool compared;
};

enum setting_id {
#define SETTING(id, ...) SETTING_OF_##id,
#include "store/account_setting_list.h"
	SETTINGS /* how many there are */
};

extern const struct setting account_setting[SETTINGS];

/* account_value.c: a text, */
struct str account_value_text(const struct setting *s,
    const struct store_account *x);
void account_value_put(const struct setting *s, struct str text,
    struct store_account *x);
/* a word, by its place among the choices, */
struct str account_value_word(const struct setting *s,
    const struct store_account *x);
/* Takes a word; false, and nothing changes, if it is not one of the choices. */
bool account_value_take(const struct setting *s, struct str word,
    struct store_account *x);
/* a number, whatever its width. */
uint64_t account_value_number(const struct setting *s,
    const struct store_account *x);
void account_value_count(const struct setting *s, uint64_t n,
    struct store_account *x);

#endif
