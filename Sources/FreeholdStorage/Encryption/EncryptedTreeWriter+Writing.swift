internal import Foundation

extension EncryptedTreeWriter {
    /// Encrypts the value that the caller has filled in.
    func settle() throws(StorageError) {
        guard let (number, bytes) = reserved else { return }
        reserved = nil
        defer { Self.wipe(bytes) }
        try write(UnsafeRawBufferPointer(bytes), at: place(reference(number), .value))
    }

    /// Encrypts all changed records. The tree must not be used afterwards.
    func finish() throws(StorageError) {
        try settle()
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: dirty.values.reduce(treeEncryption.nodeCapacity) { max($0, $1.size) },
            alignment: 16)
        defer { Self.wipe(buffer) }
        for number in dirty.keys.sorted() {
            guard let node = dirty[number] else { continue }
            let bytes = UnsafeMutableRawBufferPointer(
                rebasing: buffer[..<max(node.size, treeEncryption.nodeCapacity)])
            node.encode(into: bytes)
            try write(UnsafeRawBufferPointer(bytes), at: place(reference(number), .node))
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer, at place: RecordPlace) throws(StorageError) {
        let encrypted = try treeEncryption.encrypt(bytes, at: place)
        owner.noteWriting(encrypted.count + 24, put: encrypted.count + 8)
        var number = place.number.bigEndian
        try judge(number) { tree, key throws(MappedPage.Damage) in try tree.willPut(key) }
        let result = withUnsafeBytes(of: &number) { bytes in
            encrypted.withUnsafeBytes { raw.put(database.handle, bytes, $0) }
        }
        try result.check("put a record", path: treeEncryption.path)
    }

    /// Judges the pages that LMDB follows to a record, in a file that was not walked.
    func judge(
        _ key: UInt64,
        _ body: (GuardedTree, UnsafeRawBufferPointer) throws(MappedPage.Damage) -> Void
    ) throws(StorageError) {
        guard let pageGuard = owner.pageGuard else { return }
        try withUnsafeBytes(of: key) { key throws(StorageError) in
            try pageGuard.judge(database) { tree throws(MappedPage.Damage) in try body(tree, key) }
        }
    }

    func judgeReading(_ reference: EncryptedReference) throws(StorageError) {
        try judge(reference.number.bigEndian) { tree, key throws(MappedPage.Damage) in
            try tree.willRead(key)
        }
    }

    /// Allocates room for a value and its padding. Only the padding is initialised, to zeros.
    static func paddedBytes(count: Int) -> UnsafeMutableRawBufferPointer {
        let bytes = UnsafeMutableRawBufferPointer.allocate(
            byteCount: EncryptedLength.padded(count), alignment: 16)
        UnsafeMutableRawBufferPointer(rebasing: bytes[count...]).initializeMemory(
            as: UInt8.self, repeating: 0)
        return bytes
    }

    static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
        Memory.wipe(bytes)
        bytes.deallocate()
    }
}
