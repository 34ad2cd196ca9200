/// An open file.
///
/// Each process has one instance per file, whatever paths lead to the file, because LMDB's
/// locks would not survive a second one. It closes when the last reference to it, to a view of
/// it or to a pending write is released. Closing stops its writer thread, releases its locks,
/// and closes every descriptor. Every member may be used from every thread.
///
/// ## Locks, in the order in which they may be taken
/// 1. The registry's monitor.
/// 2. The grant of `writeQueue`.
/// 3. The write gate of the control file.
/// 4. The opening lock of the control file, whose holders wait for no writer.
/// 5. LMDB's write lock, inside of a commit only.
/// 6. `snapshots`.
/// 7. The monitors of the writer thread and the queue, for a few instructions.
package final class Environment: Sendable {
    /// The data file, without symbolic links.
    package let path: String
    package let options: Options
    /// The device and inode of the data file at opening. A compaction changes them.
    package let fileIdentity: FileIdentity
    /// Identifies the contents of the file through copies and renames.
    package let uuid: UniqueIdentifier
    /// Whether this `open` created the file.
    package let isNewlyCreated: Bool

    let control: ControlFile?
    /// Nil for a read-only file, and if the record has no room.
    let holderRecord: HolderRecord?
    let writerThread = WriterThread()
    let writeQueue = WriteQueue()
    let deadlines = Deadlines()
    let forkGeneration = ForkGuard.generation
    let snapshots: Locked<Snapshots>
    /// The failure that forbids writing until the file is opened again.
    let poison = Locked<StorageError?>(nil)
    private let released = Locked(false)
    /// Counts events since the file was opened.
    package let counters: ActivityCounters

    init(opened: OpenedFile, options: Options) {
        path = opened.path
        self.options = options.withoutKey
        fileIdentity = opened.identity
        uuid = opened.uuid
        isNewlyCreated = opened.isNewlyCreated
        snapshots = Locked(Snapshots(handle: opened.handle, identity: opened.identity))
        control = opened.control
        holderRecord =
            options.access == .readWrite
            ? opened.control.flatMap {
                $0.isWritable ? HolderRecord(descriptor: $0.descriptor) : nil
            } : nil
        counters = opened.counters
    }

    deinit {
        // In a forked child, the threads, locks and descriptors belong to the parent.
        guard isOwnedByThisProcess else { return }
        let (handle, identity) = snapshots.withLock { ($0.handle, $0.identity) }
        let closing = EnvironmentClosing(
            handle: handle, control: control, identity: identity, isTemporary: options.isTemporary,
            mayVouch: mayVouch)
        writerThread.stop { closing.run() }
    }

    /// The current LMDB handle. A compaction replaces it, so code that needs the same handle
    /// twice must keep it.
    var handle: EnvironmentHandle { snapshots.withLock { $0.handle } }

    package var isEncrypted: Bool { handle.treeEncryption != nil }

    /// The largest size that the file can reach while it is open.
    package var capacity: Int { handle.capacity }

    /// The number of reads that were restarted because LMDB labelled their version with the
    /// number of another one (`EnvironmentHandle.beginRead`).
    package var mislabelledReadCount: Int { handle.mislabelledReadCount }

    /// The bytes of the data file up to the last page in use. The file itself is a little longer.
    package var usedByteCount: Int { handle.usedByteCount }

    /// Starts writes.
    package var writer: Writer { Writer(environment: self) }

    /// Opens a file, creating it if the access allows.
    ///
    /// Reads and checks the file before anything maps it or changes anything on disk. Shares a
    /// file that this process has open already. O(1) for a file that was closed properly;
    /// linear in its B-tree pages if its control file is missing.
    ///
    /// - Throws: An error for each defect of the path, the file, its lock files or its medium;
    ///   `alreadyOpen` if this process has the file open with other options.
    package static func open(_ options: Options) throws(StorageError) -> Environment {
        try EnvironmentRegistry.shared.open(options)
    }

    /// Deletes a data file, its lock file and its control file, unless any process has them open.
    ///
    /// - Returns: Whether there was a data file.
    /// - Throws: `alreadyOpen`, or an error of the system.
    package static func removeFiles(at path: String) throws(StorageError) -> Bool {
        try EnvironmentRegistry.shared.removeFiles(at: path)
    }

    /// Whether the opener has released the file, so that only work about to end keeps it open.
    /// Set by the opener.
    package var isReleased: Bool {
        get { released.withLock { $0 } }
        set { released.withLock { $0 = newValue } }
    }

    /// Whether this process has a file open that its opener has released.
    package static func isReleased(at path: String) -> Bool {
        EnvironmentRegistry.shared.isReleased(path)
    }

    /// See ``EnvironmentRegistry/patiently(for:_:_:)``.
    package static func patiently<Value, Failure: Error>(
        for duration: Duration = .milliseconds(250), _ isRefusal: (Failure) -> Bool,
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try EnvironmentRegistry.shared.patiently(for: duration, isRefusal, body)
    }

    /// Whether this process opened the environment itself, rather than inheriting it through a
    /// fork.
    @inline(__always)
    package var isOwnedByThisProcess: Bool { forkGeneration == ForkGuard.generation }

    /// Whether everything that this process wrote is durable or was refused, so that LMDB alone
    /// made the file's pages.
    var mayVouch: Bool {
        options.access == .readWrite && options.durability != .none && poison.withLock { $0 == nil }
    }

    var forkedChildError: StorageError {
        StorageError(
            .forkedChild,
            """
            "\(path)" was opened before this process was forked. Open files after the \
            fork, in the child.
            """, path: path)
    }

    func checkOwned() throws(StorageError) {
        if !isOwnedByThisProcess { throw forkedChildError }
    }

    func checkWritable() throws(StorageError) {
        try checkOwned()
        if options.access == .readOnly {
            throw StorageError(
                .readOnly,
                """
                "\(path)" is open for reading only. Open it for reading and writing to \
                change it.
                """, path: path)
        }
        if let cause = poison.withLock({ $0 }) {
            throw StorageError(
                .poisoned,
                """
                Writing to "\(path)" failed earlier, so it is read-only until it is reopened. \
                Close it everywhere, check the disk, and open it again.
                """, path: path, underlying: cause)
        }
        if let damage = handle.foundDamage { throw damage }
    }
}
