# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What is done with one disk, simulated in the guest or the host's own: decide, sweep, and
# the pairs that the ratios come from. The caller says how a line of JSON is kept (keep), how
# the readahead is set (readahead KB; false where it may not be), and how a command is run with
# less page cache than the table needs (in_room COMMAND...).
#
# DISK names the disk in all lines, TABLE is the engine's table on it, FOLDER a folder on it.

: "${ENGINE:=engine}" "${ROUNDS:=3}"

# busy: ticks of all processors, at work and in all.
busy() {
	awk '/^cpu / { for (i = 2; i <= 9; i++) n += $i; print n - $5 - $6, n; exit }' /proc/stat
}

# take KIND FIELDS COMMAND...: runs the command, keeps the line of JSON it prints, with FIELDS
# (JSON without braces) before it and the share of the processors' time that was used. The line
# is in $took afterwards.
take() {
	_kind=$1
	_fields=$2
	shift 2
	_before=$(busy)
	took=$("$@" 2>"$SCRATCH/errors" | tail -n 1)
	_after=$(busy)
	# shellcheck disable=SC2086 # two numbers each
	set -- $_before $_after
	_share=$((($4 - $2) > 0 ? 100 * ($3 - $1) / ($4 - $2) : 0))
	case $took in
	"{"*) ;;
	*)
		_why=$(tr -d '"\\\n\t' <"$SCRATCH/errors" | cut -c 1-120)
		took="{\"failed\": \"${_why:-killed}\"}"
		;;
	esac
	keep "{\"kind\": \"$_kind\", \"disk\": \"$DISK\", $_fields, \"busy\": $_share, \"got\": $took}"
}

# field NAME: the first value with this name in $took.
field() { printf '%s\n' "$took" | sed -n "s/.*[{ ]\"$1\": \"\{0,1\}\([^,\"}]*\).*/\1/p"; }

# rate: of $took, in rows, MB or writes.
rate() {
	case $took in
	*rows_per_s*) field rows_per_s ;;
	*) field mb_per_s ;;
	esac
}

# how: the decision in $took as options of the engine.
how() {
	_threads=$(field threads)
	echo "--mode $(field mode) --depth $(field depth) --hint $(field hint)" \
		"--read-kb $(field read_kb)${_threads:+ --threads $_threads}"
}

# --- the four workloads: where and with what they run ------------------------------------------

# workload NAME OPTIONS...: one run of the engine. SPAN is what fits, SCAN what is scanned, in MB.
workload() {
	_name=$1
	shift
	case $_name in
	random-exceeds) in_room "$ENGINE" gather "$TABLE" --seconds "$PERIOD" --drop "$@" ;;
	random-fits) "$ENGINE" gather "$TABLE" --seconds 0.4 --warm --span-mb "$SPAN" "$@" ;;
	random-beyond) in_larger_room "$ENGINE" gather "$TABLE" --seconds 1 --drop --warm --span-mb "$LARGER_MB" "$@" ;;
	scan) in_room "$ENGINE" scan "$TABLE" --mb "$SCAN" --drop "$@" ;;
	journal) "$ENGINE" journal "$FOLDER" --seconds 0.4 --file-mb 8 "$@" ;;
	esac
}

# question WORKLOAD: as options of decide.
question() {
	case $1 in
	random-fits) echo "--workload random --fit fits --warm --span-mb $SPAN" ;;
	random-*) echo "--workload random --fit exceeds --drop" ;;
	scan) echo "--workload scan --fit exceeds --drop" ;;
	journal) echo "--workload journal" ;;
	esac
}

# decide ARM BY WORKLOAD: asks the engine, and keeps the options in the file how.WORKLOAD.ARM.
decide() {
	# shellcheck disable=SC2046 # words
	take decision "\"arm\": \"$1\", \"workload\": \"$3\"" \
		"$ENGINE" decide "$TABLE" --by "$2" $(question "$3")
	how >"$SCRATCH/how.$3.$1"
}

# --- the sweep -----------------------------------------------------------------------------------

# point WORKLOAD READAHEAD OPTIONS...: one of the sweep. Readahead "-": it does not matter.
point() {
	_workload=$1
	_readahead=$2
	shift 2
	if [ "$_readahead" != - ]; then
		readahead "$_readahead" || return 0
	fi
	take sweep "\"workload\": \"$_workload\", \"readahead\": \"$_readahead\", \"options\": \"$*\"" \
		workload "$_workload" "$@"
	_rate=$(rate)
	[ -n "$_rate" ] && echo "$_rate $_readahead $*" >>"$SCRATCH/sweep.$_workload"
	return 0
}

sweep_random_exceeds() {
	for depth in 1 2 4 8 16 32 64 128; do
		point random-exceeds - --mode direct --depth "$depth"
	done
	for mode in buffered mmap; do
		for depth in 1 16 64; do
			point random-exceeds - --mode "$mode" --depth "$depth" --hint random
			for kb in $READAHEADS; do
				# To read(2) it is on or off: reads at random are seen as such.
				case $mode$kb in buffered16 | buffered512) continue ;; esac
				point random-exceeds "$kb" --mode "$mode" --depth "$depth"
			done
		done
	done
}

sweep_random_fits() {
	for depth in 1 4 16 64; do
		point random-fits - --mode direct --depth "$depth"
	done
	for depth in 1 2 4 16; do
		point random-fits - --mode buffered --depth "$depth"
		point random-fits - --mode mmap --depth "$depth"
	done
}

