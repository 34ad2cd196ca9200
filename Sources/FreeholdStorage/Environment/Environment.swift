/// An open file.
///
/// There is one instance per file and process, whatever paths lead to the file: LMDB's locks
/// would not survive two. It closes when the last reference to it, to a view of it or to a
/// pending write goes away, which stops its writer thread, unlocks, and closes every
/// descriptor. Every member may be used from every thread.
///
/// ## Locks, in the order in which they may be taken
/// The registry's monitor; a turn of `writeQueue`; the write gate of the control file; the
/// opening lock of the control file, whose holders wait for no writer; LMDB's write lock
/// (writer thread only); `snapshots`. The monitors of the writer thread and the queue are taken
/// last and held for a few instructions.
package final class Environment: Sendable {
    /// The data file, without symbolic links.
    package let path: String
    package let options: Options
    /// The device and inode that the data file had when it was opened. A compaction gives it
    /// another one.
    package let fileIdentity: FileIdentity
    /// Names the contents of the file through copies and renames.
    package let uuid: UniqueIdentifier
    /// Whether this `open` made the file.
    package let isNewlyCreated: Bool

    let control: ControlFile?
    /// Nil where nobody may write, and where there is no room for it.
    let holderRecord: HolderRecord?
    let writerThread = WriterThread()
    let writeQueue = WriteQueue()
    let deadlines = Deadlines()
    let forkGeneration = ForkGuard.generation
    let snapshots: Locked<Snapshots>
    /// The failure that forbids writing until the file is opened again.
    let poison = Locked<StorageError?>(nil)
    private let released = Locked(false)
    /// What happened here since the file was opened.
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
        // The threads, locks and descriptors of a forked child's environment are its parent's.
        guard isOwnedByThisProcess else { return }
        let (handle, identity) = snapshots.withLock { ($0.handle, $0.identity) }
        let closing = EnvironmentClosing(
            handle: handle, control: control, identity: identity, isTemporary: options.isTemporary,
            mayVouch: mayVouch)
        writerThread.stop { closing.run() }
    }

    /// LMDB's side of the file as it is now. A compaction puts another one in its place, so
    /// whoever calls it twice keeps it.
    var handle: EnvironmentHandle { snapshots.withLock { $0.handle } }

    package var isEncrypted: Bool { handle.treeEncryption != nil }

    /// The largest size that the file can reach while it is open.
    package var capacity: Int { handle.capacity }

    /// How many reads were begun again since LMDB called their version by the number of another
    /// one (`EnvironmentHandle.beginRead`).
    package var mislabelledReadCount: Int { handle.mislabelledReadCount }

    /// The bytes of the data file up to the last page in use. The file itself is a little longer.
    package var usedByteCount: Int { handle.usedByteCount }

    /// Where writes begin.
    package var writer: Writer { Writer(environment: self) }

    /// Opens a file, creating it if the access allows.
    ///
    /// The file is read and judged before anything maps it or changes anything on disk. A file
    /// that this process has open already is shared. O(1) for a file that was closed well;
    /// linear in its B-tree pages when its control file is missing.
    ///
    /// - Throws: A `StorageError` for whatever is wrong with the path, the file, its lock files
    ///   or its medium; `alreadyOpen` when this process has the file open in another way.
    package static func open(_ options: Options) throws(StorageError) -> Environment {
        try EnvironmentRegistry.shared.open(options)
    }

    /// Deletes a data file, its lock file and its control file, unless any process has them open.
    ///
    /// - Returns: Whether there was a data file.
    /// - Throws: `alreadyOpen`, or what the system refuses.
    package static func removeFiles(at path: String) throws(StorageError) -> Bool {
        try EnvironmentRegistry.shared.removeFiles(at: path)
    }

    /// Whether who opened the file has let go of it, so that only work that is about to end
    /// keeps it open. Set by the opener.
    package var isReleased: Bool {
        get { released.withLock { $0 } }
        set { released.withLock { $0 = newValue } }
    }

    /// Whether this process has a file open that its opener has let go of.
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

    /// Whether this process opened the environment itself and did not inherit it from a fork.
    @inline(__always)
    package var isOwnedByThisProcess: Bool { forkGeneration == ForkGuard.generation }

    /// Whether what this process wrote is on the medium or refused, so that the file's pages
    /// are as LMDB made them.
    var mayVouch: Bool {
        options.access == .readWrite && options.durability != .none && poison.withLock { $0 == nil }
    }

    var forkedChildError: StorageError {
        StorageError(
            .forkedChild,
            """
            "\(path)" was opened before this process was forked. Open files after the \
            fork, in the child.
            """,
            path: path)
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
                """,
                path: path)
        }
        if let cause = poison.withLock({ $0 }) {
            throw StorageError(
                .poisoned,
                """
                Writing to "\(path)" failed earlier, so it takes no more changes. Release \
                every use of it, check the medium, and open it again.
                """, path: path, underlying: cause)
        }
    }
}
