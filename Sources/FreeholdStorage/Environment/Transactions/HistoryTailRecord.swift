/// The record of the newest entries of the history: what is in it only the room of the history
/// knows (``HistoryTail``).
enum HistoryTailRecord {
    private static let key: StaticString = "history"

    static func withKey<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        key.withUTF8Buffer { body(UnsafeRawBufferPointer($0)) }
    }
}

extension ReadTransaction {
    /// The stored tail of the history; nil without one.
    func historyTail() throws(StorageError) -> UnsafeRawBufferPointer? {
        try environment.checkOwned()
        if encrypted != nil { return nil }
        switch HistoryTailRecord.withKey({ raw.value(Database.mainHandle, $0) }) {
        case .success(let value): return value
        case .failure(.notFound): return nil
        case .failure(let result):
            throw .lmdb(result, "read the history", path: environment.path)
        }
    }
}

extension WriteTransaction {
    /// Whether the newest entries of a history are in a tail.
    var hasHistoryTail: Bool { encrypted == nil }

    /// The stored tail of the history; nil without one. Valid until the next change.
    func historyTail() throws(StorageError) -> UnsafeRawBufferPointer? {
        switch HistoryTailRecord.withKey({ liveRaw.value(Database.mainHandle, $0) }) {
        case .success(let value): return value
        case .failure(.notFound): return nil
        case .failure(let result): throw failed(.lmdb(result, "read the history", path: path))
        }
    }

    func putHistoryTail(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        noteWriting(bytes.count + 16, put: bytes.count)
        let result = HistoryTailRecord.withKey { liveRaw.put(Database.mainHandle, $0, bytes) }
        if result != .success { throw failed(.lmdb(result, "put the history", path: path)) }
    }

    func deleteHistoryTail() throws(StorageError) {
        let result = HistoryTailRecord.withKey { liveRaw.delete(Database.mainHandle, $0) }
        if result != .success, result != .notFound {
            throw failed(.lmdb(result, "delete the history", path: path))
        }
    }
}
