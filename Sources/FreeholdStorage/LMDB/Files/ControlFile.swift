internal import Synchronization

/// The control file beside the data file: facts that LMDB does not record, and locks that
/// LMDB's cannot replace.
///
/// Its locks belong to the open file description. Unlike process locks, they also exclude
/// within a process, and they end with the last descriptor however the process ends. They do
/// not vanish when other code in the process closes the same file.
final class ControlFile: Sendable {
    /// The locks, each one byte far behind the record.
    enum Lock: Int64, CaseIterable {
        /// Exclusive while a process opens, creates, removes or closes the files.
        case opening
        /// Shared by every process that has the file open.
        case presence
        /// Shared by every process that has the file open for writing.
        case writers
        /// Shared by processes that read without a reader slot. No writer may run beside them.
        case unregisteredReaders
        /// Held while waiting for the write gate, so that a process that has just released the
        /// gate queues behind those that wait.
        case turnstile
        /// Exclusive during a write.
        case writeGate
        /// Shared by every process that wants other processes to announce their commits.
        case listeners

        var offset: Int64 { (1 << 30) + rawValue }
    }

    let path: String
    let descriptor: Int32
    let isWritable: Bool
    let identity: FileIdentity
    /// The largest minimum size known to be in the record, which saves most commits from
    /// reading it.
    private let knownMinimumSize = Atomic<Int>(0)
    /// The last whole record that was read or written here.
    private let lastRecord = Locked<ControlRecord?>(nil)

    init(path: String, descriptor: Int32, isWritable: Bool, identity: FileIdentity) {
        self.path = path
        self.descriptor = descriptor
        self.isWritable = isWritable
        self.identity = identity
    }

    /// Releases every lock.
    ///
    /// Explicitly, because a child process that is being spawned holds a copy of the
    /// descriptor, and with it the locks, until it has loaded its program.
    func close() {
        for lock in Lock.allCases { unlock(lock) }
        Files.close(descriptor)
    }

    /// Takes a lock if it is free. Returns false if another open of the file holds a
    /// conflicting one.
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
            resume or end it; if its transaction is long, allow more time.
            """, path: path)
    }

    /// Takes a lock, waiting for others, at most until a deadline. Returns false if the
    /// deadline passed first.
    private func wait(
        for lock: Lock, _ kind: FileLocks.Kind, until deadline: ContinuousClock.Instant?
    ) throws(StorageError) -> Bool {
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
        // The kernel's wait has no time limit, so this one polls, at most a millisecond apart.
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

    /// Takes the write gate. A waiting process holds the turnstile, so processes alternate: one
    /// that writes in a loop finds the turnstile closed when it returns.
    ///
    /// - Returns: False if the deadline passed first.
    func lockWriteGate(until deadline: ContinuousClock.Instant?) throws(StorageError) -> Bool {
        guard try wait(for: .turnstile, .exclusive, until: deadline) else { return false }
        defer { unlock(.turnstile) }
        return try wait(for: .writeGate, .exclusive, until: deadline)
    }

    /// Takes the write gate if no other process holds it or waits for it. Two system calls: the
    /// turnstile is only tested. A process that starts to wait between the test and the lock
    /// may be overtaken once; the next test sees that it holds the turnstile.
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

    /// The record of a file that this process has open; the last one known if the file has no
    /// whole record. With the write gate held.
    ///
    /// Only the minimum size may have changed since this process knew the record. It is a lower
    /// bound, so an old value does no harm.
    func currentRecord() throws(StorageError) -> ControlRecord? {
        try readRecord() ?? lastRecord.withLock { $0 }
    }

    /// Writes the record to the place that does not hold the newest one, with one call inside
    /// one disk sector. If a signal or a full disk interrupts the call, the next call continues
    /// it. If none succeeds, the previous record remains the newest. With the write gate held,
    /// or while no other process has the file open.
    func write(_ record: ControlRecord) throws(StorageError) {
        let newest = try ControlRecord.newest(in: descriptor, path: path)
        let bytes = record.encoded(number: (newest?.number ?? 0) &+ 1)
        let offset = ControlRecord.places[newest.map { 1 - $0.place } ?? 0]
        try bytes.withUnsafeBytes { Files.write($0, to: descriptor, at: offset) }
            .check("write the control file", path: path)
        lastRecord.withLock { $0 = record }
    }

    func synchronize() throws(StorageError) {
        try Files.synchronize(descriptor).check("synchronise the control file", path: path)
    }

    /// Records that the data file has at least this size from this commit on. With the write
    /// gate held. The record is a lower bound, so an update that is lost or not yet durable
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

    /// Forgets the known minimum size, after the record was replaced by one with a smaller
    /// size.
    func forgetMinimumSize() { knownMinimumSize.store(0, ordering: .relaxed) }

    /// Records that the medium may differ from the page cache, as far as the medium still
    /// accepts writes.
    func markSuspect() {
        guard var record = try? currentRecord() else { return }
        record.isSuspect = true
        try? write(record)
        try? synchronize()
    }
}
