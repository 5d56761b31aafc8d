/* An account as a row: its columns bound and read. */
#include "store/internal.h"

static const char *const modes[] = {
	[MODE_RO] = "RO",
	[MODE_RW] = "RW",
};

static const char *const outbounds[] = {
	[OUTBOUND_NONE] = "none",
	[OUTBOUND_DRAFT] = "draft",
	[OUTBOUND_APPROVE] = "approve",
	[OUTBOUND_SEND] = "send",
};

static const char *const quirk_ids[] = {
	[STORE_ID_AUTO] = "auto",
	[STORE_ID_ON] = "on",
	[STORE_ID_OFF] = "off",
};

#define COUNT(v) (sizeof(v) / sizeof((v)[0]))

bool
account_row_is_name(struct str s)
{
	if (s.n < 1 || s.n > 64)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			(c >= '0' && c <= '9') || c == '.' || c == '_' ||
			c == '-'))
			return false;
	}
	return true;
}

/* The enum's value of a word; an unknown word is 0, the safe one. */
static unsigned
value_of(struct str word, const char *const *words, size_t n)
{
	for (unsigned i = 0; i < n; i++)
		if (str_eq(word, str_of(words[i])))
			return i;
	return 0;
}

static struct str
word_of(unsigned value, const char *const *words, size_t n)
{
	if (value >= n)
		err_bug("store: an account of no known mode");
	return str_of(words[value]);
}

void
account_row_bind(sqlite3_stmt *st, const struct store_account *x)
{
	stmt_text(st, 1, x->name);
	stmt_text(st, 2, x->backend);
	stmt_text(st, 3, word_of(x->mode, modes, COUNT(modes)));
	stmt_text(st, 4, word_of(x->outbound, outbounds, COUNT(outbounds)));
	stmt_text_or_null(st, 5, x->from_addr);
	stmt_text_or_null(st, 6, x->username);
	stmt_text_or_null(st, 7, x->auth_type);
	stmt_text_or_null(st, 8, x->imap_host);
	stmt_text_or_null(st, 9, x->smtp_host);
	stmt_int(st, 10, x->imap_port);
	stmt_int(st, 11, x->smtp_port);
	stmt_text_or_null(st, 12, x->imap_security);
	stmt_text_or_null(st, 13, x->smtp_security);
	stmt_text_or_null(st, 14, x->ca_file);
	stmt_text_or_null(st, 15, x->tls_pin);
	stmt_text_or_null(st, 16, x->path);
	stmt_text_or_null(st, 17, x->attach_dir);
	stmt_int(st, 18, x->in_on);
	stmt_int(st, 19, x->out_on);
	stmt_text_or_null(st, 20, x->subject_regex);
	stmt_int(st, 21, x->process_backlog);
	stmt_text(st, 22, word_of(x->quirk_id, quirk_ids, COUNT(quirk_ids)));
	stmt_int(st, 23, !x->quirk_no_sasl_ir);
	stmt_int(st, 24, !x->no_sent_copy);
	stmt_text_or_null(st, 25, x->authserv_id);
	stmt_text(st, 26, x->scope_thread ? S("thread") : S("any"));
	stmt_int(st, 27, !x->no_secrets_check);
	stmt_int(st, 28, x->taint_minutes);
	stmt_int(st, 29, x->limit_messages);
	stmt_int(st, 30, x->limit_new_recipients);
	stmt_int(st, 31, x->limit_recipients);
	stmt_int(st, 32, (int64_t)x->limit_bytes);
	stmt_text_or_null(st, 33, x->url);
	stmt_text_or_null(st, 34, x->list);
	stmt_text_or_null(st, 35, x->list_folder);
	stmt_text_or_null(st, 36, x->drafts_folder);
	stmt_text_or_null(st, 37, x->sent_folder);
	stmt_text_or_null(st, 38, x->thread_url);
	stmt_text(st, 39, x->in_dmarc ? S("dmarc") : S("none"));
	stmt_int(st, 40, !x->no_unfinished_check);
}

static uint16_t
port_of(sqlite3_stmt *st, int i)
{
	uint32_t n = stmt_column_u32(st, i);

	return n > UINT16_MAX ? 0 : (uint16_t)n;
}

/* In the order of ACCOUNT_ROW_COLUMNS. */
void
account_row_read(sqlite3_stmt *st, struct arena *a, struct store_account *x)
{
	x->id = sqlite3_column_int64(st, 0);
	x->name = stmt_column(st, 1, a);
	x->backend = stmt_column(st, 2, a);
	x->mode = value_of(stmt_column(st, 3, a), modes, COUNT(modes));
	x->outbound =
	    value_of(stmt_column(st, 4, a), outbounds, COUNT(outbounds));
	x->from_addr = stmt_column(st, 5, a);
	x->username = stmt_column(st, 6, a);
	x->auth_type = stmt_column(st, 7, a);
	x->imap_host = stmt_column(st, 8, a);
	x->smtp_host = stmt_column(st, 9, a);
	x->imap_port = port_of(st, 10);
	x->smtp_port = port_of(st, 11);
	x->imap_security = stmt_column(st, 12, a);
	x->smtp_security = stmt_column(st, 13, a);
	x->ca_file = stmt_column(st, 14, a);
	x->tls_pin = stmt_column(st, 15, a);
	x->path = stmt_column(st, 16, a);
	x->attach_dir = stmt_column(st, 17, a);
	x->in_on = sqlite3_column_int(st, 18) != 0;
	x->out_on = sqlite3_column_int(st, 19) != 0;
	x->subject_regex = stmt_column(st, 20, a);
	x->process_backlog = sqlite3_column_int(st, 21) != 0;
	x->quirk_id =
	    value_of(stmt_column(st, 22, a), quirk_ids, COUNT(quirk_ids));
	x->quirk_no_sasl_ir = sqlite3_column_int(st, 23) == 0;
	x->no_sent_copy = sqlite3_column_int(st, 24) == 0;
	x->authserv_id = stmt_column(st, 25, a);
	/* A word we do not know is the narrow scope. */
	x->scope_thread = !str_eq(stmt_column(st, 26, a), S("any"));
	x->no_secrets_check = sqlite3_column_int(st, 27) == 0;
	x->taint_minutes = stmt_column_u32(st, 28);
	x->limit_messages = stmt_column_u32(st, 29);
	x->limit_new_recipients = stmt_column_u32(st, 30);
	x->limit_recipients = stmt_column_u32(st, 31);
	x->limit_bytes = (uint64_t)sqlite3_column_int64(st, 32);
	x->url = stmt_column(st, 33, a);
	x->list = stmt_column(st, 34, a);
	x->list_folder = stmt_column(st, 35, a);
	x->drafts_folder = stmt_column(st, 36, a);
	x->sent_folder = stmt_column(st, 37, a);
	x->thread_url = stmt_column(st, 38, a);
	/* A word we do not know asks for more. */
	x->in_dmarc = !str_eq(stmt_column(st, 39, a), S("none"));
	x->no_unfinished_check = sqlite3_column_int(st, 40) == 0;
	x->has_password = sqlite3_column_int(st, 41) != 0;
}
