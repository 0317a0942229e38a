/* SPDX-License-Identifier: MIT */
/*
 * The lines of a kernel log that a capture may hold, as extended regular expressions.
 * Only what storage drivers print, and of that only lines made of fixed words, numbers
 * and names that the kernel gives: no line with a serial number or a name given by people
 * matches, and one with a model only from libata, as sysfs has it.
 *
 * Sources: drivers/ata/libata-eh.c, libata-core.c, libata-sata.c, libata-scsi.c, ahci.c,
 * libahci.c; drivers/scsi/sd.c, scsi_logging.c, constants.c; drivers/usb/core/hub.c,
 * drivers/usb/storage/uas.c, uas-detect.h, usb.c; drivers/nvme/host/core.c, pci.c;
 * drivers/pci/controller/vmd.c, drivers/pci/pci.c; drivers/md/md.c, raid1.c;
 * block/blk-core.c, block/elevator.c.
 */
#include "cli/capture.h"

#define N "[0-9]+"
#define X "(0x)?[0-9a-fA-F]+"
#define F "[0-9]+\\.[0-9]+"
#define ERRNO "\\(errno=-" N "\\)"
#define PCI "[0-9a-f]+:[0-9a-f]+:[0-9a-f]+\\.[0-7]"
#define USB "[0-9]+-[0-9.]+"
#define LUN N ":" N ":" N ":" N
#define DISK                                                      \
	"(sd[a-z]+|sr" N "|vd[a-z]+|nvme" N "(c" N ")?n" N "|dm-" \
	N "|md" N "|mmcblk" N "(boot" N ")?|loop" N ")"
#define SD "(\\[" DISK "\\] )?(tag#" N " )?"
#define MODE "(PIO|MWDMA|UDMA/)" N
#define TASK_FILE "[0-9a-f/:]+"
#define HCD "[a-z0-9_]+hcd[a-z0-9_]*"
#define SPEED "(low|full|high|super|Super)[ -]?[sS]peed( Plus)?( Gen " N "(x" N ")?)?"
#define UAS_STATE "( (s-st|[as]-in|[as]-out|[as]-cmd|CMD|IN|OUT|abort|done))* ?"
#define CHIP_MODE "(SATA|IDE|RAID|unknown|\\?)( mode)?"
#define GTS F " GT/s PCIe x" N " link"

/* What ata_eh_link_report() names. */
#define SERROR                                                                     \
	"( (RecovData|RecovComm|UnrecovData|Persist|Proto|HostInt|PHYRdyChg|PHYInt" \
	"|CommWake|10B8B|Dispar|BadCRC|Handshk|LinkSeq|TrStaTrns|UnrecFIS|DevExch))*"
#define STATUS "( (Busy|DRDY|DF|DRQ|ERR|SENSE))*"
#define ERROR "( (ICRC|UNC|AMNF|IDNF|ABRT))*"
#define EMASK                                                                   \
	"(device error|HSM violation|timeout|media error|ATA bus error|host bus error" \
	"|system error|invalid argument|unknown error|NCQ error|NODEV_HINT"     \
	"|internal error|old)"

#define RESULT "res " TASK_FILE " Emask " X " \\(" EMASK "\\)( <F>)?"