sweep_scan() {
	for kb in 256 1024; do
		for depth in 1 4; do
			point scan - --mode direct --read-kb "$kb" --depth "$depth"
		done
	done
	for kb in $READAHEADS; do
		[ "$kb" -ge 128 ] || continue
		for hint in normal sequential; do
			point scan "$kb" --mode buffered --read-kb 256 --hint "$hint"
		done
		point scan "$kb" --mode buffered --read-kb 1024 --hint sequential
		point scan "$kb" --mode mmap --read-kb 256 --hint sequential
	done
}

sweep_journal() {
	for kb in 4 8 16 32 64; do
		point journal - --block-kb "$kb" --depth 1
	done
}

sweep() {
	rm -f "$SCRATCH"/sweep.*
	sweep_random_exceeds
	sweep_random_fits
	sweep_scan
	sweep_journal
	readahead "$USUAL" || :
}

# --- the pairs -----------------------------------------------------------------------------------

# arm WORKLOAD ARM ROUND: one run with what was decided, at the usual readahead, or with the best
# of the sweep, at the readahead it was found with.
arm() {
	if [ "$2" = best ]; then
		read -r _ _kb _options <<-EOF
		$(sort -rn "$SCRATCH/sweep.$1" | head -n 1)
		EOF
	else
		_kb=$USUAL
		_options=$(cat "$SCRATCH/how.$1.$2")
	fi
	if [ "$1" = journal ]; then # its decision names blocks, not reads
		_options=$(echo "$_options" |
			sed 's/--mode [a-z]*//; s/--hint [a-z]*//; s/--read-kb/--block-kb/')
	fi
	[ "$_kb" = - ] && _kb=$USUAL
	readahead "$_kb" || :
	# shellcheck disable=SC2086 # words
	take pair "\"workload\": \"$1\", \"arm\": \"$2\", \"round\": $3, \"readahead\": \"$_kb\", \"options\": \"$_options\"" \
		workload "$1" $_options
	readahead "$USUAL" || :
}

# pairs WORKLOAD ARM...: all arms and the best of the sweep take turns.
pairs() {
	_of=$1
	shift
	_round=1
	while [ "$_round" -le "$ROUNDS" ]; do
		for _arm in "$@" best; do
			arm "$_of" "$_arm" "$_round"
		done
		_round=$((_round + 1))
	done
}

# regret: all of it. The class's advice has been asked for before the disk was measured.
regret() {
	for what in random-exceeds random-fits scan journal; do
		decide advice record "$what"
	done
	for what in random-exceeds random-exceeds random-exceeds random-fits; do
		decide threshold threshold "$what"
		decide probe probe "$what"
	done
	sweep
	pairs random-exceeds advice class threshold probe
	pairs random-fits advice class threshold probe
	pairs scan advice class
	pairs journal advice class
}

class_decisions() {
	for what in random-exceeds random-fits scan journal; do
		decide class record "$what"
	done
}

# beyond: a set that is 1.75 times what the page cache may hold, warm as far as it goes.
beyond() {
	cp "$SCRATCH/how.random-exceeds.advice" "$SCRATCH/how.random-beyond.advice"
	rm -f "$SCRATCH/sweep.random-beyond"
	for mode in buffered mmap; do
		point random-beyond - --mode "$mode" --depth 32 --hint random
	done
	pairs random-beyond advice
}

# --- what the disk and its record are ----------------------------------------------------------

# keep_file NAME FILE: a file of any length, in pieces.
keep_file() {
	_piece=0
	base64 <"$2" | tr -d '\n' | fold -w 900 >"$SCRATCH/pieces"
	echo >>"$SCRATCH/pieces"
	while IFS= read -r _text; do
		keep "{\"kind\": \"piece\", \"disk\": \"$DISK\", \"name\": \"$1\", \"n\": $_piece, \"data\": \"$_text\"}"
		_piece=$((_piece + 1))
	done <"$SCRATCH/pieces"
}

uptime_of() { cut -d ' ' -f 1 /proc/uptime; }

# measure NAME ARGUMENT...: measures, and keeps what it said and how long it took.
measure() {
	_name=$1
	shift
	_began=$(uptime_of)
	blkadvise --json measure "$@" >"$SCRATCH/measured" 2>"$SCRATCH/errors"
	_status=$?
	_ended=$(uptime_of)
	_why=$(tr -d '"\\\n\t' <"$SCRATCH/errors" | cut -c 1-300)
	keep "{\"kind\": \"measure\", \"disk\": \"$DISK\", \"name\": \"$_name\", \"status\": $_status, \"began\": $_began, \"ended\": $_ended, \"said\": \"$_why\"}"
	keep_file "$_name" "$SCRATCH/measured"
}

# show_record WHEN: the record as it is now.
show_record() { keep_file "record-$1" "/run/blkadvise/disks/$(cat "/sys/block/$NODE/dev")"; }

# --- agreement with fio --------------------------------------------------------------------------

# fio_point DEPTH ROUND
fio_point() {
	_iops=$(fio --name=agree --filename="$TABLE" --readonly --direct=1 --rw=randread --bs=4k \
		--ioengine=io_uring --iodepth="$1" --runtime="$FIO_SECONDS" --time_based \
		--randrepeat=0 --minimal 2>"$SCRATCH/errors" | cut -d ';' -f 8)
	keep "{\"kind\": \"fio\", \"disk\": \"$DISK\", \"depth\": $1, \"round\": $2, \"iops\": ${_iops:-0}}"
}

# agreement: our points and fio's on the same file, in turns; fio's knee from all depths.
agreement() {
	_turn=1
	while [ "$_turn" -le "$ROUNDS" ]; do
		measure "agree-$_turn" --budget 8 "$TABLE"
		for _depth in 1 2 4 8 16 32 64 128; do
			fio_point "$_depth" "$_turn"
		done
		_turn=$((_turn + 1))
	done
}
