import ArgumentParser

/// One row of the table of benchmarks. The raw values are the names on the command line and in the JSON file.
enum Work: String, CaseIterable, ExpressibleByArgument {
    case bulkInsert = "bulk-insert"
    case pkRead = "pk-read"
    case hotRead = "hot-read"
    case iterate3 = "iterate-3"
    case scanInt = "scan-int"
    case scanIntBool = "scan-int-bool"
    case scanContains = "scan-contains"
    case indexedEqual = "indexed-equal"
    case sortDouble = "sort-double"
    case sumDouble = "sum-double"
    case updateAll = "update-all"
    case durableCommit = "durable-commit"
    case deleteHalf = "delete-half"
    case fileSize = "file-size"
}

extension Work {
    /// What the work's value counts.
    enum Unit {
        /// Nanoseconds for one object, row, query or commit.
        case nanoseconds
        case bytes
    }

    var unit: Unit {
        self == .fileSize ? .bytes : .nanoseconds
    }

    /// Whether the value depends on the clock, so that warming up and repeating make sense.
    var isTimed: Bool {
        unit == .nanoseconds
    }

    /// Whether the work changes nothing, so that doing it once more has no effect.
    var onlyReads: Bool {
        switch self {
        case .pkRead, .hotRead, .iterate3, .scanInt, .scanIntBool, .scanContains, .indexedEqual, .sortDouble, .sumDouble: true
        case .bulkInsert, .updateAll, .durableCommit, .deleteHalf, .fileSize: false
        }
    }

    /// What one operation is, for the printed table.
    var summary: String {
        switch self {
        case .bulkInsert: "insert all rows in one transaction, a row"
        case .pkRead: "object by random primary key and one property, a read"
        case .hotRead: "one Int of one live object again and again, a read"
        case .iterate3: "all objects, three properties of each, an object"
        case .scanInt: "count age > 50 without an index, a row"
        case .scanIntBool: "count age > 50 and active, a row"
        case .scanContains: "count bio contains \"99999\", a row"
        case .indexedEqual: "count name == x by the index, a query"
        case .sortDouble: "sort all by score and read the first, a row"
        case .sumDouble: "sum of score, a row"
        case .updateAll: "age + 1 on all in one transaction, a row"
        case .durableCommit: "change one property, synced to disk, a commit"
        case .deleteHalf: "delete age < 50 in one transaction, a deleted row"
        case .fileSize: "files after the insert"
        }
    }
}