static const char *const ata[] = {
	/* the model, as sysfs has it: after it another drive is meant */
	"ATA-[0-9]+: [A-Za-z0-9 ._/+()-]+, [A-Za-z0-9._-]*, max " MODE,
	"SATA link (up " F " Gbps|down) \\(SStatus " X " SControl " X "\\)",
	"limiting SATA link speed to " F " Gbps",
	"limiting speed to " MODE "(:PIO" N ")?",
	"configured for " MODE "( \\(device error ignored\\))?",
	"NCQ disabled due to excessive errors",
	"exception Emask " X " SAct " X " SErr " X " action " X "( frozen)?( t" N ")?",
	"irq_stat " X "(, (interface fatal error|host bus fatal error|connection status "
	"changed|PHY RDY changed|device error|unknown FIS|task file error))*",
	"SError: \\{" SERROR " \\}",
	"failed command: [A-Z/_-]+( [A-Z/_-]+)*",
	"cmd " TASK_FILE " tag " N "( (ncq|dma|pio|ncq dma))?( " N "( (in|out))?)?"
	"(\\\\x0a *" RESULT ")?",
	RESULT,
	"status: \\{" STATUS " \\}",
	"error: \\{" ERROR " \\}",
	"(hard|soft) resetting (link|port)",
	"(softreset|COMRESET|SRST|hardreset) failed( " ERRNO
	"| \\((device not ready|1st FIS failed)\\))?",
	"reset failed(, giving up|( " ERRNO ")?, retrying in " N " secs)",
	"(link|port|device) is slow to respond, please be patient"
	"( \\((ready=-?" N "|Status " X ")\\))?",
	"link online but " N " devices misclassified, retrying",
	"EH (complete|pending after " N " tries, giving up)",
	"(disable|disabled|disabling|disable device)",
	"revalidation failed " ERRNO,
	"qc timeout( after " N " msecs)? \\(cmd " X "\\)",
	"failed to (IDENTIFY|set xfermode) \\((I/O error, )?err_mask=" X "\\)",
	"(SATA|PATA) max " MODE "( (abar m" N "@" X "|port " X "|cmd " X "|ctl " X
	"|bmdma " X "|mmio m" N "@" X "|irq " N "|lpm-pol " N "|ext))*",
	"DUMMY",
	"FORCE: (horkage |quirk )?modified \\([a-z0-9.]+\\)",
	"FORCE: (PHY spd limit|xfer_mask|cable|link flag) set to " F "Gbps",
	"FORCE: link flag " X " forced -> " X,
	N " sectors, multi " N ": (LBA48|LBA|CHS)( NCQ \\((depth " N "(/" N ")?|not used"
	")\\))?(, [A-Z]+)*",
	"NCQ (Send/Recv|Non-Data|Prio) Log not supported",
	"READ LOG DMA EXT failed, trying PIO",
	"supports DRM functions and may not be fully accessible",
	"disabling queued TRIM support",
	"LPM support broken, forcing max_power",
	"Security Log not supported",
	"lost interrupt \\(Status " X "\\)",
	"Port Multiplier " F ", " X ":" X " r" N ", " N " ports, feat " X "/" X,
	NULL,
};

static const char *const ahci[] = {
	"AHCI " X "\\." X " " N " slots " N " ports " N "(\\." N ")? Gbps " X
	" impl " CHIP_MODE,
	"AHCI vers " X "\\." X ", " N " command slots, " N "(\\." N ")? Gbps, "
	CHIP_MODE,
	N "/" N " ports implemented \\(port mask " X "\\)",
	"flags:( (64bit|ncq|sntf|ilck|stag|pm|led|clo|only|pmp|fbs|pio|slum|part|ccc|ems"
	"|sxs|deso|sadm|sds|apst|nvmp|boh|mpsp))*",
	"SSS flag set, parallel bus scan disabled",
	"Found " N " remapped NVMe devices\\.?",
	"Switch your BIOS from RAID to AHCI mode to use them\\.?",
	"controller can't do (NCQ|64bit DMA|PMP|FBS|SNTF|DEVSLP|64bit), "
	"(turning|forcing) (off|32bit)( CAP_[A-Z0-9]+)?",
	"MAP \\[( (P[0-3]|--|IDE))* \\]",
	"version " F "(\\." N ")?",
	NULL,
};

