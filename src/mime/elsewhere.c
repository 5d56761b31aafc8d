/* SPDX-License-Identifier: Apache-2.0 */
#include "mime/elsewhere.h"

const struct mime_reader *mime_elsewhere_by;

void
mime_elsewhere(const struct mime_reader *by)
{
	mime_elsewhere_by = by;
}
