/* SPDX-License-Identifier: MIT */
/*
 * Pseudonyms: numbers in the order of appearance, so that nothing of the original is
 * left in them. An identity is its letters and digits; what stands between them differs
 * from place to place ("A B" in INQUIRY is "A_B" in ID_SERIAL and "A\x20B" in a link),
 * and stays as it is. A pseudonym is as long as its original, and hexadecimal if that is.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "cli/capture.h"

#define WWN_DIGITS 16

struct secret {
	char *text;	 /* letters and digits in lower case */
	char *gaps;	 /* 1: something else stands before that one */
	char *pseudonym; /* as many, in upper case */
	size_t n;
	bool hex;
	bool loose;  /* gaps may be missing: a GUID */
	bool common; /* short or a plain word: only in the blocks that own it */
	size_t next; /* with the same first character; 0: none, else index + 1 */
};

struct owner {
	size_t block, secret;
};

struct pseudonyms {
	struct secret *list;
	size_t n, room;
	struct owner *owners;
	size_t n_owners, owners_room;
	size_t first[256]; /* as secret.next */
};

struct pseudonyms *pseudonyms_new(void)
{
	return calloc(1, sizeof(struct pseudonyms));
}

static void secret_done(struct secret *secret)
{
	free(secret->text);
	free(secret->gaps);
	free(secret->pseudonym);
}

struct pseudonyms *pseudonyms_free(struct pseudonyms *pseudonyms)
{
	if (pseudonyms) {
		for (size_t i = 0; i < pseudonyms->n; i++)
			secret_done(&pseudonyms->list[i]);
		free(pseudonyms->list);
		free(pseudonyms->owners);
		free(pseudonyms);
	}
	return NULL;
}

/* Bytes above ASCII may be anybody's letters. */
static bool is_letter(char c)
{
	return (unsigned char)c >= 0x80 || isalnum((unsigned char)c);
}

static char fold(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_hex_digit(char c)
{
	return (unsigned char)c < 0x80 && isxdigit((unsigned char)c);
}

static int digit_value(char c)
{
	return c <= '9' ? c - '0' : fold(c) - 'a' + 10;
}

/* Length of what stands for one other character at @text: itself, "\x20" or "%20". */
static size_t gap_len(const char *text, size_t len)
{
	size_t head = 0;

	if (len == 0 || is_letter(*text))
		return 0;
	if (len >= 4 && text[0] == '\\' && text[1] == 'x')
		head = 2;
	else if (len >= 3 && text[0] == '%')
		head = 1;
	if (head && is_hex_digit(text[head]) && is_hex_digit(text[head + 1]) &&
	    !is_letter(
		    (char)(digit_value(text[head]) * 16 + digit_value(text[head + 1]))))
		return head + 2;
	return 1;
}

static size_t gaps_len(const char *text, size_t len)
{
	size_t sum = 0, one = 0;

	while ((one = gap_len(text + sum, len - sum)) > 0)
		sum += one;
	return sum;
}

/* The end of @secret if it stands at @text, else 0. */
static size_t match(const struct secret *secret, const char *text, size_t len)
{
	size_t place = 0;

	for (size_t i = 0; i < secret->n; i++) {
		size_t gaps = i ? gaps_len(text + place, len - place) : 0;

		if (gaps > 0 && !secret->gaps[i])
			return 0;
		if (gaps == 0 && secret->gaps[i] && !secret->loose)
			return 0;
		place += gaps;
		if (place >= len || fold(text[place++]) != secret->text[i])
			return 0;
	}
	return place;
}

static bool owns(const struct pseudonyms *pseudonyms, size_t block, size_t secret)
{
	for (size_t i = 0; i < pseudonyms->n_owners; i++) {
		if (pseudonyms->owners[i].block == block &&
		    pseudonyms->owners[i].secret == secret)
			return true;
	}
	return false;
}

/* A common one counts where its block says it, and as a word of its own. */
static bool counts(const struct pseudonyms *pseudonyms, size_t secret, size_t block,
		   bool own, const char *text, size_t start, size_t end, size_t len)
{
	if (!pseudonyms->list[secret].common)
		return true;
	return own && owns(pseudonyms, block, secret) &&
	       (start == 0 || !is_letter(text[start - 1])) &&
	       (end == len || !is_letter(text[end]));
}

/* The longest that counts at @start. */
static const struct secret *find_at(const struct pseudonyms *pseudonyms, size_t block,
				    bool own, const char *text, size_t start, size_t len,
				    size_t *ret_end)
{
	const struct secret *best = NULL;
	size_t i = pseudonyms->first[(unsigned char)fold(text[start])];

	for (*ret_end = start; i > 0; i = pseudonyms->list[i - 1].next) {
		size_t end = match(&pseudonyms->list[i - 1], text + start, len - start);

		if (end == 0 || start + end <= *ret_end ||
		    !counts(pseudonyms, i - 1, block, own, text, start, start + end, len))
			continue;
		best = &pseudonyms->list[i - 1];
		*ret_end = start + end;
	}
	return best;
}

bool pseudonym_stands_in(const struct pseudonyms *pseudonyms, const char *text,
			 size_t len)
{
	for (size_t i = 0; i < len; i++) {
		size_t end = 0;

		if (is_letter(text[i]) &&
		    find_at(pseudonyms, 0, false, text, i, len, &end))
			return true;
	}
	return false;
}

static void put(const struct secret *secret, char *text, size_t len)
{
	bool lower = false, upper = false;
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		lower |= islower((unsigned char)text[i]) != 0;
		upper |= isupper((unsigned char)text[i]) != 0;
	}
	for (size_t i = 0; i < len && n < secret->n;) {
		size_t gaps = gaps_len(text + i, len - i);
		char c = secret->pseudonym[n];

		i += gaps;
		if (i >= len)
			break;
		text[i++] = lower && !upper ? fold(c) : c;
		n++;
	}
}

