import Foundation
import GRDB

/// Lists and links in SQLite: a list is a child table ordered by position, whose primary key is
/// the list and the position, so that its rows lie in their order. Positions are numbers
/// between which there is always another one, so that an insertion is one row and renumbers
/// nothing.
extension GRDBEngine {
    private static let insertions = 1_000

    private static func open(_ file: URL) throws -> DatabaseQueue {
        let store = try GRDBStore(file: file, cache: .forWriting)
        try store.queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS item (list INTEGER NOT NULL, position DOUBLE NOT \
                    NULL, number INTEGER NOT NULL, PRIMARY KEY (list, position)) WITHOUT ROWID;
                    CREATE TABLE IF NOT EXISTS linked (id INTEGER PRIMARY KEY, number INTEGER NOT \
                    NULL, next INTEGER);
                    """)
        }
        return store.queue
    }

    private func fill(_ queue: DatabaseQueue) throws {
        try queue.write { database in
            let statement = try database.makeStatement(
                sql: "INSERT INTO item (list, position, number) VALUES (1, ?, ?)")
            for (position, row) in dataset.rows.enumerated() {
                statement.setUncheckedArguments([Double(position), row.age])
                try statement.execute()
            }
        }
    }

    private func madeShelves() throws -> DatabaseQueue {
        if let shelves { return shelves }
        let queue = try Self.open(directory.appendingPathComponent("shelves.sqlite"))
        try fill(queue)
        try queue.write { database in
            let statement = try database.makeStatement(
                sql: "INSERT INTO linked (id, number, next) VALUES (?, ?, ?)")
            for row in dataset.rows {
                statement.setUncheckedArguments([row.id, row.age, dataset.linkTargets[row.id]])
                try statement.execute()
            }
        }
        shelves = queue
        return queue
    }

    func listAppend() throws -> Sample {
        try StoreFiles.withScratchFolder(in: directory) { folder in
            let queue = try Self.open(folder.appendingPathComponent("shelves.sqlite"))
            defer { try? queue.close() }
            let value = try nanoseconds(per: dataset.rows.count) { try fill(queue) }
            return Sample(
                value: value,
                answer: try queue.read {
                    try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM item") ?? 0
                })
        }
    }

    func listInsert() throws -> Sample {
        let queue = try madeShelves()
        var sample: Sample?
        try queue.inTransaction { database in
            let statement = try database.makeStatement(
                sql: "INSERT INTO item (list, position, number) VALUES (1, ?, ?)")
            let middle = dataset.rows.count / 2
            let value = try nanoseconds(per: Self.insertions) {
                for number in 0..<Self.insertions {
                    let position = Double(middle + number * 7919 % 1000) + 0.5
                    statement.setUncheckedArguments([position, number])
                    try statement.execute()
                }
            }
            sample = Sample(
                value: value, answer: try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM item"))
            return .rollback
        }
        return sample!
    }

    func listInsertCommit() throws -> Sample {
        try StoreFiles.withScratchFolder(in: directory) { folder in
            let queue = try Self.open(folder.appendingPathComponent("shelves.sqlite"))
            defer { try? queue.close() }
            try fill(queue)
            try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            let middle = Double(dataset.rows.count / 2)
            let value = try nanoseconds(per: dataset.commitIdentifiers.count) {
                for (number, identifier) in dataset.commitIdentifiers.enumerated() {
                    try queue.write { database in
                        try database.execute(
                            sql: "INSERT INTO item (list, position, number) VALUES (1, ?, ?)",
                            arguments: [middle + Double(number + 1) / 1024, identifier])
                    }
                }
            }
            return Sample(
                value: value,
                answer: try queue.read {
                    try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM item") ?? 0
                })
        }
    }

    func listIterate() throws -> Sample {
        let queue = try madeShelves()
        var sum = 0
        let value = try nanoseconds(per: dataset.rows.count) {
            try queue.read { database in
                let numbers = try Int.fetchCursor(
                    database, sql: "SELECT number FROM item WHERE list = 1 ORDER BY position")
                while let number = try numbers.next() { sum += number }
            }
        }
        return Sample(value: value, answer: sum)
    }

    func linkFollow() throws -> Sample {
        let queue = try madeShelves()
        var sum = 0
        let identifiers = dataset.lookupIdentifiers.prefix(FreeholdEngine.followedLinks)
        let value = try nanoseconds(per: identifiers.count) {
            try queue.read { database in
                let statement = try database.cachedStatement(
                    sql:
                        """
                        SELECT b.number FROM linked a JOIN linked b ON b.id = a.next WHERE \
                        a.id = ?
                        """
                )
                for identifier in identifiers {
                    sum += try Int.fetchOne(statement, arguments: [identifier])!
                }
            }
        }
        return Sample(value: value, answer: sum)
    }
}
