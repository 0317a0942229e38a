# SPDX-License-Identifier: MIT
# A whole boot with systemd: the root disk, which the initramfs handled, has its record; a disk
# that is mounted has its record by then; an engine's unit takes its mode and depth for its data
# path from blkadvise-env@, with a prefix of its own; units and rules are those that we ship.
# Machines: debian-systemd
# Timeout: 240

check "the service has run" wait_for systemctl is-active --quiet blkadvise.service
root=$(disk VMROOT)
equal "the root disk has a record" virtual-disk "$(record "$root" CLASS)"
equal "which is in order" 1 "$(record "$root" FORMAT)"
equal "advise / is about the root disk" "$(attr "$root" dev)" \
	"$(blkadvise advise / | sed -n 's/^BLKADVISE_DEVNUM=//p')"

ssd=$(disk VMSATASSD)
mkdir -p /srv/data /etc/systemd/system/blkadvise-env@srv-data.service.d
mkfs.ext4 -q "/dev/$ssd"
cat >/etc/systemd/system/srv-data.mount <<UNIT
[Unit]
Description=The data of an engine
[Mount]
What=/dev/$ssd
Where=/srv/data
Type=ext4
UNIT
cat >/etc/systemd/system/blkadvise-env@srv-data.service.d/prefix.conf <<UNIT
[Service]
Environment=BLKADVISE_PREFIX=DATA_
UNIT
cat >/etc/systemd/system/engine.service <<UNIT
[Unit]
Wants=blkadvise-env@srv-data.service
After=blkadvise-env@srv-data.service
[Service]
Type=oneshot
EnvironmentFile=-/run/blkadvise/env/srv-data
ExecStart=/bin/sh -c 'echo "\$DATA_RANDOM_EXCEEDS_IO_MODE \$DATA_RANDOM_EXCEEDS_DEPTH \$DATA_DEVNUM" >/run/engine'
UNIT
systemctl daemon-reload
check "the engine starts" systemctl start engine.service
check "its data is mounted" grep -q ' /srv/data ' /proc/mounts
equal "with mode and depth of its disk" "direct 32 $(attr "$ssd" dev)" "$(cat /run/engine)"
check "the environment is plain lines" sh -c \
	"! grep -qv '^DATA_[A-Z0-9_]*=[A-Za-z0-9.:_+/,@-]*\$' /run/blkadvise/env/srv-data"

# A path without a disk: the engine starts all the same, with its own defaults.
cat >/etc/systemd/system/plain.service <<UNIT
[Unit]
Wants=blkadvise-env@proc.service
After=blkadvise-env@proc.service
[Service]
Type=oneshot
EnvironmentFile=-/run/blkadvise/env/proc
ExecStart=/bin/sh -c 'echo "mode=\${BLKADVISE_RANDOM_EXCEEDS_IO_MODE:-default}" >/run/plain'
UNIT
systemctl daemon-reload
check "an engine without advice starts" systemctl start plain.service
equal "with its default" "mode=default" "$(cat /run/plain)"

# Each write is in the log.
printf '[all]\nread_ahead_kb=640\n' >/run/blkadvise/policy.d.tmp
mkdir -p /run/blkadvise/policy.d
mv /run/blkadvise/policy.d.tmp /run/blkadvise/policy.d/90-test.policy
event "$ssd"
equal "an event applies a policy" 640 "$(attr "$ssd" queue/read_ahead_kb)"
check "and its write is logged" wait_for sh -c \
	"journalctl -b --no-pager | grep -q 'disk=$ssd setting=read_ahead_kb old=128 new=640'"
rm -r /run/blkadvise/policy.d
event "$ssd"

check "nothing failed because of us" sh -c \
	"! systemctl --failed --no-legend | grep -i blkadvise"
check "the units are sound" systemd-analyze verify --man=no \
	/lib/systemd/system/blkadvise.service /lib/systemd/system/blkadvise-measurements.service
systemctl stop srv-data.mount
