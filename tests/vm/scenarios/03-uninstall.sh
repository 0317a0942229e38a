# SPDX-License-Identifier: MIT
# install.sh --uninstall on a running system: the rules go first, then every value returns, and
# an event that comes afterwards changes nothing; files, records and the service are gone.
# Machines: debian-systemd

ssd=$(disk VMSATASSD)
before=$(attr "$ssd" queue/read_ahead_kb)
mkdir -p /etc/blkadvise/policy.d /usr/lib/blkadvise
printf '[all]\nread_ahead_kb=320\n' >/etc/blkadvise/policy.d/90-test.policy
event "$ssd"
equal "a policy is in force" 320 "$(attr "$ssd" queue/read_ahead_kb)"
rm /etc/blkadvise/policy.d/90-test.policy

# What install.sh would have noted.
find /usr /etc -xdev \( -name '*blkadvise*' -o -path '/usr/lib/blkadvise/*' \) ! -type d \
	! -path '/usr/src/*' >/usr/lib/blkadvise/manifest
dev=$(attr "$ssd" dev)
uninstall() { sh /usr/src/blkadvise/install.sh --uninstall; }

# What cannot be returned must not be forgotten.
flock -o "/run/blkadvise/state/$dev.lock" sleep 1000 &
sleep 1
equal "beside another writer it stops" 1 "$(uninstall >/dev/null 2>&1; echo $?)"
check "and keeps the memory" test -s "/run/blkadvise/state/$dev"
check "and the program" blkadvise --version
kill $!
dd if=/dev/zero of=/run/filler bs=4k 2>/dev/null
dd if=/dev/zero of=/run/filler2 bs=1 count=5000 2>/dev/null
uninstall >/dev/null 2>&1
check "with a full /run the memory is kept" test -s "/run/blkadvise/state/$dev"
rm -f /run/filler /run/filler2

check "it uninstalls" sh /usr/src/blkadvise/install.sh --uninstall
equal "the value is back" "$before" "$(attr "$ssd" queue/read_ahead_kb)"
event "$ssd"
event "$ssd" add
equal "and stays" "$before" "$(attr "$ssd" queue/read_ahead_kb)"
check "the rules are gone" sh -c '! ls /usr/lib/udev/rules.d/*blkadvise*'
check "the records are gone" test ! -e /run/blkadvise
check "the program is gone" sh -c '! command -v blkadvise'
check "the service is gone" sh -c '! systemctl is-active --quiet blkadvise.service'
check "so is that of measurements" sh -c \
	'! systemctl is-enabled --quiet blkadvise-measurements.service'
equal "a second time is refused" 1 \
	"$(sh /usr/src/blkadvise/install.sh --uninstall >/dev/null 2>&1; echo $?)"
