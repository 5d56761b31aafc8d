/* SPDX-License-Identifier: Apache-2.0 */
/* The member of an account for a setting, whatever its type. */
#include "store/account_setting.h"

struct str
account_value_text(const struct setting *s, const struct store_account *x)
{
	if (s->size != sizeof(struct str))
		err_bug("store: %s is no text", s->name);
	return *(const struct str *)(const void *)((const char *)x + s->member);
}

void
account_value_put(const struct setting *s, struct str text,
    struct store_account *x)
{
	if (s->size != sizeof(struct str))
		err_bug("store: %s is no text", s->name);
	*(struct str *)(void *)((char *)x + s->member) = text;
}

uint64_t
account_value_number(const struct setting *s, const struct store_account *x)
{
	const void *from = (const char *)x + s->member;

	switch (s->size) {
	case sizeof(uint8_t):
		return *(const uint8_t *)from;
	case sizeof(uint16_t):
		return *(const uint16_t *)from;
	case sizeof(uint32_t):
		return *(const uint32_t *)from;
	case sizeof(uint64_t):
		return *(const uint64_t *)from;
	default:
		err_bug("store: %s is no number", s->name);
	}
}

void
account_value_count(const struct setting *s, uint64_t n,
    struct store_account *x)
{
	void *to = (char *)x + s->member;

	switch (s->size) {
	case sizeof(bool):
		*(bool *)to = n != 0;
		break;
	case sizeof(uint16_t):
		*(uint16_t *)to = n > UINT16_MAX ? 0 : (uint16_t)n;
		break;
	case sizeof(uint32_t):
		*(uint32_t *)to = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
		break;
	case sizeof(uint64_t):
		*(uint64_t *)to = n;
		break;
	default:
		err_bug("store: %s is no number", s->name);
	}
}

/* The number of choices, and the nth. */
static unsigned
account_value_choice(const struct setting *s, unsigned nth, struct str *out)
{
	struct str rest = str_of(s->choices), one;
	unsigned n = 0;
	bool more = true;

	*out = S("");
	while (more) {
		more = str_cut(rest, '|', &one, &rest);
		if (n++ == nth)
			*out = one;
	}
	return n;
}

struct str
account_value_word(const struct setting *s, const struct store_account *x)
{
	uint64_t at = account_value_number(s, x);
	struct str word;
	unsigned n = account_value_choice(s, 0, &word);

	if (at >= n)
		err_bug("store: an account of no known %s", s->name);
	(void)account_value_choice(s,
	    s->from_end ? n - 1 - (unsigned)at : (unsigned)at, &word);
	return word;
}

bool
account_value_take(const struct setting *s, struct str word,
    struct store_account *x)
{
	struct str one;
	unsigned n = account_value_choice(s, 0, &one);

	for (unsigned i = 0; i < n; i++) {
		(void)account_value_choice(s, i, &one);
		if (str_eq(one, word)) {
			account_value_count(s, s->from_end ? n - 1 - i : i, x);
			return true;
		}
	}
	return false;
}
