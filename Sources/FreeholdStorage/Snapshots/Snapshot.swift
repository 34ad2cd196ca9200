package final class Snapshot: TableSource, @unchecked Sendable {
    package var version: UInt64 { fatalError() }
    package var catalog: Catalog { fatalError() }
}
