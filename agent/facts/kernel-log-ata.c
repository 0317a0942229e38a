/* SPDX-License-Identifier: MIT */
/*
 * Messages of libata, drivers/ata/libata-eh.c and libata-core.c. An error is reported in
 * several lines (ata_eh_link_report()): its head "exception Emask ...", the bits of
 * SError, and for each failed command what it was and how it ended. They are put together
 * into one event, which is judged when the next one begins or the links are reset.
 */
#include "base/text.h"
#include "facts/kernel-log-internal.h"
#include "facts/kernel-log-serror.h"

/* include/linux/libata.h: AC_ERR_TIMEOUT, AC_ERR_MEDIA, ATA_EH_ENABLE_LINK */
#define ERR_TIMEOUT 0x4
#define ERR_MEDIA 0x8
#define ACTION_ENABLE_LINK 0x8

#define PMP_CONTROL_PORT 15 /* the multiplier itself, SATA_PMP_CTRL_PORT */

/* Bits of a damaged transfer, and of a link that went or came (the N, W and X bits). */
#define SERROR_TRANSFER                                                        \
	(SERROR_UNRECOV_DATA | SERROR_10B8B | SERROR_DISPAR | SERROR_BAD_CRC | \
	 SERROR_HANDSHK | SERROR_LINK_SEQ | SERROR_TR_STA_TRNS | SERROR_ICRC)
#define SERROR_PLUG (SERROR_PHY_RDY_CHG | SERROR_COMM_WAKE | SERROR_DEV_EXCH)

/* What a message is about. */
struct message {
	struct kernel_log *log;
	struct ata_port_log *port;
	int device;	  /* DD, or LOG_PORT_ITSELF */
	const char *line; /* all of it, "ata1.00: ..." */
	const char *text; /* behind the name */
};

static struct ata_port_log *find_port(struct kernel_log *log, uint32_t port)
{
	for (size_t i = 0; i < log->n_ports; i++) {
		if (log->ports[i].port == port)
			return &log->ports[i];
	}
	if (log->n_ports == LOG_PORTS_MAX)
		return NULL;
	log->ports[log->n_ports] = (struct ata_port_log){ .port = port };
	return &log->ports[log->n_ports++];
}

/* Never NULL: without room a place is given that nobody looks at. */
static struct ata_device_log *find_device(struct kernel_log *log, uint32_t port,
					  int device)
{
	for (size_t i = 0; i < log->n_devices; i++) {
		if (log->devices[i].port == port && log->devices[i].device == device)
			return &log->devices[i];
	}
	if (log->n_devices == LOG_DEVICES_MAX) {
		memset(&log->nowhere, 0, sizeof(log->nowhere));
		return &log->nowhere;
	}
	log->devices[log->n_devices] =
		(struct ata_device_log){ .port = port, .device = device };
	return &log->devices[log->n_devices++];
}

static struct ata_device_log *device_of(const struct message *message)
{
	return find_device(message->log, message->port->port, message->device);
}

/* A command is through: @err_mask tells why, if @known. A bad sector is no link's fault.
 */
static void end_command(struct ata_event *event, bool known, uint32_t err_mask)
{
	/* Commands that time out freeze the port and leave its own mask empty. */
	bool timeout = known ? err_mask & ERR_TIMEOUT
			     : event->has_head && event->frozen && event->err_mask == 0;
	bool counts = !known || !(err_mask & ERR_MEDIA);

	if (event->command == COMMAND_NONE)
		return;
	if (counts && event->command == COMMAND_FPDMA) {
		event->fpdma = true;
		event->fpdma_timeout |= timeout;
	} else if (counts) {
		event->other = true;
	}
	event->failed = true;
	event->command = COMMAND_NONE;
}

static void count_commands(const struct ata_event *event, struct ata_device_log *device)
{
	if (event->fpdma) {
		device->fpdma_errors++;
		device->fpdma = event->fpdma_line;
		device->fpdma_timeouts +=
			event->fpdma_timeout && event->has_head && event->serror == 0;
	}
	device->other_errors += event->other;
}

/*
 * The link went or came, and no command failed. Without times nobody can tell a storm
 * from a year of changed drives.
 */
