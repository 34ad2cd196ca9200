/// The state in which a sound data file was closed, so that the next opener can tell that no
/// program has changed it since.
///
/// LMDB's write path trusts the pages that it reads. So a process walks them before its first
/// commit, or judges them one by one and walks them in the background
/// (``EnvironmentHandle/prepareForWriting(_:_:)``). A file that was walked, and then changed only
/// by LMDB, is sound. So a process that closes such a file records its newest transaction, size
/// and modification time, and the next opener compares them.
///
/// A file system's clock may advance only every four milliseconds, and a change within one tick
/// would stay unnoticed. So the time is set first, to the current second plus a random
/// fraction: any later write gives the file another time. The time differs after a process was
/// killed, and may differ after a loss of power; a copy has another inode. In these cases the
/// pages are checked again. Damage without a system call, such as by a failing medium, changes
/// no time. Only reads, `check()` and the next walk find it.
struct FileVouch: Equatable, Sendable {
    /// LMDB's id of the newest transaction; not zero.
    var transaction: UInt64
    var size: UInt64
    var seconds: Int64
    var nanoseconds: Int64
}

extension FileVouch {
    /// Makes the file durable and sets its modification time. The file must not be written
    /// meanwhile. Nil if the system refuses, as for another user's file, or does not store the
    /// time exactly.
    static func make(_ descriptor: Int32, transaction: UInt64) -> FileVouch? {
        guard transaction != 0, Files.synchronizeData(descriptor) == nil else { return nil }
        let seconds = WallClock.now.seconds
        let nanoseconds = Int64.random(in: 1..<1_000_000_000)
        let error = Files.setChangeTime(descriptor, seconds: seconds, nanoseconds: nanoseconds)
        guard error == nil, case .success(let status) = Files.status(descriptor),
            status.seconds == seconds, status.nanoseconds == nanoseconds
        else { return nil }
        return FileVouch(transaction: transaction, status)
    }

    init(transaction: UInt64, _ status: FileStatus) {
        self.init(
            transaction: transaction, size: UInt64(status.size), seconds: status.seconds,
            nanoseconds: status.nanoseconds)
    }
}

extension ControlFile {
    /// Records the current state of the data file. The caller has walked its pages, or found
    /// them vouched for, and does not write to it meanwhile. Does nothing if other processes
    /// might write. An error only makes the next opener walk.
    ///
    /// - Parameter transaction: LMDB's id of the newest transaction.
    func vouch(forFileAt path: String, _ identity: FileIdentity, transaction: UInt64) {
        guard isWritable, (try? isHeldByOthers(.writers)) == false, var record = try? readRecord(),
            record.dataIdentity == identity, !record.isSuspect
        else { return }
        guard let (descriptor, _) = try? FilePaths(resolved: path).openData(.readWrite) else {
            return
        }
        defer { Files.close(descriptor) }
        guard case .success(let status) = Files.status(descriptor), status.identity == identity
        else { return }
        // Nothing was written since the last time.
        if record.vouch == FileVouch(transaction: transaction, status) { return }
        record.vouch = FileVouch.make(descriptor, transaction: transaction)
        if record.vouch != nil { try? write(record) }
    }

    /// Records that the pages were walked, for processes that open the file while this process
    /// has it open. With the write gate held.
    func noteSoundPages() {
        guard var record = try? readRecord(), !record.isSound else { return }
        record.isSound = true
        try? write(record)
    }
}
