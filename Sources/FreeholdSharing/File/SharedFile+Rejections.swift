import FreeholdStorage

/// Rejections: the program's changes that did not get into the shared realm.
extension SharedFile {
    /// What applying commits did.
    struct Applied {
        /// The numbers of own commits that are in the log.
        var settled: [Int64] = []
        var rejected: [SharedRejectionRecord] = []
        /// The numbers of own commits whose bytes in the log are none, so that no file has them.
        var damaged: [(number: Int64, error: SharingError)] = []
        /// Why a commit of others is left out, or something of it: the first one.
        var problem: SharingError?

        /// Rejects all of a commit.
        mutating func reject(
            _ sequence: Int64, _ reason: SharedRejectionRecord.Reason,
            _ commit: ContiguousArray<UInt8> = []
        ) {
            rejected.append(
                SharedRejectionRecord(reason: reason, clientSequence: sequence, commit: commit))
        }

        /// Notes what was left out of an own commit, once: a record for each object and reason.
        /// O(changes of the commit).
        ///
        /// - Parameter reported: The hashes of what was noted before.
        mutating func note(
            _ leftOut: [SharedApplier.LeftOut], of sequence: Int64,
            _ commit: @autoclosure () -> SharedCommit, _ reported: inout Set<UInt64>
        ) {
            let new = leftOut.filter { reported.insert($0.stableHash).inserted }
            if new.isEmpty { return }
            for (reason, part) in commit().parts(leftOut: new) {
                rejected.append(
                    SharedRejectionRecord(
                        reason: reason == .isGone ? .objectDeleted : .doesNotFit,
                        clientSequence: sequence, commit: part.encoded()))
            }
        }
    }

    func add(_ rejected: [SharedRejectionRecord], to table: TableID, in writeSet: WriteSet) {
        for record in rejected {
            SharingTables.put(
                record.encoded(), max(writeSet.nextRowKey(of: table), 1), of: table, in: writeSet)
        }
    }

    /// The oldest rejection; nil without one.
    ///
    /// - Parameter given: The rows of those that the program has, which are left out.
    func nextRejection(except given: Set<Int64>) throws -> (
        row: Int64, record: SharedRejectionRecord
    )? {
        let snapshot = try store.newestSnapshot()
        let table = try tables(of: snapshot).rejections
        let view = snapshot.table(table)
        var next = view.firstKey(atOrAfter: 1)
        while let row = next {
            if !given.contains(row),
                let record = SharingTables.bytes(row, of: table, in: snapshot).flatMap({
                    SharedRejectionRecord(decoding: $0)
                })
            {
                return (row, record)
            }
            next = view.firstKey(atOrAfter: row + 1)
        }
        return nil
    }

    func removeRejection(_ row: Int64) throws {
        try write { writeSet in
            try writeSet.deleteRows(
                [row], of: try tables(of: writeSet).rejections, areUnlinked: true)
        }
    }
}
