@testable import FreeholdStorage
import FreeholdTestSupport
import Synchronization

/// A table in clusters of four rows. Each ``reopened()`` store knows nothing of it.
struct LargeFile {
    let directory: TemporaryDirectory
    let options: Store.Options
    // A temporary file goes with its last environment.
    let environment: Environment
    let table: TableID
    var keys: [Int64]
    static let number = ColumnID(rawValue: 1)
    static let text = ColumnID(rawValue: 2)

    /// - Parameter distance: From each key to the next one.
    init(rows: Int, distance: Int64 = 3) throws {
        directory = try TemporaryDirectory()
        var options = Store.Options(path: directory.file("large.freehold"), hooks: .tiny)
        options.isTemporary = true
        self.options = options
        let store = try Store.open(options)
        environment = store.environment
        keys = (0..<Int64(rows)).map { $0 * distance + 10 }
        let keys = keys
        table = try write(store) { writeSet in
            let id = writeSet.createTable(named: "Items")
            _ = writeSet.addColumn(
                to: id, named: "number", type: .integer, isNullable: false, isIndexed: true)
            _ = writeSet.addColumn(
                to: id, named: "text", type: .text, isNullable: false, isIndexed: true)
            let table = writeSet.mutableTable(id)
            for key in keys {
                let row = table.insertRow(RowKey(rawValue: key))
                row.setInteger(Self.number, key * 2)
                Array("text \(key)".utf8).withUnsafeBytes { row.setBytes(Self.text, $0) }
            }
            return id
        }.0
    }

    func reopened() throws -> Store { try Store.open(options) }

    var directoryReads: Int {
        environment.counters.directoryReads.load(ordering: .relaxed)
    }

    /// The number of entries of the directory that `body` reads.
    func reads(_ body: () throws -> Void) rethrows -> Int {
        let before = directoryReads
        try body()
        return directoryReads - before
    }

    func number(_ key: Int64, in table: TableView) -> Int64? {
        table.locate(RowKey(rawValue: key)).map {
            $0.cluster.columns[Self.number.position].integer(at: $0.row)
        }
    }
}