static const char *const sd[] = {
	SD "(FAILED )?Result: hostbyte=(DID_[A-Z_]+|" X ") "
	"driverbyte=(DRIVER_[A-Z_]+|" X ")( cmd_age=" N "s)?",
	SD "Sense Key : (No Sense|Recovered Error|Not Ready|Medium Error|Hardware Error"
	"|Illegal Request|Unit Attention|Data Protect|Blank Check|Aborted Command"
	"|Miscompare|" X ") (\\[(current|deferred|descriptor)\\] ?)*",
	SD "Add\\. Sense: (Unaligned write command|Unrecovered read error( - auto "
	"reallocate failed)?|Logical block address out of range|Scsi parity error"
	"|No additional sense information|Invalid command operation code"
	"|Invalid field in cdb|Internal target failure|Write error|Medium not present"
	"|Power on, reset, or bus device reset occurred|Information unit iuCRC error "
	"detected|Logical unit communication (failure|CRC error \\(Ultra-DMA/32\\)))",
	SD "CDB: (Read|Write|Unmap|Synchronize Cache|Write same|Verify|Test Unit Ready"
	"|Read capacity|Inquiry|Mode Sense|Start/Stop Unit|opcode=" X ")"
	"(\\([0-9/]+\\))?( [0-9a-f][0-9a-f])*",
	SD N " " N "-byte logical blocks: \\([0-9.]+ [kMGTP]?B/[0-9.]+ [KMGTP]?i?B\\)",
	SD N "-byte physical blocks",
	SD "(Write Protect is (on|off)|Attached SCSI (removable )?disk)",
	SD "Mode Sense:( [0-9a-f][0-9a-f])+",
	SD "Write cache: (en|dis)abled, read cache: (en|dis)abled, (doesn't support|"
	"supports) DPO (and|or) FUA",
	SD "(No Caching mode page found|Assuming drive cache: write (through|back)"
	"|Asking for cache data failed)",
	SD "(Preferred minimum I/O size|Optimal transfer size) " N " bytes( (> dev_max "
	"\\(" N " \\* " N "\\)|> sd driver limit \\(" N " sectors\\)|< PAGE_SIZE "
	"\\(" N " bytes\\)|(is )?not a multiple of (physical|preferred minimum) block "
	"size \\(" N " bytes\\)))?",
	SD "(uas_eh_abort_handler|uas_zap_pending|data cmplt err|stat urb: [a-z ]+|cmd "
	"cmplt err) -?" N " uas-tag " N " inflight:" UAS_STATE,
	SD "(Synchronizing SCSI cache|Stopping disk)",
	"Power-on or device reset occurred",
	"Mode parameters changed",
	"(Device offlined|device offlined) - not ready after error recovery",
	"rejecting I/O to offline device",
	NULL,
};

static const char *const scsi_host[] = {
	"(uas|ahci|ata_piix|ata_generic|pata_[a-z0-9_]+|sata_[a-z0-9]+|usb-storage " USB
	":" F "|Virtio SCSI HBA|storvsc_host_t)",
	"uas_eh_(device|bus)_reset_handler (start|success|FAILED( err -?" N ")?)",
	NULL,
};

static const char *const usb[] = {
	"New USB device found, idVendor=[0-9a-f]+, idProduct=[0-9a-f]+(, bcdDevice= "
	"?[0-9a-f.]+)?",
	"(new|reset) " SPEED " USB device number " N " using " HCD,
	"USB disconnect, device number " N,
	"UAS is (ignored|blacklisted|disabled) for this device, using usb-storage "
	"instead",
	"The driver for the USB controller " HCD " does not support (streams|"
	"scatter-gather) which (is|are)",
	"required by the UAS driver\\. Please try an other USB controller if you wish to "
	"use UAS\\.",
	"USB controller " HCD " does not support streams, which are required by the UAS "
	"driver\\.",
	"Please try an other USB controller if you wish to use UAS\\.",
	"device (descriptor read/[a-z0-9]+|not accepting address " N "), error -" N,
	"(d|D)evice not responding to setup address\\.",
	"device firmware changed",
	"can't set config #" N ", error -" N,
	"USB Mass Storage device detected",
	"Quirks match for vid [0-9a-f]+ pid [0-9a-f]+: [0-9a-f]+",
	"LPM exit latency is zeroed, disabling LPM\\.",
	NULL,
};

static const char *const nvme[] = {
	"pci function " PCI,
	N "(/" N ")* (default/read/poll|read/poll/default) queues",
	"I/O (tag )?" N "( \\([0-9a-f]+\\))?( \\(I/O Cmd\\)| \\(Admin Cmd\\))?( opcode " X
	" \\((I/O Cmd|Admin Cmd|Read|Write|Flush)\\))? QID " N " timeout, (aborting|"
	"completion polled|reset controller|disable controller|aborting req_op:[A-Z]+"
	"\\(" N "\\) size:" N ")",
	"controller is down; will reset: CSTS=" X ", PCI_STATUS(=" X "| read failed \\(" N
	"\\))",
	"Does your device have a faulty power saving mode enabled\\?",
	"Try \"nvme_core\\.default_ps_max_latency_us=0 pcie_aspm=off( "
	"pcie_port_pm=off)?\" and report a bug",
	"Removing after probe failure status: -?" N,
	"Device not ready; aborting (reset|shutdown|initialisation)(, CSTS=" X ")?",
	"Shutdown timeout set to " N " seconds",
	"allocated " N " MiB host memory buffer( \\(" N " segments?\\))?\\.?",
	"missing or invalid SUBNQN field\\.",
	"(resetting controller|Abort status: " X ")",
	"failed to set APST feature \\(-?" N "\\)",
	"platform quirk: setting simple suspend",
	NULL,
};

