#!/usr/bin/env python3
"""Prints the known answers of EncryptedVectorTests: the records of a small encrypted file, made by
the documents with fixed random bytes."""

import importlib.util
import os
import sys
import struct

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location(
    "reader", os.path.join(os.path.dirname(os.path.abspath(__file__)), "read-encrypted.py")
)
reader = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reader)

USER_KEY = bytes(range(64))
FILE_KEY = bytes(255 - i for i in range(64))
SALT = bytes(0x40 + i for i in range(32))
IDENTIFIER = bytes(0xA0 + i for i in range(16))
ATTEMPTS = [bytes([0x10 * (i + 1)] * 16) for i in range(2)]
CLUSTERS = 2
# Records of different subkeys.
NODE_AT, VALUE_AT = (1, 7), (1 << 20 | 5, 4096 * 3 + 1)
VERSION = 1


def encrypt(plain, nonce, database, kind, number, version, attempt):
    nonce = bytes([nonce] * 12)
    cipher = AESGCM(reader.subkey(FILE_KEY, database, number, version))
    return nonce + cipher.encrypt(
        nonce, plain, reader.authenticated(database, kind, number, version, attempt)
    )


head = reader.MAGIC + struct.pack("<II", reader.FORMAT, reader.METHOD) + IDENTIFIER + SALT
nonce = bytes([0xEE] * 12)
record = head + nonce + AESGCM(reader.wrapping_key(USER_KEY, SALT)).encrypt(nonce, FILE_KEY, head)
record += struct.pack("<Q", reader.xxh64(record))

long = bytes(i % 251 for i in range(300))
value = encrypt(
    long + bytes(reader.padded(300) - 300), 1, CLUSTERS, reader.VALUE, *VALUE_AT, ATTEMPTS[1]
)
entries = [
    struct.pack("<HI", 1, 5) + b"a" + b"short",
    struct.pack("<HI", 1, 300 | 1 << 31) + b"b" + reader.REFERENCE.pack(*VALUE_AT, ATTEMPTS[1]),
]
offset = 4 + 2 * len(entries)
node = (
    struct.pack("<BBH", 1, 0, len(entries))
    + struct.pack("<HH", offset, offset + len(entries[0]))
    + b"".join(entries)
    + bytes(13)
)
leaf = encrypt(node, 2, CLUSTERS, reader.NODE, *NODE_AT, ATTEMPTS[0])
trees = b""
for database in range(6):
    if database == CLUSTERS:
        trees += reader.REFERENCE.pack(*NODE_AT, ATTEMPTS[0]) + struct.pack(
            "<QQQ", 1, VALUE_AT[0] + 1, 2
        )
    else:
        trees += bytes(32) + struct.pack("<QQQ", 0, 1, 0)
roots = ATTEMPTS[1] + encrypt(trees, 3, 0xFF, reader.ROOTS, 0, VERSION, ATTEMPTS[1])

for name, data in [("format", record), ("roots", roots), ("leaf", leaf), ("value", value)]:
    print(f"    private static let {name} = bytes(\n        \"\"\"")
    text = data.hex()
    print("\\\n".join("        " + text[at : at + 80] for at in range(0, len(text), 80)))
    print('        """)\n')
