# SPDX-License-Identifier: MIT
# The units in their sandbox reach what they must, also below folders that only their owner may
# enter; no ordering cycle; an md array has a record while it runs and none when it is stopped.
# Machines: debian-systemd

check "no ordering cycle" sh -c '! journalctl -b --no-pager | grep -i "ordering cycle"'
check "the service can be reloaded" systemctl reload blkadvise.service
check "nothing was measured: the second service did not run" sh -c \
	'! systemctl is-active --quiet blkadvise-measurements.service'
mkdir -p /var/lib/blkadvise/measurements
echo one >/var/lib/blkadvise/measurements/0123456789abcdef
check "it runs once there is something" systemctl start blkadvise-measurements.service
equal "and copies it for events" one "$(cat /run/blkadvise/measurements/0123456789abcdef)"
rm -r /var/lib/blkadvise/measurements
check "what is gone is not kept in the copies" blkadvise publish --quiet
check "indeed" test ! -e /run/blkadvise/measurements/0123456789abcdef
mkdir -p /srv/secret/data /home/eve/data
chown -R 1000:1000 /srv/secret /home/eve
chmod 700 /srv/secret /home/eve
for instance in srv-secret-data home-eve-data var-tmp; do
	check "blkadvise-env@$instance" systemctl start "blkadvise-env@$instance.service"
	check "it has advice" grep -q CLASS= "/run/blkadvise/env/$instance"
done

modprobe md_mod
modprobe raid1
echo md7 >/sys/module/md_mod/parameters/new_array
settle
dev=$(attr md7 dev)
check "an array without disks has no record" test ! -e "/run/blkadvise/disks/$dev"
set_md() { echo "$2" >"/sys/block/md7/md/$1"; }
set_md metadata_version none
set_md level raid1
set_md raid_disks 2
slot=0
for serial in VMSATASSD VMSATAHDD; do
	name=$(disk "$serial")
	set_md new_dev "$(attr "$name" dev)"
	set_md "dev-$name/slot" $slot
	slot=$((slot + 1))
done
set_md component_size 32768
set_md array_state active
settle
check "assembled, it has one" wait_for test -s "/run/blkadvise/disks/$dev"
equal "class" stacked "$(record md7 CLASS)"
equal "in udev's database" stacked "$(prop md7 BLKADVISE_CLASS)"
equal "members" 2 "$(record md7 MEMBERS | tr , '\n' | grep -c :)"
set_md array_state clear
settle
check "stopped, it has none" wait_for test ! -e "/run/blkadvise/disks/$dev"