static void count_plug(const struct kernel_log *log, struct ata_device_log *device)
{
	size_t last = LOG_STORM_PLUGS - 1;

	if (!log->has_now)
		return;
	memmove(device->plugs + 1, device->plugs, last * sizeof(device->plugs[0]));
	device->plugs[0] = log->now;
	device->n_plugs += device->n_plugs <= last;
	if (device->n_plugs <= last || log->now < device->plugs[last] ||
	    log->now - device->plugs[last] > LOG_STORM_SECONDS)
		return;
	device->storm = device->storm ? device->storm + 1 : LOG_STORM_PLUGS;
}

/*
 * Whether the link is to blame. A drive that is plugged in or out, or spins up, makes the
 * same bits as one whose plug has no contact; the difference is whether commands failed,
 * or the kernel slowed the link down for it.
 */
static enum reset_cause count_link(const struct kernel_log *log,
				   const struct ata_event *event,
				   struct ata_device_log *device)
{
	bool busy = event->failed || event->slowed || event->sactive != 0;
	const struct log_line *line = event->link.number ? &event->link : &event->head;

	if (!(event->serror & (SERROR_TRANSFER | SERROR_PLUG)))
		return RESET_FAULT; /* of something else */
	if (!busy && (event->plugged || !(event->serror & SERROR_TRANSFER))) {
		count_plug(log, device);
		device->plug_serror |= event->serror;
		device->plug = *line;
		return RESET_PLUGGED;
	}
	device->link_faults++;
	device->link_failed += event->failed;
	device->serror |= event->serror;
	device->link = *line;
	return RESET_FAULT;
}

static void end_event(struct kernel_log *log, struct ata_port_log *port)
{
	struct ata_event *event = &port->event;
	struct ata_device_log *device = NULL;

	if (!event->open)
		return;
	end_command(event, false, 0);
	device = find_device(log, port->port, event->device);
	count_commands(event, device);
	port->cause = count_link(log, event, device);
	*event = (struct ata_event){ .device = LOG_PORT_ITSELF };
}

void log_end_ata(struct kernel_log *log)
{
	for (size_t i = 0; i < log->n_ports; i++)
		end_event(log, &log->ports[i]);
}

/* The event of which the message tells more. */
static struct ata_event *open_event(const struct message *message)
{
	struct ata_event *event = &message->port->event;

	if (!event->open)
		*event = (struct ata_event){ .device = LOG_PORT_ITSELF };
	event->open = true;
	if (message->device != LOG_PORT_ITSELF)
		event->device = message->device;
	return event;
}

static void read_exception(const struct message *message)
{
	struct ata_event *event = NULL;
	uint32_t action = 0;

	end_event(message->log, message->port);
	message->port->heads++;
	message->port->parts++;
	event = open_event(message);
	event->has_head = true;
	event->slowed = message->port->slowed;
	message->port->slowed = false;
	(void)log_hex_at(message->text, "Emask 0x", &event->err_mask);
	(void)log_hex_at(message->text, "SAct 0x", &event->sactive);
	(void)log_hex_at(message->text, "SErr 0x", &event->serror);
	event->serror &= ~SERROR_ICRC;
	if (log_hex_at(message->text, "action 0x", &action))
		event->plugged = action & ACTION_ENABLE_LINK;
	event->frozen = strstr(message->text, " frozen") != NULL;
	log_keep(message->log, &event->head, message->line);
}

static void read_serror(const struct message *message)
{
	struct ata_event *event = open_event(message);

	for (size_t i = 0; serror_names[i].name; i++) {
		size_t len = strlen(serror_names[i].name);
		const char *place = strstr(message->text, serror_names[i].name);

		if (serror_names[i].bit != SERROR_ICRC && place && place[-1] == ' ' &&
		    (place[len] == ' ' || place[len] == '}'))
			event->serror |= serror_names[i].bit;
	}
	log_keep(message->log, &event->link, message->line);
}

/* "error: { ICRC ABRT }": the drive has received what did not fit its checksum. */
static void read_error(const struct message *message)
{
	struct ata_event *event = NULL;

	if (!strstr(message->text, "ICRC"))
		return;
	event = open_event(message);
	event->serror |= SERROR_ICRC;
	if (!event->link.number)
		log_keep(message->log, &event->link, message->line);
}

