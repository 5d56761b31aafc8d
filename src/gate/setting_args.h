/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_SETTING_ARGS_H
#define GATE_SETTING_ARGS_H

/* The rows of account_setting_list.h as rows of a table of arguments. */
#include "gate/args.h"
#include "store/account_setting.h"

#define SETTING_ARGS_IS_NUMBER(t) ((t) == SETTING_PORT || (t) == SETTING_COUNT)
#define SETTING_ARGS_IS_WORD(t) ((t) >= SETTING_WORD && (t) <= SETTING_FLAG)
#define SETTING_ARGS_IS_PATH(t) ((t) >= SETTING_FILE && (t) <= SETTING_MAIL)
#define SETTING_ARGS_TYPE(t)                                                   \
	SETTING_ARGS_IS_NUMBER(t)     ? ARG_COUNT                              \
	    : SETTING_ARGS_IS_WORD(t) ? ARG_CHOICE                             \
	    : SETTING_ARGS_IS_PATH(t) ? ARG_PATH                               \
	    : (t) == SETTING_ADDRESS  ? ARG_ADDRESS                            \
				      : ARG_TEXT
#define SETTING_ARGS_MAX(t)                                                    \
	(t) == SETTING_PORT             ? UINT16_MAX                           \
	    : SETTING_ARGS_IS_NUMBER(t) ? UINT32_MAX                           \
					: 0
#define SETTING_ARGS_MANY(t)                                                   \
	((t) == SETTING_FOLDERS || (t) == SETTING_NAMES ? ARG_MANY : 0)
/* Common to all such rows. */
#define SETTING_ARGS_OPTION(word, t, help_)                                    \
	.name = (word), .help = (help_), .min = (t) == SETTING_PORT,           \
	.max = SETTING_ARGS_MAX(t)
/* An option that changes an account: a text may be removed. */
#define SETTING_ARGS_EDIT(word, t, words, help_)                               \
	{                                                                      \
		SETTING_ARGS_OPTION(word, t, help_),                           \
		    .type = SETTING_ARGS_TYPE(t),                              \
		    .choices = SETTING_ARGS_IS_WORD(t) ? (words) : NULL,       \
		    .flags = SETTING_ARGS_MANY(t) |                            \
		    ((t) < SETTING_WORD ? ARG_EMPTY : 0)                       \
	}

#endif
