# SPDX-License-Identifier: MIT
"""The public reports that machines are composed from: id in `source`, address."""

URL = {
    "a01-ich7m-inspiron6400":
        "http://dreamlayers.blogspot.com/2016/11/switching-from-ide-to-ahci-on-ich7-m.html",
    "a04-macbook31-ich8m":
        "https://wiki.debian.org/InstallingDebianOn/Apple/PageFragmentAHCI",
    "a10-boinc-vbox-piix4": "https://github.com/BOINC/boinc/pull/4632",
    "a13-es-vbox-hostiocache": "https://github.com/elastic/elasticsearch/issues/30295",
    "a17-ider-false-positive": "https://github.com/AuxXxilium/arc/issues/833",
    "a19-hp-pavilion-282a-raid": "https://github.com/dortania/bugtracker/issues/27",
    "b06-queue-depth-1-centos": "https://ex1.m-yabe.com/archives/4868/amp",
    "b07-noncq-no-gain-smr": "https://newbedev.com/how-to-really-disable-ncq-in-linux",
    "b10-860evo-amd-noncq": "https://github.com/openzfs/zfs/issues/4873",
    "b13-armbian-meson64-global-noncq": "https://github.com/armbian/build/pull/2602",
    "b15-wdgold-ncq-starvation": "https://github.com/openzfs/zfs/issues/10253",
    "b16-dx513-pmp-no-ncq":
        "https://github.com/007revad/Synology_enable_eunit/issues/57",
    "b19-x250-ide-to-ahci-errors": "https://github.com/NixOS/nixpkgs/issues/11276",
    "c03-lschlv2-1p5g": "https://github.com/1000001101000/Debian_on_Buffalo/issues/203",
    "c04-macbookair61-1p5g-udma33": "https://github.com/linrunner/TLP/issues/59",
    "c07-rpi5-nvme-gen2x1": "https://github.com/raspberrypi/linux/issues/6190",
    "c13-vt8237-no-negotiation": "http://www.rectron.net/support_tech16may06.htm",
    "d03-rhcos-sr0-rota0": "https://github.com/jaypipes/ghw/pull/422",
    "d04-coreos-raid-passthrough": "https://github.com/coreos/docs/issues/1014",
    "d06-ohai-ram-loop-rot1": "https://github.com/chef/ohai/issues/903",
    "d09-ceph-raid0-ssd-rot1": "https://github.com/ceph/ceph/pull/39337",
    "d10-rook-qemu-hdd": "https://github.com/rook/rook/issues/12092",
    "d13-hwameistor-ucloud-vdb": "https://github.com/hwameistor/hwameistor/issues/313",
    "d15-redhat-vpd-b1": "https://rhokp.service.nutius.com/solutions/7008833/",
    "d18-hotsos-ssd-bcache": "https://github.com/canonical/hotsos/pull/611",
    "d19-qubes-xvd-rot0": "https://github.com/QubesOS/qubes-issues/issues/4862",
    "d21-zfs-nonrot-stale": "https://github.com/openzfs/zfs/issues/5220",
    "e07-smr-hm-deadline": "https://github.com/systemd/systemd/issues/9639",
    "e12-aks-hardcoded-sda": "https://github.com/Azure/AKS/issues/5485",
    "f01-azure-rota1-ra4096": "https://github.com/actions/runner-images/pull/13938",
    "f03-azure-vm-utils-ra": "https://github.com/Azure/azure-vm-utils/issues/99",
    "f04-dfinity-dm-ra": "https://github.com/dfinity/ic/pull/10420",
    "f15-usb-bridge-ioopt-ra65520": "https://github.com/getumbrel/umbrel/issues/2222",
    "f16-libfdisk-33553920": "https://github.com/util-linux/util-linux/pull/1224",
    "f18-runner-build-hang": "https://github.com/actions/runner-images/issues/13770",
    "f19-k8ssandra-setra8": "https://github.com/k8ssandra/k8ssandra/issues/708",
    "g03-jms567-speed": "https://github.com/raspberrypi/linux/issues/4498",
    "g09-pvscsi-depths": "http://www.blogbyte.net/home/vmware-scsi-controllers",
    "g12-svc-depth-4":
        "https://www3.software.ibm.com/storage/EOS/flash_storwize/san_volume_controller/8.1.3/",
    "g16-usb-129pb": "https://github.com/raspberrypi/linux/issues/3388",
    "h16-safetensors-network": "https://github.com/safetensors/safetensors/issues/562",
    "j03-latitude7410-remap": "https://github.com/pentoo/pentoo-installer/issues/65",
    "j04-latitude5521-vmd": "https://github.com/QubesOS/qubes-issues/issues/6840",
    "j06-wd-efax-smr": "https://github.com/openzfs/zfs/issues/10214",
    "j07-st5000lm000-smr": "https://github.com/openzfs/zfs/issues/9800",
    "j09-ebs-iotune-burst": "https://github.com/scylladb/seastar/issues/1030",
    "j10-cockroach-gp3-raid0": "https://github.com/cockroachdb/cockroach/issues/82109",
    "j12-ebs-readahead-csi":
        "https://github.com/kubernetes-sigs/aws-ebs-csi-driver/issues/1796",
    "j13-eve-iscsi-qd1": "https://github.com/lf-edge/eve/pull/5818",
    "j15-rpi-sd-cqe": "https://github.com/raspberrypi/linux/pull/6046",
    "j16-armbian-mmc-scheduler": "https://github.com/armbian/build/pull/6120",
}


def urls(source):
    """Addresses of the reports that a source text names."""
    return [URL[name] for name in sorted(URL) if name in source]