static void begin_command(const struct message *message, bool fpdma)
{
	struct ata_event *event = open_event(message);

	end_command(event, false, 0);
	event->failed = true;
	event->command = fpdma ? COMMAND_FPDMA : COMMAND_OTHER;
	if (fpdma)
		log_keep(message->log, &event->fpdma_line, message->line);
}

static void read_failed_command(const struct message *message)
{
	begin_command(message, strstr(message->text, "FPDMA") ||
				       strstr(message->text, "NCQ NON-DATA"));
}

static void read_result(struct ata_port_log *port, const char *text)
{
	uint32_t err_mask = 0;

	if (log_hex_at(text, "Emask 0x", &err_mask))
		end_command(&port->event, true, err_mask);
}

/*
 * "cmd 60/08:...". Kernels without CONFIG_ATA_VERBOSE_ERROR have not named the command
 * before. The result follows on a line of its own, or here if the log escapes newlines.
 */
static void read_command(const struct message *message)
{
	static const uint32_t queued[] = { 0x60, 0x61, 0x63, 0x64, 0x65 };
	uint32_t opcode = 0;
	bool fpdma = false;

	if (!log_hex_at(message->text, "cmd ", &opcode))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(queued); i++)
		fpdma |= opcode == queued[i];
	if (message->port->event.command == COMMAND_NONE)
		begin_command(message, fpdma);
	read_result(message->port, message->text);
}

void log_read_ata_result(struct kernel_log *log, const char *text)
{
	struct ata_port_log *port =
		log->has_last_port ? find_port(log, log->last_port) : NULL;

	if (port)
		read_result(port, text);
}

/*
 * Links of a port multiplier are reset when it is found, before anything has failed; a
 * port's own link is reset in silence then (ATA_EHI_QUIET).
 */
static void read_reset(const struct message *message)
{
	struct ata_device_log *device = device_of(message);

	end_event(message->log, message->port);
	device->later_resets += device->speed_down.line.number > 0 && !device->slowing;
	device->slowing = false;
	switch (message->port->cause) {
	case RESET_UNKNOWN:
		device->resets += message->device == LOG_PORT_ITSELF;
		break;
	case RESET_PLUGGED:
		device->plug_resets++;
		break;
	case RESET_FAULT:
		device->resets++;
		break;
	}
}

static void read_complete(const struct message *message)
{
	end_event(message->log, message->port);
	message->port->parts++;
	message->port->cause = RESET_UNKNOWN;
	message->port->slowed = false;
}

static void read_limit(const struct message *message, struct limit_log *limit)
{
	log_keep(message->log, &limit->line, message->line);
	limit->part = message->port->parts;
	if (message->port->event.open)
		message->port->event.slowed = true;
	else
		message->port->slowed = true;
}

static void read_speed_down(const struct message *message)
{
	struct ata_device_log *device = device_of(message);

	read_limit(message, &device->speed_down);
	device->later_resets = 0;
	device->slowing = true;
}

/* The step that ata_eh_speed_down() takes when the link can go no lower. */
static void read_mode_down(const struct message *message)
{
	read_limit(message, &device_of(message)->mode_down);
}

static void read_link_up(const struct message *message)
{
	log_keep(message->log, &device_of(message)->link_up, message->line);
}

static void read_ncq_disabled(const struct message *message)
{
	struct ata_device_log *device = device_of(message);

	device->ncq_disabled = true;
	device->ncq_part = message->port->parts;
}

/*
 * ata_dev_init() has taken back what was limited: the error handler does so after it has
 * reported, so that a limit from before the last report is gone. One that it set since
 * then, because the drive was hard to find, is in force.
 */
static void forget_limits(struct ata_device_log *device, const struct ata_port_log *port)
{
	if (device->ncq_part < port->parts)
		device->ncq_disabled = false;
	if (device->mode_down.part < port->parts)
		device->mode_down = (struct limit_log){ .part = 0 };
	if (device->speed_down.part < port->parts) {
		device->speed_down = (struct limit_log){ .part = 0 };
		device->later_resets = 0;
	}
}

