/* SPDX-License-Identifier: MIT */
/*
 * Messages of USB and SCSI, and of ahci about NVMe devices that it hides. Sources:
 * drivers/usb/core/hub.c (hub_port_init()), drivers/usb/storage/usb.c
 * (get_device_info()), uas-detect.h, uas.c, drivers/scsi/scsi_logging.c, constants.c,
 * drivers/ata/ahci.c (ahci_remap_check()).
 */
#include "base/text.h"
#include "facts/evidence-internal.h"
#include "facts/kernel-log-internal.h"

#define QUIRK_IGNORE_UAS "800000" /* include/linux/usb_usual.h: US_FL_IGNORE_UAS */

/* NULL if there is no room. @name has @len bytes, "2-1.4". */
static struct usb_log *find_usb(struct kernel_log *log, const char *name, size_t len)
{
	struct usb_log *usb = NULL;

	if (len == 0 || len >= sizeof(usb->name))
		return NULL;
	for (size_t i = 0; i < log->n_usb; i++) {
		if (strncmp(log->usb[i].name, name, len) == 0 &&
		    log->usb[i].name[len] == '\0')
			return &log->usb[i];
	}
	if (log->n_usb == LOG_USB_MAX)
		return NULL;
	usb = &log->usb[log->n_usb++];
	*usb = (struct usb_log){ 0 };
	memcpy(usb->name, name, len);
	return usb;
}

/* "reset high-speed USB device number 2 using xhci_hcd" */
static void read_reset(struct kernel_log *log, struct usb_log *usb, const char *line,
		       const char *text)
{
	if (!strstr(text, " USB device number "))
		return;
	usb->resets++;
	log_keep(log, &usb->line, line);
}

/* "New USB device found, idVendor=174c, idProduct=55aa": another one has no history. */
static void read_found(struct usb_log *usb, const char *text)
{
	uint32_t vendor = 0, product = 0;
	uint64_t identity = 0;

	if (!log_hex_at(text, "idVendor=", &vendor) ||
	    !log_hex_at(text, "idProduct=", &product))
		return;
	identity = (UINT64_C(1) << 32) | vendor << 16 | (product & 0xffff);
	if (usb->identity && usb->identity != identity) {
		struct usb_log fresh = { 0 };

		memcpy(fresh.name, usb->name, sizeof(fresh.name));
		*usb = fresh;
	}
	usb->identity = identity;
}

/* "Quirks match for vid 174c pid 55aa: 400000" */
static void read_quirks(struct usb_log *usb, const char *text)
{
	const char *colon = strstr(text, ": ");
	size_t len = colon ? strspn(colon + 2, "0123456789abcdef") : 0;

	if (len == 0 || len >= sizeof(usb->quirk))
		return;
	memcpy(usb->quirk, colon + 2, len);
	usb->quirk[len] = '\0';
}

bool log_read_usb(struct kernel_log *log, const char *text)
{
	const char *name = log_after(text, "usb "), *colon = NULL, *rest = NULL;
	struct usb_log *usb = NULL;
	bool interface = false;

	if (!name) {
		name = log_after(text, "usb-storage ");
		interface = name != NULL;
	}
	if (!name || *name < '0' || *name > '9')
		return false;
	colon = strstr(name, ": ");
	if (!colon)
		return false;
	rest = colon + 2;
	if (!log_after(rest, "reset ") && !log_after(rest, "New USB device found, ") &&
	    !log_after(rest, "Quirks match for ") &&
	    !log_after(rest, "UAS is ignored for this device") &&
	    !log_after(rest, "UAS is blacklisted for this device"))
		return true;
	usb = find_usb(log, name,
		       interface ? strcspn(name, ":") : (size_t)(colon - name));
	if (!usb)
		return true;
	if (*rest == 'r')
		read_reset(log, usb, text, rest);
	else if (*rest == 'N')
		read_found(usb, rest);
	else if (*rest == 'Q')
		read_quirks(usb, rest);
	else if (!usb->quirk[0])
		strcpy(usb->quirk, QUIRK_IGNORE_UAS);
	return true;
}

static struct scsi_log *find_scsi(struct kernel_log *log, const struct scsi_log *address)
{
	for (size_t i = 0; i < log->n_scsi; i++) {
		struct scsi_log *scsi = &log->scsi[i];

		if (scsi->host == address->host && scsi->channel == address->channel &&
		    scsi->target == address->target && scsi->lun == address->lun)
			return scsi;
	}
	if (log->n_scsi == LOG_SCSI_MAX)
		return NULL;
	log->scsi[log->n_scsi] = *address;
	return &log->scsi[log->n_scsi++];
}

/* "sd 6:0:0:0: ", "scsi host6: ". Returns what follows, or NULL. */
static const char *read_address(const char *text, struct scsi_log *ret)
{
	const char *rest = log_after(text, "scsi host");
	uint32_t part[4] = { 0 };

	if (rest) {
		ret->channel = ret->target = ret->lun = -1;
		return log_number(rest, &ret->host, &rest) ? log_after(rest, ": ") : NULL;
	}
	rest = log_after(text, "sd ");
	if (!rest)
		rest = log_after(text, "scsi ");
	for (size_t i = 0; rest && i < ARRAY_SIZE(part); i++) {
		if (!log_number(rest, &part[i], &rest) || *rest != ':' ||
		    part[i] > INT32_MAX)
			return NULL;
		rest++;
	}
	ret->host = part[0];
	ret->channel = (int)part[1];
	ret->target = (int)part[2];
	ret->lun = (int)part[3];
	return rest && *rest == ' ' ? rest + 1 : NULL;
}

bool log_read_scsi(struct kernel_log *log, const char *text)
{
	struct scsi_log address = { 0 }, *scsi = NULL;
	const char *rest = read_address(text, &address);
	bool abort = false, unaligned = false;

	if (!rest)
		return false;
	abort = strstr(rest, "uas_eh_abort_handler") != NULL;
	unaligned = strstr(rest, "Add. Sense: Unaligned write command") != NULL;
	if (!abort && !unaligned)
		return true;
	scsi = find_scsi(log, &address);
	if (!scsi)
		return true;
	scsi->unaligned += unaligned;
	scsi->aborts += abort; /* that of the device after it says "reset" of its own */
	if (abort)
		log_keep(log, &scsi->line, text);
	return true;
}

/* "Found 1 remapped NVMe devices." */
bool log_read_ahci(struct kernel_log *log, const char *text)
{
	const char *address = log_after(text, "ahci "), *colon = NULL, *rest = NULL;
	size_t used = strlen(log->remapped_at);
	uint32_t n = 0;

	colon = address ? strstr(address, ": ") : NULL;
	if (!colon || *address < '0' || *address > '9')
		return false;
	rest = log_after(colon + 2, "Found ");
	if (!rest || !log_number(rest, &n, &rest) ||
	    !log_after(rest, " remapped NVMe devices") || n > AHCI_MAX_REMAP)
		return true;
	log->remapped_nvme += n;
	(void)snprintf(log->remapped_at + used, sizeof(log->remapped_at) - used, "%s%.*s",
		       used ? " " : "", (int)(colon - address), address);
	return true;
}
