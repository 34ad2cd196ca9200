/// A history's policy, as a version has it.
struct StoredHistoryPolicy: Sendable {
    let table: TableID
    /// The record that the policy was decoded from; empty if it is too long to be compared.
    let record: ContiguousArray<UInt8>
    let policy: HistoryPolicy
    /// Whether the newest entries are in a tail.
    let hasTail: Bool
}
