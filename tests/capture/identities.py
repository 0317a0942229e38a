# SPDX-License-Identifier: MIT
"""The identities in a capture, found without the agent, and looked for in another."""

import re

SECRET_PROPS = {"ID_SERIAL_SHORT", "ID_SCSI_SERIAL", "ID_USB_SERIAL_SHORT", "ID_WWN",
                "ID_WWN_WITH_EXTENSION", "MD_UUID", "DM_UUID", "ID_FS_UUID",
                "ID_FS_LABEL", "ID_PART_ENTRY_UUID", "ID_PART_ENTRY_NAME", "PARTUUID"}
SECRET_ATTRS = {"serial", "wwid", "uuid", "nguid", "eui", "cid", "dm/uuid", "sas_address"}
# What our own pseudonyms look like: an original that does too proves nothing.
PSEUDONYM = re.compile(r"(?i)[0-9a-f]?0*[0-9]{1,6}|(s|n)[a-z]{0,5}0*[0-9]+")


def identify_words(block):
    """IDENTIFY of a block as 512 bytes in the order of its texts, or None."""
    page = block.attrs.get("vpd_pg89", b"")
    if len(page) >= 572 and page[1] == 0x89:
        return swap(page[60:572])
    try:
        words = [int(word, 16) for word in block.attrs.get("id", b"").split()]
    except ValueError:
        return None
    if len(words) != 256 or "id" not in block.attrs:
        return None
    return b"".join(word.to_bytes(2, "big") for word in words)


def swap(data):
    return bytes(data[i ^ 1] for i in range(len(data) & ~1))


def tokens(text):
    """The parts of a value that identify: not its prefix, not its model."""
    text = re.sub(r"^(naa|eui|uuid|t10|nvme)\.", "", text.strip())
    text = re.sub(r"^0x", "", text)
    text = re.sub(r"^(part\d+-)?(mpath|LVM|CRYPT-[A-Z0-9]+)-", "", text)
    return [text.split()[-1]] if text.split() else []


def originals(machine):
    found = set()
    for block in machine.blocks.values():
        for key in SECRET_PROPS & block.props.keys():
            found.update(tokens(block.props[key]))
        for name in SECRET_ATTRS & block.attrs.keys():
            value = block.attrs[name].decode("latin-1")
            if value.strip() not in block.path.split("/"):
                found.update(tokens(value))
        identify = identify_words(block)
        if identify:
            found.add(identify[20:40].decode("latin-1").strip())
            if identify[174] & 0xc1 == 0x41:
                found.add(identify[216:224].hex())
    return {text for text in found if is_telling(text)}


def names_pseudonym(text):
    """The wwid that the kernel makes of vendor and serial number, of a machine that was
    captured before: "1b36-" and a pseudonym's digits."""
    parts = text.split("-")
    digits = parts[1] if len(parts) >= 4 else ""
    if len(digits) % 2 or not re.fullmatch(r"[0-9a-f]+", digits):
        return False
    return PSEUDONYM.fullmatch(bytes.fromhex(digits).decode("latin-1").strip()) is not None


def is_telling(text):
    """Long enough that an accident cannot have put it elsewhere."""
    if names_pseudonym(text):
        return False
    letters = re.sub(r"[^0-9A-Za-z]", "", text)
    return (len(letters) >= 8 and re.search(r"\d", letters) is not None
            and len(set(letters.lower())) > 1 and not PSEUDONYM.fullmatch(letters))


def encodings(text):
    """The forms in which a text may stand in a capture, in lower case."""
    raw = text.encode("latin-1").lower()
    flat = re.sub(r"[^0-9a-z]+", "_", text.lower()).encode()
    forms = {raw, flat, re.sub(rb"[^0-9a-z]", b"", raw),
             raw.replace(b" ", rb"\x20"), raw.replace(b" ", b"%20")}
    return forms


def haystacks(text):
    """The file, and everything binary in it, in both byte orders, in lower case."""
    from machine import Machine
    parts = [text.lower(), re.sub(rb"[^0-9a-z\n=]", b"", text.lower())]
    for block in Machine(text).blocks.values():
        for value in block.attrs.values():
            parts += [value.lower(), swap(value).lower(), value.hex().encode(),
                      swap(value).hex().encode()]
            digits = re.sub(rb"[^0-9a-fA-F]", b"", value)
            decoded = bytes.fromhex(digits[:len(digits) & ~1].decode())
            parts += [decoded.lower(), swap(decoded).lower(), digits.lower(),
                      swap(decoded).hex().encode()]
            for run in re.findall(rb"[0-9a-f]{8,}", value):
                parts.append(bytes.fromhex(run[:len(run) & ~1].decode()).lower())
    return b"\n".join(parts)


def leaks(found, text):
    hay = haystacks(text)
    return sorted(secret for secret in found
                  if any(form in hay for form in encodings(secret)))
