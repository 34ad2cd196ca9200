internal import Synchronization

/// The control file beside the data file: what LMDB does not record, and locks that LMDB's
/// cannot replace.
///
/// Its locks belong to the open file description. Unlike process locks they exclude within a
/// process too, end with the last descriptor however the process ends, and do not vanish when
/// something else in the process closes the same file.
final class ControlFile: Sendable {
    /// The locks, each one byte far behind the record.
    enum Lock: Int64, CaseIterable {
        /// Exclusive while a process opens, creates, removes or closes the files.
        case opening
        /// Shared by every process that has the file open.
        case presence
        /// Shared by every process that has the file open for writing.
        case writers
        /// Shared by processes that read without a reader slot, which no writer may run beside.
        case unregisteredReaders
        /// Held while waiting for the write gate, so that whoever let go of the gate queues
        /// behind whoever waits.
        case turnstile
        /// Exclusive during a write.
        case writeGate
        /// Shared by every process that wants to be told of the commits of others.
        case listeners

        var offset: Int64 { (1 << 30) + rawValue }
    }

    let path: String
    let descriptor: Int32
    let isWritable: Bool
    let identity: FileIdentity
    /// The largest minimum size known to be in the record, so that most commits need not look.
    private let knownMinimumSize = Atomic<Int>(0)
    /// The last whole record that was read or written here.
    private let lastRecord = Locked<ControlRecord?>(nil)

    init(path: String, descriptor: Int32, isWritable: Bool, identity: FileIdentity) {
        self.path = path
        self.descriptor = descriptor
        self.isWritable = isWritable
        self.identity = identity
    }

    /// Lets go of every lock.
    ///
    /// Explicitly, for a child process that is just being spawned holds a copy of the
    /// descriptor, and with it the locks, until it has loaded its program.
    func close() {
        for lock in Lock.allCases { unlock(lock) }
        Files.close(descriptor)
    }

    /// Takes a lock if nobody stands in the way.
    func tryLock(_ lock: Lock, _ kind: FileLocks.Kind) throws(StorageError) -> Bool {
        guard let error = FileLocks.take(descriptor, kind, at: lock.offset) else { return true }
        if error.meansLocked { return false }
        throw .system(error, "lock the control file", path: path)
    }

    /// Takes a lock, waiting for others until a deadline.
    func lock(_ lock: Lock, _ kind: FileLocks.Kind, until deadline: ContinuousClock.Instant)
        throws(StorageError)
    {
        if try wait(for: lock, kind, until: deadline) { return }
        throw StorageError(
            .writeLockTimeout,
            """
            Another process held "\(path)" for longer than this one waits. If it is stopped, \
            let it go on or end it; if its transaction is long, allow more time.
            """, path: path)
    }

    /// Takes a lock, waiting for others, until a deadline if there is one. False if that passed
    /// first.
    private func wait(
        for lock: Lock, _ kind: FileLocks.Kind, until deadline: ContinuousClock.Instant?
    )
        throws(StorageError) -> Bool
    {
        if try tryLock(lock, kind) { return true }
        guard let deadline else {
            if SteppedThreads.isOn {
                repeat { SteppedThreads.waitForOthers() } while try !tryLock(lock, kind)
                return true
            }
            try FileLocks.waitAndTake(descriptor, kind, at: lock.offset)
                .check("lock the control file", path: path)
            return true
        }
        // The kernel's wait has no time limit, so this one asks again and again, at most a
        // millisecond apart.
        var pause: UInt32 = 50
        while try !tryLock(lock, kind) {
            if ContinuousClock.now >= deadline { return false }
            ThreadHandle.sleep(microseconds: pause)
            pause = min(pause * 2, 1000)
        }
        return true
    }

    func unlock(_ lock: Lock) { FileLocks.release(descriptor, at: lock.offset) }

    /// Whether another open of this file, in any process, holds a lock.
    func isHeldByOthers(_ lock: Lock) throws(StorageError) -> Bool {
        try FileLocks.isLockedByOthers(descriptor, at: lock.offset)
            .get("test the locks of the control file", path: path)
    }

    /// Takes the write gate. Processes that want it take turns: whoever waits holds the
    /// turnstile, so that a process that writes in a loop meets the turnstile closed when it
    /// comes again.
    ///
    /// - Returns: False if the deadline passed first.
    func lockWriteGate(until deadline: ContinuousClock.Instant?) throws(StorageError) -> Bool {
        guard try wait(for: .turnstile, .exclusive, until: deadline) else { return false }
        defer { unlock(.turnstile) }
        return try wait(for: .writeGate, .exclusive, until: deadline)
    }

    /// Takes the write gate if no other process has it or waits for it. Two system calls: the
    /// turnstile is only looked at. Who comes to wait between the look and the taking may be
    /// overtaken, once: the next look sees that the turnstile is held.
    func tryLockWriteGate() throws(StorageError) -> Bool {
        if try isHeldByOthers(.turnstile) { return false }
        return try tryLock(.writeGate, .exclusive)
    }
}

// MARK: - The record

extension ControlFile {
    /// The newest record, or `nil` if there is no whole one.
    func readRecord() throws(StorageError) -> ControlRecord? {
        guard let record = try ControlRecord.read(from: descriptor, path: path) else { return nil }
        lastRecord.withLock { $0 = record }
        return record
    }

    /// The record of a file that this process has open: if there is no whole one any more, what
    /// it was before. With the write gate held.
    ///
    /// What may have changed since this process knew it is the minimum size, a lower bound that
    /// may be too small.
    func currentRecord() throws(StorageError) -> ControlRecord? {
        try readRecord() ?? lastRecord.withLock { $0 }
    }

    /// Writes the record where the newest one is not, with one call inside one disk sector.
    /// Where a call stops half-way, as a signal or a full disk may make it, the next one goes
    /// on; where none succeeds, the record before is still the newest. With the write gate
    /// held, or while no other process has the file open.
    func write(_ record: ControlRecord) throws(StorageError) {
        let newest = try ControlRecord.newest(in: descriptor, path: path)
        let bytes = record.encoded(number: (newest?.number ?? 0) &+ 1)
        let offset = ControlRecord.places[newest.map { 1 - $0.place } ?? 0]
        try bytes.withUnsafeBytes { Files.write($0, to: descriptor, at: offset) }
            .check("write the control file", path: path)
        lastRecord.withLock { $0 = record }
    }

    func synchronize() throws(StorageError) {
        try Files.synchronize(descriptor)
            .check("synchronise the control file", path: path)
    }

    /// Records that the data file has at least this size for good. With the write gate held.
    /// The record is a lower bound, so an update that is not written, or not yet on the medium,
    /// does no harm.
    func raiseMinimumSize(to size: Int) {
        if size <= knownMinimumSize.load(ordering: .relaxed) { return }
        let whole = try? readRecord()
        guard var record = whole ?? lastRecord.withLock({ $0 }) else { return }
        record.minimumSize = max(record.minimumSize, UInt64(size))
        if record != whole {
            guard (try? write(record)) != nil else { return }
        }
        knownMinimumSize.store(size, ordering: .relaxed)
    }

    /// The record was replaced by one with a smaller size.
    func forgetMinimumSize() { knownMinimumSize.store(0, ordering: .relaxed) }

    /// Records that the medium may differ from what is cached of it. As far as the medium still
    /// lets us.
    func markSuspect() {
        guard var record = try? currentRecord() else { return }
        record.isSuspect = true
        try? write(record)
        try? synchronize()
    }
}
