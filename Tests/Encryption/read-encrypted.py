#!/usr/bin/env python3
"""Reads an encrypted Freehold file by what Docs/Encryption.md and Docs/FileFormat.md say, and by
nothing else.

    read-encrypted.py FILE KEY-FILE [--keys]

It knows LMDB's pages, needs no LMDB and no Freehold, and opens every record of the newest version.
For each database it prints the number of entries and the XXH64 of all of them in order (each key
and value with its length, u32, before it); --keys prints the keys. Exits with 1 and a sentence
where anything is not as documented. Needs Python 3.8 and `cryptography` (Debian:
python3-cryptography).
"""

import struct
import sys

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF, HKDFExpand

MAGIC = b"FREEHOLD"
FORMAT = 0x800A0001
METHOD = 2
DATABASES = ["meta", "directory", "clusters", "indexes", "blobs", "elements"]
ROOTS, NODE, VALUE = 0, 1, 2
REFERENCE = struct.Struct("<QQ16s")


class Damaged(Exception):
    pass


def need(condition, sentence):
    if not condition:
        raise Damaged(sentence)


# LMDB: pages of a header (number u64, 2 bytes, flags u16, lower u16, upper u16), then offsets of
# nodes, then nodes.
class LMDB:
    BRANCH, LEAF, OVERFLOW, META = 1, 2, 4, 8
    BIG, SUB = 1, 2
    NONE = (1 << 64) - 1

    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()
        self.page_size = struct.unpack_from("<I", self.bytes, 16 + 24)[0]
        metas = [self.meta(0), self.meta(self.page_size)]
        self.root = max(metas)[1]

    def meta(self, offset):
        magic, version = struct.unpack_from("<II", self.bytes, offset + 16)
        need(magic == 0xBEEFC0DE and version == 1, "This is no LMDB file.")
        main = offset + 16 + 24 + 48
        root = struct.unpack_from("<Q", self.bytes, main + 40)[0]
        transaction = struct.unpack_from("<Q", self.bytes, offset + 16 + 24 + 96 + 8)[0]
        return transaction, root

    def entries(self, root):
        """Keys, flags of the nodes, and values, in order."""
        if root == self.NONE:
            return
        page = root * self.page_size
        number, _, flags, lower, _ = struct.unpack_from("<QHHHH", self.bytes, page)
        need(number == root, f"Page {root} says that it is page {number}.")
        for index in range((lower - 16) // 2):
            at = page + struct.unpack_from("<H", self.bytes, page + 16 + 2 * index)[0]
            low, high, node_flags, key_size = struct.unpack_from("<HHHH", self.bytes, at)
            if flags & self.BRANCH:
                yield from self.entries(low | high << 16 | node_flags << 32)
                continue
            key = self.bytes[at + 8 : at + 8 + key_size]
            size, data = low | high << 16, at + 8 + key_size
            if node_flags & self.BIG:
                overflow = struct.unpack_from("<Q", self.bytes, data)[0] * self.page_size
                data = overflow + 16
            yield key, node_flags, self.bytes[data : data + size]

    def main(self):
        return {key: (flags, value) for key, flags, value in self.entries(self.root)}

    def database(self, record):
        return {
            key: value for key, _, value in self.entries(struct.unpack_from("<Q", record, 40)[0])
        }


def xxh64(data, seed=0):
    """XXH64, for the checksum of the format record."""
    p1, p2, p3, p4, p5 = (
        11400714785074694791,
        14029467366897019727,
        1609587929392839161,
        9650029242287828579,
        2870177450012600261,
    )
    mask = (1 << 64) - 1

    def rotate(x, count):
        return (x << count | x >> (64 - count)) & mask

    def lane(state, word):
        return rotate((state + word * p2) & mask, 31) * p1 & mask

    length, at = len(data), 0
    if length >= 32:
        states = [(seed + p1 + p2) & mask, (seed + p2) & mask, seed, (seed - p1) & mask]
        while at + 32 <= length:
            words = struct.unpack_from("<4Q", data, at)
            states = [lane(state, word) for state, word in zip(states, words)]
            at += 32
        result = sum(rotate(state, count) for state, count in zip(states, (1, 7, 12, 18))) & mask
        for state in states:
            result = ((result ^ lane(0, state)) * p1 + p4) & mask
    else:
        result = (seed + p5) & mask
    result = (result + length) & mask
    while at + 8 <= length:
        result = (
            rotate(result ^ lane(0, struct.unpack_from("<Q", data, at)[0]), 27) * p1 + p4
        ) & mask
        at += 8
    if at + 4 <= length:
        result = (
            rotate(result ^ struct.unpack_from("<I", data, at)[0] * p1 & mask, 23) * p2 + p3
        ) & mask
        at += 4
    for byte in data[at:]:
        result = rotate(result ^ byte * p5 & mask, 11) * p1 & mask
    result = (result ^ result >> 33) * p2 & mask
    result = (result ^ result >> 29) * p3 & mask
    return result ^ result >> 32


def wrapping_key(user_key, salt):
    return HKDF(algorithm=hashes.SHA512(), length=32, salt=salt, info=b"Freehold file key").derive(
        user_key
    )


def unwrap(record, user_key):
    """The file key of a format record: magic, format, method, identifier; salt, nonce, encrypted
    key, tag; checksum."""
    need(len(record) == 164 and record[:8] == MAGIC, "The format record is not one.")
    format_number, method = struct.unpack_from("<II", record, 8)
    need(
        format_number == FORMAT and method == METHOD,
        f"Format 0x{format_number:x} with method {method} is not known here.",
    )
    need(
        struct.unpack_from("<Q", record, 156)[0] == xxh64(record[:156]),
        "The format record has another checksum.",
    )
    salt, nonce, encrypted = record[32:64], record[64:76], record[76:156]
    try:
        return AESGCM(wrapping_key(user_key, salt)).decrypt(nonce, encrypted, record[:64])
    except InvalidTag:
        raise Damaged("The key is another one.")


def subkey(file_key, database, number, version):
    info = b"Freehold records" + struct.pack("<BQQ", database, version >> 12, number >> 20)
    return HKDFExpand(algorithm=hashes.SHA512(), length=32, info=info).derive(file_key)


def authenticated(database, kind, number, version, attempt):
    return struct.pack("<BBQQ", database, kind, number, version) + attempt


def open_record(file_key, encrypted, database, kind, number, version, attempt):
    cipher = AESGCM(subkey(file_key, database, number, version))
    try:
        return cipher.decrypt(
            encrypted[:12], encrypted[12:], authenticated(database, kind, number, version, attempt)
        )
    except InvalidTag:
        raise Damaged(f"Record {number} of database {database} does not authenticate.")


def padded(count):
    """The length of the record of a value."""
    if count <= 1792:
        return (count + 255) // 256 * 256
    exponent = count.bit_length() - 1
    mask = (1 << max(0, exponent - exponent.bit_length())) - 1
    rounded = (count + mask) & ~mask
    return 4052 + max(0, rounded - 4052 + 4095) // 4096 * 4096


class Tree:
    def __init__(self, number, records, file_key):
        self.number, self.records, self.file_key, self.used = number, records, file_key, set()

    def record(self, kind, number, version, attempt):
        encrypted = self.records.get(struct.pack(">Q", number))
        need(encrypted is not None, f"Record {number} of {DATABASES[self.number]} is missing.")
        need(
            number not in self.used,
            f"Record {number} of {DATABASES[self.number]} is referred to twice.",
        )
        self.used.add(number)
        return open_record(self.file_key, encrypted, self.number, kind, number, version, attempt)

    def entries(self, reference, height):
        node = self.record(NODE, *REFERENCE.unpack(reference))
        found, zero, count = struct.unpack_from("<BBH", node)
        need(
            found == height and zero == 0,
            f"A node of height {found} stands where one of height {height} should.",
        )
        for index in range(count):
            at = struct.unpack_from("<H", node, 4 + 2 * index)[0]
            key_length, word = struct.unpack_from("<HI", node, at)
            key = node[at + 6 : at + 6 + key_length]
            at, length = at + 6 + key_length, word & 0x7FFFFFFF
            if height > 1:
                yield from self.entries(node[at : at + 32], height - 1)
            elif word >> 31:
                value = self.record(VALUE, *REFERENCE.unpack(node[at : at + 32]))
                need(
                    len(value) == padded(length) and not any(value[length:]),
                    "A value's padding is not as documented.",
                )
                yield key, value[:length]
            else:
                yield key, node[at : at + length]


def read(path, user_key):
    """The databases of the newest version, each a list of keys and values in order."""
    file = LMDB(path)
    main = file.main()
    records = {name: file.database(main[name.encode()][1]) for name in DATABASES}
    file_key = unwrap(records["meta"].pop(b"format"), user_key)
    version = struct.unpack("<Q", main[b"version"][1])[0]
    stored = main[b"roots"][1]
    roots = open_record(file_key, stored[16:], 0xFF, ROOTS, 0, version, stored[:16])
    need(len(roots) == 56 * len(DATABASES), "The roots' record has another length.")
    content = {}
    for number, name in enumerate(DATABASES):
        reference = roots[56 * number : 56 * number + 32]
        height, next_number, count = struct.unpack_from("<QQQ", roots, 56 * number + 32)
        tree = Tree(number, records[name], file_key)
        entries = list(tree.entries(reference, height)) if height else []
        need(len(entries) == count, f"{name} has {len(entries)} entries instead of {count}.")
        need(
            all(a[0] < b[0] for a, b in zip(entries, entries[1:])),
            f"The keys of {name} do not ascend.",
        )
        need(len(tree.used) == len(records[name]), f"{name} has records that nothing refers to.")
        need(
            all(0 < used < next_number for used in tree.used),
            f"A record of {name} is behind the next number.",
        )
        content[name] = entries
    return version, content


def main():
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    if len(arguments) != 2:
        sys.exit(__doc__)
    with open(arguments[1], "rb") as file:
        key = file.read()
    try:
        need(len(key) == 64, "A key has 64 bytes.")
        version, content = read(arguments[0], key)
    except Damaged as damage:
        sys.exit(str(damage))
    print(f"version {version}")
    for name, entries in content.items():
        parts = (struct.pack("<I", len(part)) + part for entry in entries for part in entry)
        print(f"{name} {len(entries)} {xxh64(b''.join(parts)):016x}")
        if "--keys" in sys.argv:
            for key, value in entries:
                print(f"  {key.hex()} {len(value)}")


if __name__ == "__main__":
    main()