void pseudonym_replace(const struct pseudonyms *pseudonyms, size_t index, bool own,
		       char *text, size_t len)
{
	for (size_t i = 0; i < len;) {
		size_t gaps = gaps_len(text + i, len - i), end = 0;
		const struct secret *secret = NULL;

		i += gaps;
		if (i >= len)
			return;
		secret = find_at(pseudonyms, index, own, text, i, len, &end);
		if (secret)
			put(secret, text + i, end - i);
		i = secret ? end : i + 1;
	}
}

/* Takes text apart. False if there is nothing in it. */
static bool split(struct secret *secret, const char *text, size_t len)
{
	bool same = true;

	secret->text = calloc(1, len + 1);
	secret->gaps = calloc(1, len + 1);
	secret->pseudonym = calloc(1, len + 1);
	secret->hex = true;
	if (!secret->text || !secret->gaps || !secret->pseudonym)
		return false;
	for (size_t i = 0; i < len; secret->n++) {
		size_t gaps = gaps_len(text + i, len - i);

		i += gaps;
		if (i >= len)
			break;
		secret->gaps[secret->n] = gaps > 0 && secret->n > 0;
		secret->text[secret->n] = fold(text[i++]);
		secret->hex &= is_hex_digit(secret->text[secret->n]);
		same &= secret->text[secret->n] == secret->text[0];
	}
	return !same; /* all zeros, for example, stand for none */
}

/* What drivers and firmware print instead of an identity. */
static bool means_none(const struct secret *secret)
{
	static const char *const words[] = { "null", "none", "unknown", "na", "nil" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcmp(secret->text, words[i]) == 0)
			return true;
	}
	return false;
}

static bool is_common(const struct secret *secret)
{
	size_t digits = 0;

	for (size_t i = 0; i < secret->n; i++)
		digits += secret->text[i] >= '0' && secret->text[i] <= '9';
	return secret->n < 6 || digits == 0 || (digits == secret->n && digits < 8);
}

/* Writes @number with leading zeros; false if it looks like no identity: 11, 222. */
static bool write_number(size_t number, char *digits, size_t n)
{
	bool differ = false;

	for (size_t i = n; i-- > 0; number /= 10) {
		digits[i] = (char)('0' + number % 10);
		differ |= digits[i] != digits[n - 1];
	}
	return differ;
}

/* Those of the same kind and length share a sequence of numbers. */
static void invent(const struct pseudonyms *pseudonyms, struct secret *secret,
		   const char *letters)
{
	size_t before = 0, n_letters = strlen(letters), n = secret->n;

	for (size_t i = 0; i < pseudonyms->n; i++)
		before += pseudonyms->list[i].n == n &&
			  pseudonyms->list[i].hex == secret->hex;
	if (secret->hex)
		n_letters = 0;
	else if (n <= 3)
		n_letters = 1;
	else if (n_letters > n - 3)
		n_letters = n - 3;
	memcpy(secret->pseudonym, letters, n_letters);
	/* capturing a capture must find every pseudonym again, and give it again */
	for (size_t number = 1, found = 0; found <= before; number++)
		found += write_number(number, secret->pseudonym + n_letters,
				      n - n_letters) ||
			 n_letters > 0 || number > 10 * (before + 1);
	if (secret->hex && n == WWN_DIGITS) /* its first digit is its format */
		secret->pseudonym[0] = (char)toupper((unsigned char)secret->text[0]);
}

