extension Environment {
    /// Makes the compacted copy of a version. If the disk is full, it frees the room of the
    /// free pages and tries again.
    ///
    /// Freeing returns the blocks of pages that no version in use refers to. That is as safe as
    /// LMDB overwriting them. If the compaction fails afterwards, the file has holes, which
    /// commits fill again while the disk has room.
    ///
    /// The caller holds the write grant.
    ///
    /// - Throws: Errors of `body`; `outOfDiskSpace` says how much room is needed, and how much
    ///   there is.
    func inRoomLeft<Value>(
        of base: ReadTransaction, _ body: () throws(StorageError) -> Value
    ) throws(StorageError) -> Value {
        do throws(StorageError) {
            return try body()
        } catch {
            guard error.code == .outOfDiskSpace, try giveBackFreePages(of: base) else {
                throw describingRoom(error, of: base)
            }
        }
        do throws(StorageError) {
            return try body()
        } catch {
            throw describingRoom(error, of: base)
        }
    }

    /// - Returns: Whether the file system freed any blocks.
    private func giveBackFreePages(of base: ReadTransaction) throws(StorageError) -> Bool {
        let handle = base.handle
        let pageSize = handle.pageSize
        var isDone = false
        try handle.reusablePages(in: base.raw).forEachRun { pages in
            let range = pages.lowerBound * pageSize..<pages.upperBound * pageSize
            if Files.deallocate(handle.dataDescriptor, range) == nil { isDone = true }
        }
        return isDone
    }

    private func describingRoom(_ error: StorageError, of base: ReadTransaction) -> StorageError {
        guard error.code == .outOfDiskSpace, let (_, needed) = try? byteCounts() else {
            return error
        }
        guard case .success(let system) = FileSystem.of(base.handle.dataDescriptor) else {
            return error
        }
        let free = system.availableByteCount
        return StorageError(
            .outOfDiskSpace,
            """
            "\(path)" cannot be compacted: about \(needed) bytes are needed for the new file, \
            \(free) are free. Free some space on the disk (or raise the quota) and try again.
            """, path: path, systemError: error.systemError, underlying: error)
    }
}
