/// How a sound data file was left, so that whoever opens it next can tell that nobody changed
/// it since.
///
/// LMDB's side of a write trusts the pages that it comes by, so a process walks them before its
/// first commit (``EnvironmentHandle/checkPagesOnce()``), which takes seconds of a file of
/// gigabytes. What was walked and then changed by LMDB alone is sound. So who lets go of such a
/// file writes down its newest transaction, its size and its time of change, and the next one
/// compares.
///
/// The clock of a file system may tick every four milliseconds only, and what is changed within
/// a tick would seem unchanged. So the time is set first, to the second that it is and a random
/// part of it: any later write gives the file another time. After a process was killed the time
/// is another one, after a loss of power it may be, and a copy has another inode: then the
/// pages are walked again. Damage that no system call made, as that of a failing medium,
/// changes no time; of that, reads and `check()` know, and the next walk.
struct FileVouch: Equatable, Sendable {
    /// LMDB's id of the newest transaction; not zero.
    var transaction: UInt64
    var size: UInt64
    var seconds: Int64
    var nanoseconds: Int64

    /// Sets the time of change of a file that is not written to meanwhile, with everything on
    /// the medium; nil where the system refuses, as for another user's file, or does not keep
    /// the time as it was given.
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

    init(transaction: UInt64, size: UInt64, seconds: Int64, nanoseconds: Int64) {
        self.transaction = transaction
        self.size = size
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    init(transaction: UInt64, _ status: FileStatus) {
        self.init(
            transaction: transaction, size: UInt64(status.size), seconds: status.seconds,
            nanoseconds: status.nanoseconds)
    }
}

extension ControlFile {
    /// Writes down how the data file is now. Whoever calls this has walked its pages, or was
    /// vouched for, and does not write to it meanwhile; nothing happens where others might, and
    /// errors only mean that the next one walks.
    ///
    /// - Parameter transaction: LMDB's id of the newest one.
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

    /// Tells processes that open the file while this one has it open that its pages were
    /// walked. With the write gate held.
    func noteSoundPages() {
        guard var record = try? readRecord(), !record.isSound else { return }
        record.isSound = true
        try? write(record)
    }
}
