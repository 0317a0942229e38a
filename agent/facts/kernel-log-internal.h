/* SPDX-License-Identifier: MIT */
/*
 * What a kernel log has said so far, and the readers of its messages: one for each
 * family. Internal to the files kernel-log*.c. All memory is taken at once, so that
 * reading a hostile log can neither fail nor grow; what goes beyond the room is not
 * remembered.
 */
#pragma once

#include <string.h>

#include "facts/kernel-log.h"

#define LOG_TEXT_MAX FACT_TEXT_MAX /* of a line that is kept, without its stamp */
#define LOG_LINE_MAX 1024	   /* of a line that is looked at */
#define LOG_PORTS_MAX 256
#define LOG_DEVICES_MAX 512
#define LOG_USB_MAX 64
#define LOG_SCSI_MAX 128
#define LOG_MODEL_MAX 41     /* ATA_ID_PROD_LEN of include/linux/ata.h, and NUL */
#define LOG_PORT_ITSELF (-1) /* instead of a device of the port */

/*
 * So many times within so many seconds a link may go and come back without a failed
 * command before that is no longer somebody who plugs drives, but a contact that fails.
 */
#define LOG_STORM_PLUGS 5
#define LOG_STORM_SECONDS 600

struct log_line {
	char text[LOG_TEXT_MAX];
	uint32_t number; /* of the line in the log, to tell the later of two; 0: none */
};

/* What is being reported of a port, until its error handler is through. */
struct ata_event {
	bool open;
	bool has_head;	      /* the line "exception Emask ..." */
	bool frozen, plugged; /* of the head */
	bool slowed;	      /* the kernel lowered the speed for it */
	bool failed;	      /* a command */
	bool fpdma, fpdma_timeout, other;
	enum {
		COMMAND_NONE,
		COMMAND_FPDMA,
		COMMAND_OTHER
	} command; /* without result yet */
	int device;
	uint32_t err_mask, sactive, serror;
	struct log_line head, link, fpdma_line;
};

/* Why links of a port are being reset. */
enum reset_cause {
	RESET_UNKNOWN,
	RESET_PLUGGED,
	RESET_FAULT,
};

struct ata_port_log {
	uint32_t port;
	struct ata_event event;
	enum reset_cause cause;
	bool slowed;	 /* the event that comes next: that is said before its head */
	bool multiplier; /* its devices have links of their own */
	uint32_t heads;	 /* of events, so far */
	uint32_t parts;	 /* those, and ends of the error handler's work */
};

/* A limit that the kernel set, and when: a device that is found anew begins without. */
struct limit_log {
	struct log_line line;
	uint32_t part; /* of the port's history */
};

struct ata_device_log {
	uint32_t port;
	int device;		   /* the DD of ataN.DD, or LOG_PORT_ITSELF */
	uint64_t identity;	   /* of the model; 0: not seen */
	char model[LOG_MODEL_MAX]; /* "": not seen */
	uint32_t model_head;	   /* how many heads its port had when it was found */
	bool ncq_disabled;
	uint32_t ncq_part; /* of the port's history, when that was */
	uint32_t serror, plug_serror;
	uint32_t link_faults;
	uint32_t link_failed; /* of these, with a failed command */
	uint32_t storm; /* times that the link went or came, too fast for a person */
	uint64_t plugs[LOG_STORM_PLUGS]; /* when it did, the latest first */
	size_t n_plugs;
	uint32_t fpdma_timeouts, fpdma_errors, other_errors;
	uint32_t resets, plug_resets;
	uint32_t later_resets; /* after the last slowing down, its own not counted */
	bool slowing;	       /* its own reset has not come yet */
	struct log_line link, plug, fpdma, link_up;
	struct limit_log speed_down, mode_down;
};

struct usb_log {
	char name[32];	   /* "2-1.4" */
	uint64_t identity; /* of vendor and product; 0: not seen */
	uint32_t resets;
	char quirk[16]; /* hex digits */
	struct log_line line;
};

struct scsi_log {
	uint32_t host;
	int channel, target, lun; /* -1: the host itself */
	uint32_t unaligned;
	uint32_t aborts; /* of commands, by uas */
	struct log_line line;
};

struct kernel_log {
	char *name;
	char line[LOG_LINE_MAX + 1];
	size_t len;	 /* of the line so far, at most LOG_LINE_MAX */
	uint32_t number; /* of the line */
	bool is_kernel;	 /* at least one line was a kernel's */
	bool has_start, has_stamp;
	uint64_t first_stamp; /* seconds since boot */
	uint64_t now;	      /* seconds, of one clock or another */
	bool has_now;
	uint32_t last_port; /* to which a line without a port belongs */
	bool has_last_port;
	size_t n_ports, n_devices, n_usb, n_scsi;
	struct ata_port_log ports[LOG_PORTS_MAX];
	struct ata_device_log devices[LOG_DEVICES_MAX];
	struct ata_device_log nowhere; /* for those without room */
	struct usb_log usb[LOG_USB_MAX];
	struct scsi_log scsi[LOG_SCSI_MAX];
	uint32_t remapped_nvme;
	char remapped_at[LOG_TEXT_MAX];
};

/* @text without its stamp begins with "ataN". False if it is no such message. */
bool log_read_ata(struct kernel_log *log, const char *text);
/* "res ..." of a command, on a line of its own. */
void log_read_ata_result(struct kernel_log *log, const char *text);
void log_end_ata(struct kernel_log *log);

/* "usb 2-1: ...", "usb-storage 2-1:1.0: ...". */
bool log_read_usb(struct kernel_log *log, const char *text);

/* "sd 6:0:0:0: ...", "scsi host6: ...". */
bool log_read_scsi(struct kernel_log *log, const char *text);

/* "ahci 0000:00:17.0: ...". */
bool log_read_ahci(struct kernel_log *log, const char *text);

/* Keeps @text as the latest line of its kind. */
void log_keep(const struct kernel_log *log, struct log_line *line, const char *text);

/* What follows @prefix in @text, or NULL. */
static inline const char *log_after(const char *text, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncmp(text, prefix, len) == 0 ? text + len : NULL;
}

/* A decimal number; @ret_rest points behind it. False if there is none, or a large one.
 */
bool log_number(const char *text, uint32_t *ret, const char **ret_rest);

/* The hexadecimal number behind the first @key in @text. */
bool log_hex_at(const char *text, const char *key, uint32_t *ret);

/* A number that stands for @len bytes of text, and is not 0. */
uint64_t log_identity(const char *text, size_t len);
