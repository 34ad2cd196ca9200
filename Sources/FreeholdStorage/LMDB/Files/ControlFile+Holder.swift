/// Names the process that holds the write gate, for the errors of processes that waited for the
/// gate in vain. 128 bytes behind the record and the announcement, little-endian:
///
///       0  process id, 4 bytes; 0: none named         24  the process's name, 16 bytes
///       4  thread id, 4 bytes; 0: not known           40  where the write began, 80 bytes
///       8  since: seconds, 8 bytes, and              120  FNV-1a checksum of the bytes before
///      16  nanoseconds since 1970, 8 bytes
///
/// Written through a mapping, which triggers no inotify event. A process writes it after it
/// took the gate, and clears it before it releases the gate. Nothing depends on it: the record
/// of a killed process, or a torn one, only makes an error say less. If another program
/// truncated the file, no holder is named: an access to a mapped page that the file has lost
/// would end the process.
final class HolderRecord: @unchecked Sendable {
    // @unchecked: written with the write gate held; readers expect torn records.
    private let mapping: UnsafeMutableRawPointer
    private let descriptor: Int32
    private let process = SystemProcess.identifier
    private let name: String

    private static let offset = 256
    private static let byteCount = 128
    private static let mappedByteCount = 4096
    private static let siteByteCount = 80

    /// Nil if the disk has no room for it, or the file cannot be mapped.
    init?(descriptor: Int32) {
        // Allocate blocks, not only a length: a store into a hole of a full disk would end the
        // process.
        guard Files.allocate(descriptor, 0..<Self.mappedByteCount) == nil,
            let mapped = Memory.map(descriptor, count: Self.mappedByteCount)
        else { return nil }
        mapping = mapped
        self.descriptor = descriptor
        name = WriteHolder.commandName("/proc/self/comm")
    }

    deinit { Memory.unmap(mapping, count: Self.mappedByteCount) }

    private var bytes: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: mapping + Self.offset, count: Self.byteCount)
    }

    /// Whether the file still has the record's bytes.
    private var isThere: Bool {
        guard case .success(let status) = Files.status(descriptor) else { return false }
        return status.size >= Self.offset + Self.byteCount
    }

    /// Names the holder. With the gate held.
    func set(_ identity: WriterIdentity) {
        guard isThere else { return }
        let now = WallClock.now
        let bytes = bytes
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        bytes.storeBytes(
            of: UInt32(bitPattern: process).littleEndian, toByteOffset: 0, as: UInt32.self)
        bytes.storeBytes(
            of: UInt32(truncatingIfNeeded: identity.thread).littleEndian, toByteOffset: 4,
            as: UInt32.self)
        bytes.storeBytes(of: now.seconds.littleEndian, toByteOffset: 8, as: Int64.self)
        bytes.storeBytes(of: now.nanoseconds.littleEndian, toByteOffset: 16, as: Int64.self)
        put(name.utf8, at: 24, count: 16)
        if let fileID = identity.fileID, fileID.hasPointerRepresentation {
            let line = ":\(identity.line)"
            // The end of a long path says more than its beginning.
            let room = Self.siteByteCount - line.utf8.count
            let file = UnsafeRawBufferPointer(
                start: fileID.utf8Start, count: fileID.utf8CodeUnitCount
            ).suffix(room)
            put(file, at: 40, count: room)
            put(line.utf8, at: 40 + file.count, count: line.utf8.count)
        }
        bytes.storeBytes(
            of: Self.checksum(UnsafeRawBufferPointer(bytes)).littleEndian, toByteOffset: 120,
            as: UInt64.self)
    }

    private func put(_ text: some Sequence<UInt8>, at offset: Int, count: Int) {
        for (index, byte) in text.prefix(count).enumerated() { bytes[offset + index] = byte }
    }

    /// Clears the holder. With the gate held.
    func clear() {
        if isThere { bytes.storeBytes(of: UInt32(0), toByteOffset: 0, as: UInt32.self) }
    }

    /// The holder as text; nil if no living process is recorded as holding the gate. For example,
    /// "by process 12 ('importer'), thread 13, for 3.2 s, in the write that began at
    /// App/Library.swift:12".
    var description: String? {
        guard isThere else { return nil }
        // A copy, because another process may be writing.
        let copy = [UInt8](bytes)
        return copy.withUnsafeBytes { bytes -> String? in
            let process = Int32(
                bitPattern: UInt32(
                    littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self)))
            guard process > 0,
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 120, as: UInt64.self))
                    == Self.checksum(bytes),
                SystemProcess.isAlive(process)
            else { return nil }
            var text =
                process == self.process
                ? "by this process" : "by process \(process) ('\(Self.text(bytes[24..<40]))')"
            let thread = Int(
                UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
            if thread != 0 { text += ", \(WriteHolder.threadName(thread, of: "\(process)"))" }
            let seconds = Int64(
                littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self))
            let nanoseconds = Int64(
                littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: Int64.self))
            let now = WallClock.now
            let since =
                Duration.seconds(now.seconds &- seconds)
                + .nanoseconds(now.nanoseconds &- nanoseconds)
            if since >= .zero { text += ", for \(WriteHolder.text(since))" }
            let site = Self.text(bytes[40..<120])
            if !site.isEmpty { text += ", in the write that began at \(site)" }
            return text
        }
    }

    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    private static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes.prefix(120) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }
}
