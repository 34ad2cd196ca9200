/// Numbers from outside: a client adds to them.
enum SharingNumber {
    /// More than any log ever has.
    static let range: ClosedRange<Int64> = 0...(1 << 62)
}

extension UpstreamState {
    /// - Throws: ``SharingError`` with `serverFailed` for numbers that no log has.
    func check() throws(SharingError) {
        let numbers = [epoch, head, floor, max(lastClientSequence, 0), snapshot ?? 0]
        if numbers.allSatisfy(SharingNumber.range.contains) { return }
        throw SharingError(
            .serverFailed, "The server sent numbers that no log has.",
            remedy: "Report a bug in the implementation of the upstream.", cause: "\(self)")
    }
}

extension UpstreamSnapshot {
    /// - Throws: ``SharingError`` with `serverFailed` for numbers that no snapshot has.
    func check() throws(SharingError) {
        if [epoch, sequence, byteCount].allSatisfy(SharingNumber.range.contains) { return }
        throw SharingError(
            .serverFailed, "The server has a snapshot with numbers that none has.",
            remedy: "Make another snapshot (makeSnapshot(), freehold share seed).",
            cause: "\(self)")
    }
}