static void forget_limits_of(const struct message *message)
{
	struct kernel_log *log = message->log;
	const struct ata_port_log *port = message->port;

	forget_limits(device_of(message), port);
	if (!port->multiplier)
		forget_limits(find_device(log, port->port, LOG_PORT_ITSELF), port);
}

/* Keeps the model of ": model, firmware", which ends at @end. It may hold commas. */
static void keep_model(struct ata_device_log *device, const char *colon, const char *end)
{
	const char *text = colon + 2, *comma = NULL;
	size_t len = 0;

	for (const char *p = text; p < end; p++) {
		if (strncmp(p, ", ", 2) == 0)
			comma = p;
	}
	len = comma ? (size_t)(comma - text) : 0;
	if (len >= sizeof(device->model))
		len = sizeof(device->model) - 1;
	memcpy(device->model, text, len);
	device->model[len] = '\0';
}

/*
 * "ATA-9: model, firmware, max UDMA/133": a device has been found, for the first time or
 * again. Another drive has none of what was before.
 */
static void read_model(const struct message *message)
{
	struct kernel_log *log = message->log;
	const char *colon = strstr(message->text, ": ");
	const char *end = strstr(message->text, ", max ");
	uint64_t identity = 0;
	struct ata_device_log *device = NULL, *link = NULL;

	if (!colon || !end || end < colon)
		return;
	identity = log_identity(colon, (size_t)(end - colon));
	end_event(log, message->port);
	forget_limits_of(message);
	device = device_of(message);
	if (device->identity && device->identity != identity) {
		*device = (struct ata_device_log){ .port = device->port,
						   .device = device->device,
						   .speed_down = device->speed_down,
						   .mode_down = device->mode_down };
		link = find_device(log, device->port, LOG_PORT_ITSELF);
		if (!message->port->multiplier)
			*link = (struct ata_device_log){ .port = link->port,
							 .device = link->device,
							 .speed_down = link->speed_down,
							 .link_up = link->link_up };
	}
	device->identity = identity;
	keep_model(device, colon, end);
	device->model_head = message->port->heads;
}

/*
 * The device is gone. Where another was plugged in at once, this is said after its model,
 * by a worker that comes after the error handler.
 */
static void read_detaching(const struct message *message)
{
	if (device_of(message)->model_head != message->port->heads)
		forget_limits_of(message);
}

/* "Port Multiplier 1.1, ...", of the multiplier itself. */
static void read_multiplier(const struct message *message)
{
	message->port->multiplier = true;
}

static const struct {
	const char *prefix;
	void (*read)(const struct message *message);
} readers[] = {
	{ "exception Emask ", read_exception },
	{ "SError: ", read_serror },
	{ "error: ", read_error },
	{ "failed command: ", read_failed_command },
	{ "cmd ", read_command },
	{ "hard resetting link", read_reset },
	{ "soft resetting link", read_reset },
	{ "EH complete", read_complete },
	{ "limiting SATA link speed to ", read_speed_down },
	{ "limiting speed to ", read_mode_down },
	{ "SATA link up ", read_link_up },
	{ "NCQ disabled due to excessive errors", read_ncq_disabled },
	{ "ATA-", read_model },
	{ "detaching (SCSI ", read_detaching },
	{ "Port Multiplier ", read_multiplier },
};

bool log_read_ata(struct kernel_log *log, const char *text)
{
	struct message message = { .log = log, .line = text, .device = LOG_PORT_ITSELF };
	const char *rest = log_after(text, "ata");
	uint32_t port = 0, device = 0;

	if (!rest || !log_number(rest, &port, &rest))
		return false;
	if (*rest == '.') {
		if (!log_number(rest + 1, &device, &rest) || device > PMP_CONTROL_PORT)
			return false;
		if (device != PMP_CONTROL_PORT)
			message.device = (int)device;
	}
	message.text = log_after(rest, ": ");
	if (!message.text)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(readers); i++) {
		if (!log_after(message.text, readers[i].prefix))
			continue;
		message.port = find_port(log, port);
		if (!message.port)
			break;
		log->last_port = port;
		log->has_last_port = true;
		readers[i].read(&message);
		break;
	}
	return true;
}