static const char *const pci[] = {
	F " Gb/s available PCIe bandwidth(, limited by " GTS " at " PCI " \\(capable of "
	F " Gb/s with " GTS "\\)| \\(" GTS "\\))",
	"PCI host bridge to bus [0-9a-f:]+",
	"Bound to PCI domain [0-9a-f]+",
	"broken device, retraining non-functional downstream link at " F " ?GT/s",
	"retraining (failed|succeeded|sucessful)",
	"removing " F " ?GT/s downstream link speed restriction",
	NULL,
};

static const char *const md[] = {
	"active with " N " out of " N " mirrors",
	"raid level " N " active with " N " out of " N " devices, algorithm " N,
	"not enough operational (mirrors|devices)( \\(" N "/" N " failed\\))?",
	"detected capacity change from " N " to " N,
	"Disk failure on " DISK "(p?" N ")?, disabling device\\.?",
	"Operation continuing on " N " devices\\.?",
	NULL,
};

static const char *const plain[] = {
	"Linux version [0-9A-Za-z._+~-]+", /* all that is left of that line */
	" *" RESULT, /* of the line before */
	"(blk_update_request: )?((critical )?(I/O|medium|target|space allocation|nexus|"
	"protection|timeout|transport) error|recoverable transport error),? dev " DISK
	", sector " N "( op " X ":\\([A-Z_]+\\) flags " X "( phys_seg " N ")?"
	"( prio class " N ")?)?",
	"Buffer I/O error on dev(ice)? " DISK "(p?" N ")?, logical block " N
	"(, (async page read|lost async page write|lost sync page write))?",
	"Kernel parameter elevator= does not have any effect anymore\\.",
	"Please use sysfs to set IO scheduler for individual devices\\.",
	"usbcore: registered new interface driver (uas|usb-storage)",
	"libata version " F " loaded\\.",
	"md: (resync|recovery|reshape|data-check|requested-resync) of RAID array md" N,
	"md: md" N ": (resync|recovery|reshape|data-check) (done|interrupted)\\.",
	"device-mapper: multipath: " N ":" N ": (Failing|Reinstating) path " N ":" N
	"\\.",
	"io scheduler (mq-deadline|kyber|bfq|noop|deadline|cfq) registered"
	"( \\(default\\))?",
	NULL,
};

static const struct log_pattern patterns[] = {
	{ "ata", "ata" N "(\\." N ")?: +", ata },
	{ "ahci ", "ahci (" PCI "|[0-9a-f]+\\.(sata|ahci)): ", ahci },
	{ "ata_piix ", "ata_piix " PCI ": ", ahci },
	{ "sd ", "sd " LUN ": ", sd },
	{ "scsi ", "scsi " LUN ": ", sd },
	{ "scsi host", "scsi host" N ": ", scsi_host },
	{ "usb ", "usb " USB ": ", usb },
	{ "usb-storage ", "usb-storage " USB ":" F ": ", usb },
	{ "uas ", "uas " USB ":" F ": ", usb },
	{ "nvme ", "nvme (nvme" N "|" PCI "): ", nvme },
	{ "vmd ", "vmd " PCI ": ", pci },
	{ "pci ", "pci " PCI ": ", pci },
	{ "pcieport ", "pcieport " PCI ": ", pci },
	{ "md/raid", "md/raid[0-9]*:md" N ": ", md },
	{ "md", "md" N ": ", md },
	{ "", "", plain },
};

const struct log_pattern *capture_log_patterns(size_t *ret_n)
{
	*ret_n = ARRAY_SIZE(patterns);
	return patterns;
}
