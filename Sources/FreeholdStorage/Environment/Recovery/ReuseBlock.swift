/// A reader slot that keeps LMDB from reusing any page of the file, in every process.
///
/// LMDB reuses the pages that a transaction freed only if no slot names an earlier transaction,
/// and does not even read the list of free pages below that (`mdb_page_alloc`). The slot is one of
/// an ordinary read transaction, in which this type writes transaction 0, before all others. If
/// this process ends, LMDB clears the slot like any other.
///
/// Two things are not trusted: where the slot is in the lock file, whose layout is LMDB's own, and
/// that it stays there. LMDB's list of slots must show it, after it was made and before each
/// transaction that relies on it (``EnvironmentHandle/isReuseBlocked``).
///
/// A slot (`MDB_reader`) begins with the transaction (8 bytes), the process (4, at 8) and the
/// thread (8, at 16), and fills 64 bytes.
struct ReuseBlock: @unchecked Sendable {
    // @unchecked: its owner ends it once, which LMDB allows on every thread (`MDB_NOTLS`).

    /// The transaction that the slot names.
    static let transaction: UInt64 = 0
    private static let slotSize = 64

    private let reader: LMDBTransaction

    /// Nil if the slot cannot be identified, or LMDB does not see the change. The caller holds the
    /// write gate.
    init?(_ handle: EnvironmentHandle) {
        // Which slot is the new one is seen from this thread's slots before and after: only this
        // thread can have added one, but other threads may have released some.
        for _ in 0..<8 {
            guard let before = Self.ownSlots(handle.lockDescriptor),
                case .success(let reader) = handle.raw.beginReading()
            else { return nil }
            let after = Self.ownSlots(handle.lockDescriptor) ?? [:]
            let added = after.filter {
                before[$0.key] == nil && $0.value == reader.identifier
            }.keys
            if added.count == 1, let offset = added.first,
                withUnsafeBytes(
                    of: Self.transaction.littleEndian,
                    { Files.write($0, to: handle.lockDescriptor, at: offset) }) == nil,
                handle.isReuseBlocked
            {
                self.reader = reader
                return
            }
            reader.abort()
        }
        return nil
    }

    func end() { reader.abort() }

    /// The offsets of this thread's slots in the lock file, and the transactions that they name.
    private static func ownSlots(_ lockDescriptor: Int32) -> [Int: UInt64]? {
        guard case .success(let size) = Files.size(lockDescriptor),
            let bytes = try? readBytes(lockDescriptor, at: 0, count: size, path: "")
        else { return nil }
        let process = UInt32(bitPattern: SystemProcess.identifier)
        let thread = UInt64(ThreadHandle.currentIdentifier)
        var slots: [Int: UInt64] = [:]
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            for offset in stride(from: 0, through: size - slotSize, by: slotSize) {
                let slot = start + offset
                if slot.integer(at: 8) as UInt32 == process,
                    slot.integer(at: 16) as UInt64 == thread
                {
                    slots[offset] = slot.integer(at: 0)
                }
            }
        }
        return slots
    }
}
