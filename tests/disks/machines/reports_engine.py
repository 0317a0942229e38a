# SPDX-License-Identifier: MIT
"""Public reports of engines on local disks (h01 to h22 of cases.jsonl).

The lesson of most is about how to read: advice of the record, no finding.  What a
capture holds is the other half: that nothing is wrong with the disk."""

from kit import ata, block, guest, host, kernels
from kit.ata import Drive

from . import case
from .reports_queue import gb10
from .reports_scheduler import expect_nvme, local_nvme

FILLED = "the drive's model and everything else"
WELL = "Nothing is wrong with the disk: the report's lesson is advice in the record."


@case("6.6", "GPU server that loads models from a local NVMe SSD.",
      "A100, a local SSD", FILLED)
def h01_llama_load_nommap(m):
    host.kernel_files(m, efi=True)
    host.dmi(m, "Supermicro", "AS -4124GO-NART", board="H12DGO-6")
    local_nvme(m, model="SAMSUNG MZQL23T8HCLS-00A07", gts=16.0)
    expect_nvme(m, why=WELL)


@case("6.17", "DGX Spark (GB10): rows of about 100 bytes by direct reads instead of "
      "mmap.", "DGX Spark GB10, local NVMe", FILLED)
def h03_llama_ple_direct_gb10(m):
    gb10(m)
    expect_nvme(m, why=WELL)


def strix_halo(m):
    host.kernel_files(m, efi=True)
    kernels.release(m, "6.17.9-arch1-1")
    host.dmi(m, "AMD", "Strix Halo", board="MAXIMUM", bios_vendor="AMI")
    local_nvme(m, model="WD_BLACK SN850X 2000GB", gts=16.0)


@case("6.17", "Strix Halo: a table of 28.8 GB on disk, 64 readers.",
      "Strix Halo, NVMe that gave 130,000 reads a second to 64 threads", FILLED)
def h04_llama_ngram_on_disk(m):
    strix_halo(m)
    expect_nvme(m, why=WELL)


@case("6.17", "DGX Spark (GB10): MADV_RANDOM during a sequential rewrite.",
      "DGX Spark, local NVMe", FILLED)
def h10_sglang_ple_rewrite_random(m):
    gb10(m)
    expect_nvme(m, why=WELL)


@case("6.6", "Laptop (i7-12700H): speculative prefetch at depth hurts the reads that are "
      "waited for.", "i7-12700H, NVMe", FILLED)
def h12_colibri_qd_fix_hurts(m):
    host.kernel_files(m, efi=True)
    host.dmi(m, "LENOVO", "82TS", board="LNVNB161216", bios="JNCN40WW")
    local_nvme(m, model="SAMSUNG MZVL21T0HCLR-00BL2", gts=16.0)
    expect_nvme(m, why=WELL)


@case("6.1", "AWS instance: EBS and an nbd device, both remote and both looking local.",
      "network disks that look local (AWS)", FILLED + ", as the nbd device")
def h16_safetensors_network(m):
    host.kernel_files(m, guest=True, efi=True)
    host.dmi(m, "Amazon EC2", "g5.2xlarge", bios="1.0")
    guest.ebs(m, "04", 0, 209715200, 0)
    nbd = block.disk(m, "/devices/virtual/block/nbd0", 209715200, (43, 0), range=32)
    nbd.set({"pid": 1234, "backend": "example"})
    block.queue(m, nbd, nr_requests=256, max_hw_sectors_kb=32768, max_sectors_kb=1280)
    block.mq(nbd, 1, 128)
    m.expect("nvme0n1", "cloud-volume", "nvme", "unknown", "nvme-pcie",
             findings=["cloud-limits:info"],
             why="REMOTE=1 in the record is the answer; EBS has a class of its own.")
    m.expect("nbd0", "network-disk", "nbd", "unknown", "network")


@case("4.18", "Cold node of a search engine on spinning disks.",
      "a spinning disk", FILLED)
def h22_es_hdd_default_threads(m):
    host.kernel_files(m)
    host.dmi(m, "Dell Inc.", "PowerEdge R530", board="0CN7X8")
    hba = ata.ahci(m, "8086:8d02", "1028:0600")
    ata.disk(m, hba, "sda", 1, 0, Drive("ST4000NM0033-9ZM170", "Z1ZPSEUDO22", "SN04",
             "4T", rpm=7200, wwn="5000c50000000222"))
    m.expect("sda", "sata-hdd", "sata", "rotational", "ahci", "on", why="Nothing is "
             "wrong with the disk: one merge thread follows from the class (R54).")