static int take_in(struct pseudonyms *pseudonyms, size_t block, size_t secret)
{
	struct owner *more = NULL;

	if (!pseudonyms->list[secret].common || owns(pseudonyms, block, secret))
		return 0;
	if (pseudonyms->n_owners == pseudonyms->owners_room) {
		pseudonyms->owners_room = pseudonyms->owners_room * 2 + 16;
		more = reallocarray(pseudonyms->owners, pseudonyms->owners_room,
				    sizeof(*more));
		if (!more)
			return -ENOMEM;
		pseudonyms->owners = more;
	}
	pseudonyms->owners[pseudonyms->n_owners++] = (struct owner){ block, secret };
	return 0;
}

/* Takes over what @secret holds. */
static int keep(struct pseudonyms *pseudonyms, struct secret *secret)
{
	size_t *first = &pseudonyms->first[(unsigned char)secret->text[0]];
	struct secret *more = NULL;

	if (pseudonyms->n == pseudonyms->room) {
		pseudonyms->room = pseudonyms->room * 2 + 16;
		more = reallocarray(pseudonyms->list, pseudonyms->room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		pseudonyms->list = more;
	}
	secret->next = *first;
	pseudonyms->list[pseudonyms->n++] = *secret;
	*first = pseudonyms->n;
	*secret = (struct secret){ 0 };
	return 0;
}

static const struct secret *find_same(const struct pseudonyms *pseudonyms,
				      const struct secret *secret)
{
	size_t i = pseudonyms->first[(unsigned char)secret->text[0]];

	for (; i > 0; i = pseudonyms->list[i - 1].next) {
		const struct secret *other = &pseudonyms->list[i - 1];

		if (other->n == secret->n && strcmp(other->text, secret->text) == 0 &&
		    memcmp(other->gaps, secret->gaps, secret->n) == 0)
			return other;
	}
	return NULL;
}

/* How an identity is taken in, besides its text. */
struct manner {
	const char *letters;
	const char *given; /* the pseudonym, or NULL to invent one */
	bool address;	   /* never too common */
};

static int add(struct pseudonyms *pseudonyms, size_t block, const char *text, size_t len,
	       const struct manner *manner)
{
	struct secret secret = { 0 };
	const struct secret *same = NULL;
	int r = 0;

	if (!split(&secret, text, len) || means_none(&secret)) {
		r = secret.pseudonym ? 0 : -ENOMEM;
		secret_done(&secret);
		return r;
	}
	same = find_same(pseudonyms, &secret);
	if (!same) {
		secret.common = !manner->address && is_common(&secret);
		secret.loose = secret.hex && secret.n == 2 * WWN_DIGITS;
		if (manner->given)
			memcpy(secret.pseudonym, manner->given, secret.n);
		else
			invent(pseudonyms, &secret, manner->letters);
		r = keep(pseudonyms, &secret);
		same = &pseudonyms->list[pseudonyms->n - 1];
	}
	secret_done(&secret);
	return r < 0 ? r : take_in(pseudonyms, block, (size_t)(same - pseudonyms->list));
}

int pseudonym_add(struct pseudonyms *pseudonyms, size_t index, const char *text,
		  size_t len, const char *letters)
{
	return add(pseudonyms, index, text, len, &(struct manner){ .letters = letters });
}

int pseudonym_add_address(struct pseudonyms *pseudonyms, size_t index, const char *text,
			  size_t len)
{
	return add(pseudonyms, index, text, len,
		   &(struct manner){ .letters = "NAME", .address = true });
}

int pseudonym_add_hex(struct pseudonyms *pseudonyms, size_t index, const char *text,
		      size_t len)
{
	const struct manner manner = { .letters = "" };
	int r = 0;

	if (len != 2 * WWN_DIGITS)
		return add(pseudonyms, index, text, len, &manner);
	r = add(pseudonyms, index, text, WWN_DIGITS, &manner);
	return r < 0 ? r : add(pseudonyms, index, text + WWN_DIGITS, WWN_DIGITS, &manner);
}

int pseudonym_add_encoded(struct pseudonyms *pseudonyms, size_t index, const char *hex,
			  size_t len)
{
	static const char digits[] = "0123456789abcdef";
	char text[64], encoded[2 * sizeof(text) + 1];
	size_t n = len / 2;
	int r = 0;

	if (len % 2 || n == 0 || n > sizeof(text))
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (!is_hex_digit(hex[2 * i]) || !is_hex_digit(hex[2 * i + 1]))
			return 0;
		text[i] = (char)(digit_value(hex[2 * i]) * 16 +
				 digit_value(hex[2 * i + 1]));
	}
	r = pseudonym_add(pseudonyms, index, text, n, "SERIAL");
	pseudonym_replace(pseudonyms, index, true, text, n);
	for (size_t i = 0; i < n; i++) {
		encoded[2 * i] = digits[(unsigned char)text[i] >> 4];
		encoded[2 * i + 1] = digits[text[i] & 15];
	}
	return r < 0 ? r
		     : add(pseudonyms, index, hex, len,
			   &(struct manner){ .letters = "", .given = encoded });
}
