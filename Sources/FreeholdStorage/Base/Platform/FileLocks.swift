internal import CLMDB

/// Locks on single bytes of files.
///
/// A lock of an open file belongs to the open file description: it also excludes within a
/// process, and ends with the description's last descriptor. LMDB uses locks of processes.
enum FileLocks {
    enum Kind {
        case shared, exclusive

        fileprivate var number: Int32 {
            switch self {
            case .shared: Int32(freehold_lock_shared.rawValue)
            case .exclusive: Int32(freehold_lock_exclusive.rawValue)
            }
        }
    }

    /// Takes a lock. If it is held elsewhere, returns an error with
    /// ``ErrorNumber/meansLocked``.
    static func take(_ descriptor: Int32, _ kind: Kind, at offset: Int64) -> ErrorNumber? {
        ErrorNumber(returned: freehold_description_lock(descriptor, kind.number, offset))
    }

    /// Waits for the lock.
    static func waitAndTake(_ descriptor: Int32, _ kind: Kind, at offset: Int64) -> ErrorNumber? {
        repeatingInterrupted { freehold_description_lock_wait(descriptor, kind.number, offset) }
    }

    static func release(_ descriptor: Int32, at offset: Int64) {
        _ = freehold_description_lock(descriptor, Int32(freehold_lock_none.rawValue), offset)
    }

    /// Whether another open file or a process has a lock on a byte.
    static func isLockedByOthers(_ descriptor: Int32, at offset: Int64) -> Result<Bool, ErrorNumber>
    { isLockedByOthers(descriptor, in: offset..<offset + 1) }

    /// Whether another open file or a process has a lock on a byte of a non-empty range.
    static func isLockedByOthers(_ descriptor: Int32, in range: Range<Int64>)
        -> Result<Bool, ErrorNumber>
    {
        var conflict: Int32 = 0
        let result = freehold_range_lock_test(
            descriptor, range.lowerBound, range.upperBound - range.lowerBound, &conflict)
        if let error = ErrorNumber(returned: result) { return .failure(error) }
        return .success(conflict != 0)
    }

    /// Waits for a lock of this process and takes it.
    static func takeForProcess(_ descriptor: Int32, _ kind: Kind, at offset: Int64) -> ErrorNumber?
    { repeatingInterrupted { freehold_process_lock(descriptor, kind.number, offset) } }

    /// The other process that has a lock on a byte; 0 if none does.
    static func holder(_ descriptor: Int32, at offset: Int64) -> Result<Int32, ErrorNumber> {
        var holder: Int32 = 0
        let result = freehold_process_lock_test(descriptor, Kind.exclusive.number, offset, &holder)
        if let error = ErrorNumber(returned: result) { return .failure(error) }
        return .success(holder)
    }
}
