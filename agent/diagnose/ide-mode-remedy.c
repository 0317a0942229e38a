/* SPDX-License-Identifier: MIT */
/*
 * How to leave IDE mode: one list of steps for each way out and each state of the system
 * that must boot afterwards. The order matters: a system whose root is behind the
 * controller needs the driver before the switch, any other one after it.
 */
#include "base/text.h"
#include "diagnose/ata.h"

enum way {
	WAY_FIRMWARE, /* the setup, or an update of it */
	WAY_REGISTER, /* and the mode register, which this chip is known to take */
	WAY_EFI,      /* Apple: the firmware chooses by how the system is booted */
	WAY_EFI_REGISTER,
	WAY_FIRMWARE_PERHAPS, /* nobody knows whether it has AHCI */
	_WAY_MAX,
};

enum boot {
	BOOT_UNKNOWN,
	BOOT_READY,	/* ahci is built in or in the initramfs */
	BOOT_MISSING,	/* and has to get there first */
	BOOT_ELSEWHERE, /* the root file system is on other disks */
	_BOOT_MAX,
};

#define READY                                                              \
	"the ahci driver is there at boot ({initramfs_ahci}): nothing to " \
	"prepare"
#define ADD_AHCI                                                            \
	"on Debian a line \"ahci\" in /etc/initramfs-tools/modules, then "   \
	"update-initramfs -u -k all; with dracut a file in "                 \
	"/etc/dracut.conf.d with add_drivers+=\" ahci \", then dracut -f " \
	"--regenerate-all"
#define MISSING                                                                  \
	"first make the initramfs hold the ahci driver, or the system will not " \
	"boot: " ADD_AHCI
#define UNSURE                                                                  \
	"make sure that the initramfs holds the ahci driver: lsinitramfs "      \
	"/boot/initrd.img-$(uname -r) or lsinitrd, and look for ahci; if not, " \
	ADD_AHCI
#define ELSEWHERE                                                                \
	"the root file system is not on this disk: if it is on no disk of this " \
	"controller the order does not matter, and after the switch modprobe "   \
	"ahci will do"

#define OTHERS                                                                    \
	"the switch is one for all ports: prepare other systems on these disks, " \
	"too (Windows must be told to load its AHCI driver before)"
#define SETUP                                                                     \
	"set the SATA mode to AHCI in the firmware setup (BIOS); if there is no " \
	"such option, or the setup says AHCI already, look for a newer "          \
	"firmware: the kernel's view counts, not the setup's"
#define PERHAPS                                                                   \
	"look for AHCI in the firmware setup (BIOS) or in a newer one; the "      \
	"controller may not have it, then an add-in card (AHCI, SAS) or another " \
	"port is the way"
#define BY_EFI                                                                   \
	"boot by EFI: this firmware takes IDE mode when it boots a system in "   \
	"BIOS compatibility, and AHCI for an EFI boot loader; install that and " \
	"choose it"
#define BY_REGISTER                                                            \
	"last resort, unsupported: in GRUB, before the kernel, setpci -d "     \
	"{hex:pci_vendor}:{hex:pci_device} {mode_register}. It costs: resume " \
	"from suspend may undo it, a PATA optical drive may be lost, a "       \
	"failure keeps the machine from booting; have a rescue disk at hand"
#define MEANWHILE "until then: one read at a time, larger journal blocks"

#define REMEDIES(boot)                                                               \
	{                                                                            \
		[WAY_FIRMWARE] = STEPS(boot, OTHERS, SETUP, MEANWHILE),              \
		[WAY_REGISTER] = STEPS(boot, OTHERS, SETUP, BY_REGISTER, MEANWHILE), \
		[WAY_EFI] = STEPS(boot, BY_EFI, MEANWHILE),                          \
		[WAY_EFI_REGISTER] = STEPS(boot, BY_EFI, BY_REGISTER, MEANWHILE),    \
		[WAY_FIRMWARE_PERHAPS] = STEPS(boot, OTHERS, PERHAPS, MEANWHILE),    \
	}

/* As above, where the switch may come first. */
#define REMEDIES_LATER(boot)                                                         \
	{                                                                            \
		[WAY_FIRMWARE] = STEPS(OTHERS, SETUP, boot, MEANWHILE),              \
		[WAY_REGISTER] = STEPS(OTHERS, SETUP, BY_REGISTER, boot, MEANWHILE), \
		[WAY_EFI] = STEPS(BY_EFI, boot, MEANWHILE),                          \
		[WAY_EFI_REGISTER] = STEPS(BY_EFI, BY_REGISTER, boot, MEANWHILE),    \
		[WAY_FIRMWARE_PERHAPS] = STEPS(OTHERS, PERHAPS, boot, MEANWHILE),    \
	}

static const char *const *const remedies[_BOOT_MAX][_WAY_MAX] = {
	[BOOT_UNKNOWN] = REMEDIES(UNSURE),
	[BOOT_READY] = REMEDIES(READY),
	[BOOT_MISSING] = REMEDIES(MISSING),
	[BOOT_ELSEWHERE] = REMEDIES_LATER(ELSEWHERE),
};

static const char *const no_ahci_remedy[] = {
	"no setting helps, this controller has no AHCI mode: attach the drive to an AHCI "
	"port of the board, if there is one, or to an add-in card (AHCI or SAS), if its "
	"speed matters",
	"until then: one read at a time, larger journal blocks",
	NULL,
};

static enum way choose_way(const struct subject *subject)
{
	bool apple = glob_match("Apple*", text_of(subject, FACT_SYS_VENDOR), false);
	bool known = facts_known(own(subject), FACT_MODE_REGISTER);

	if (apple && facts_is_clear(own(subject), FACT_EFI))
		return known ? WAY_EFI_REGISTER : WAY_EFI;
	if (known)
		return WAY_REGISTER;
	return facts_known(own(subject), FACT_AHCI_SIBLING) ? WAY_FIRMWARE
							    : WAY_FIRMWARE_PERHAPS;
}

static enum boot choose_boot(const struct subject *subject)
{
	const char *initramfs = text_of(subject, FACT_INITRAMFS_AHCI);

	if (strcmp(initramfs, "yes") == 0 || strcmp(initramfs, "built-in") == 0)
		return BOOT_READY;
	if (facts_is_clear(own(subject), FACT_HOLDS_ROOT))
		return BOOT_ELSEWHERE;
	return strcmp(initramfs, "no") == 0 ? BOOT_MISSING : BOOT_UNKNOWN;
}

const char *const *ide_mode_remedy(const struct subject *subject)
{
	if (facts_is_text(own(subject), FACT_AHCI_SIBLING, "none"))
		return no_ahci_remedy;
	return remedies[choose_boot(subject)][choose_way(subject)];
}
