/* SPDX-License-Identifier: MIT */
/*
 * The identities within IDENTIFY: words 10-19 are the serial number and 108-111 the
 * world wide name (ATA/ATAPI Command Set). Words 112-115 are kept for a longer name,
 * 129-159 are the maker's own and 176-205 name a medium: nobody reads them here, and
 * any of them may tell one drive from another.
 */
#include <inttypes.h>
#include <string.h>

#include "base/parse.h"
#include "cli/capture.h"

#define WORDS 256
#define VPD_89_WORDS 60 /* offset of IDENTIFY in the page */

struct identify {
	uint16_t words[WORDS];
	size_t places[WORDS]; /* where the digits of a word stand in the text */
};

static bool load_text(const struct line *line, struct identify *identify)
{
	size_t n = 0, i = 0;

	for (;;) {
		char digits[5] = "";
		uint64_t value = 0;

		i += strspn(line->value + i, " \n");
		if (!line->value[i])
			return n == WORDS;
		if (n == WORDS || strcspn(line->value + i, " \n") != 4)
			return false;
		memcpy(digits, line->value + i, 4);
		if (parse_hex(digits, &value) < 0)
			return false;
		identify->places[n] = i;
		identify->words[n++] = (uint16_t)value;
		i += 4;
	}
}

static bool load_page(const struct line *line, struct identify *identify)
{
	const unsigned char *page = (const unsigned char *)line->value;

	if (line->len < VPD_89_SIZE || page[1] != 0x89)
		return false;
	for (size_t i = 0; i < WORDS; i++) {
		identify->places[i] = VPD_89_WORDS + 2 * i;
		identify->words[i] = (uint16_t)(page[VPD_89_WORDS + 2 * i] |
						page[VPD_89_WORDS + 2 * i + 1] << 8);
	}
	return true;
}

static bool load(const struct line *line, struct identify *identify)
{
	return line->field == FIELD_VPD_89 ? load_page(line, identify)
					   : load_text(line, identify);
}

static void store(struct line *line, const struct identify *identify)
{
	for (size_t i = 0; i < WORDS; i++) {
		char *place = line->value + identify->places[i];
		char digits[5];

		if (line->field == FIELD_VPD_89) {
			place[0] = (char)(identify->words[i] & 0xff);
			place[1] = (char)(identify->words[i] >> 8);
			continue;
		}
		(void)snprintf(digits, sizeof(digits), "%04x", identify->words[i]);
		memcpy(place, digits, 4);
	}
}

/* Zero if the checksum of a frame with the signature is right. */
static unsigned int sum_of(const uint16_t *words)
{
	unsigned int sum = 0;

	for (size_t i = 0; i < WORDS; i++)
		sum += (words[i] & 0xffU) + (words[i] >> 8);
	return sum & 0xff;
}

static void clear(uint16_t *words, size_t from, size_t to)
{
	memset(words + from, 0, (to - from + 1) * sizeof(*words));
}

/* Words 108-111 hold a name only if word 87 says so. */
static bool has_wwn(const uint16_t *words)
{
	return (words[87] & 0xc100) == 0x4100;
}

bool identify_names(const struct line *line, char serial[21], char wwn[17])
{
	struct identify identify;

	if (!load(line, &identify))
		return false;
	for (size_t i = 0; i < 10; i++) {
		serial[2 * i] = (char)(identify.words[10 + i] >> 8);
		serial[2 * i + 1] = (char)(identify.words[10 + i] & 0xff);
	}
	serial[20] = '\0';
	wwn[0] = '\0';
	if (has_wwn(identify.words))
		(void)snprintf(wwn, 17, "%04x%04x%04x%04x", identify.words[108],
			       identify.words[109], identify.words[110],
			       identify.words[111]);
	return true;
}

void identify_rename(struct line *line, const char *serial, const char *wwn)
{
	struct identify identify;
	uint64_t number = 0;
	bool is_right = false;

	if (!load(line, &identify))
		return;
	is_right = (identify.words[255] & 0xff) == 0xa5 && sum_of(identify.words) == 0;
	for (size_t i = 0; i < 10; i++)
		identify.words[10 + i] = (uint16_t)((unsigned char)serial[2 * i] << 8 |
						    (unsigned char)serial[2 * i + 1]);
	(void)parse_hex(wwn, &number);
	for (size_t i = 0; i < 4; i++)
		identify.words[108 + i] = (uint16_t)(number >> (48 - 16 * i));
	clear(identify.words, 112, 115);
	clear(identify.words, 129, 159);
	clear(identify.words, 176, 205);
	if (is_right) {
		identify.words[255] = 0xa5;
		identify.words[255] |= (uint16_t)((-sum_of(identify.words) & 0xff) << 8);
	}
	store(line, &identify);
	if (line->field == FIELD_VPD_89)
		line->len = VPD_89_SIZE;
}
