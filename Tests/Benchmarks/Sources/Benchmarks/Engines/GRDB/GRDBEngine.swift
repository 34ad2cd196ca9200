import Foundation
import GRDB

/// SQLite through GRDB, as somebody who knows both would write it: prepared or cached
/// statements, records decoded by position, counts and sums by SQL. See `GRDBStore` for the
/// settings.
///
/// - `bulk-insert`, `update-all`, `delete-half`: one statement or one prepared statement in one
///   transaction; the clock includes the commit, its sync and the checkpoint that it triggers.
///   Writing works begin with an empty log.
/// - `pk-read`: a cached statement in one read transaction, a record for each key.
/// - `iterate-3`: a cursor of records with all columns, the counterpart of an object, in one
///   read transaction.
/// - `scan-contains`: `instr`, since `LIKE` is slower and ignores case.
/// - `indexed-equal`: a cached statement, one for each name, in one read transaction.
/// - `sort-double`: the sorted keys, of which the first row is fetched. There is no `LIMIT`,
///   with which SQLite would not sort: the other engines hand out a sorted collection too.
/// - `durable-commit`: a transaction for each row, each of which syncs the log.
/// - `file-size`: after a checkpoint that empties the log.
final class GRDBEngine: Engine {
    static let name = EngineName.grdb
    static let works = Set(Work.allCases).subtracting(Work.crossing).subtracting(Work.frontEnds)
        .subtracting(Work.observing).subtracting(Work.migrations).subtracting(Work.files)
        .subtracting(Work.drafts).subtracting(Work.history)
        .subtracting(Work.encryption).subtracting([
            .hotRead, .plainDecode, .jsonImport, .randomLoadPair,
        ])

    let dataset: Dataset
    let directory: URL
    /// The database with the list and the links, once made.
    var shelves: DatabaseQueue?
    /// The database of the works about queries, once made.
    var library: DatabaseQueue?
    /// The database with a few rows that all others refer to, once made.
    var labelled: DatabaseQueue?
    private let baseFolder: URL
    private let base: GRDBStore

    init(dataset: Dataset, directory: URL) throws {
        self.dataset = dataset
        self.directory = directory
        baseFolder = directory.appendingPathComponent("base")
        try StoreFiles.makeEmptyFolder(baseFolder)
        let filling = try GRDBStore(file: Self.file(in: baseFolder), cache: .forWriting)
        try filling.insert(dataset.rows)
        try filling.checkpoint()
        try filling.queue.close()
        base = try GRDBStore(file: Self.file(in: baseFolder), cache: .forReading)
    }

    func sample(_ work: Work) throws -> Sample {
        let rows = dataset.rows.count
        return switch work {
        case .bulkInsert: try bulkInsert()
        case .pkRead: try pkRead()
        case .iterate3: try iterate3()
        case .scanInt: try query("SELECT COUNT(*) FROM person WHERE age > 50", per: rows)
        case .scanIntBool:
            try query("SELECT COUNT(*) FROM person WHERE age > 50 AND active", per: rows)
        case .scanContains:
            try query(
                "SELECT COUNT(*) FROM person WHERE instr(bio, '\(dataset.needle)') > 0", per: rows)
        case .indexedEqual: try indexedEqual()
        case .sortDouble: try sortDouble()
        case .sumDouble: try sumDouble()
        case .updateAll: try updateAll()
        case .durableCommit: try durableCommit()
        case .deleteHalf: try deleteHalf()
        case .fileSize: Sample(value: Double(try StoreFiles.size(of: baseFolder)), answer: nil)
        case .listAppend: try listAppend()
        case .listInsert: try listInsert()
        case .listInsertCommit: try listInsertCommit()
        case .listIterate: try listIterate()
        case .linkFollow: try linkFollow()
        case .rangeCount: try rangeCount()
        case .anyList: try anyList()
        case .linkPath: try linkPath()
        case .foldedContains: try foldedContains()
        case .distinctDouble: try distinctDouble()
        case .sortLimit: try sortLimit()
        case .fullText: try fullText()
        case .backlinkCount: try backlinkCount()
        case .backlinkDelete: try backlinkDelete()
        default: preconditionFailure("GRDB has no counterpart of \(work.rawValue)")
        }
    }

    private static func file(in folder: URL) -> URL {
        folder.appendingPathComponent("people.sqlite")
    }

    /// Runs `body` with a store that is a copy of the base store.
    private func withCopy(_ body: (GRDBStore) throws -> Sample) throws -> Sample {
        try StoreFiles.withScratchFolder(in: directory) { folder in
            try StoreFiles.copy(Self.file(in: baseFolder), to: Self.file(in: folder))
            let store = try GRDBStore(file: Self.file(in: folder), cache: .forWriting)
            defer { try? store.queue.close() }
            return try body(store)
        }
    }
}

// MARK: - Reading

extension GRDBEngine {
    private func pkRead() throws -> Sample {
        var sum = 0
        let value = try nanoseconds(per: dataset.lookupIdentifiers.count) {
            try base.queue.read { database in
                let statement = try database.cachedStatement(
                    sql: "SELECT \(GRDBPerson.columns) FROM person WHERE id = ?")
                for identifier in dataset.lookupIdentifiers {
                    sum += try GRDBPerson.fetchOne(statement, arguments: [identifier])!.age
                }
            }
        }
        return Sample(value: value, answer: sum)
    }

    private func iterate3() throws -> Sample {
        var sum = 0
        let value = try nanoseconds(per: dataset.rows.count) {
            try base.queue.read { database in
                let people = try GRDBPerson.fetchCursor(
                    database, sql: "SELECT \(GRDBPerson.columns) FROM person")
                while let person = try people.next() {
                    sum += person.age + Int(person.score) + (person.active ? 1 : 0)
                }
            }
        }
        return Sample(value: value, answer: sum)
    }

    /// A query that gives one integer.
    func countInBase(_ sql: String) throws -> Int { try base.integer(sql) }

    private func query(_ sql: String, per operations: Int) throws -> Sample {
        var answer = 0
        let value = try nanoseconds(per: operations) { answer = try base.integer(sql) }
        return Sample(value: value, answer: answer)
    }

    private func indexedEqual() throws -> Sample {
        var sum = 0
        let value = try nanoseconds(per: dataset.lookupNames.count) {
            try base.queue.read { database in
                let statement = try database.cachedStatement(
                    sql: "SELECT COUNT(*) FROM person WHERE name = ?")
                for name in dataset.lookupNames {
                    sum += try Int.fetchOne(statement, arguments: [name])!
                }
            }
        }
        return Sample(value: value, answer: sum)
    }

    private func sortDouble() throws -> Sample {
        var lowest = 0.0
        let value = try nanoseconds(per: dataset.rows.count) {
            lowest = try base.queue.read { database in
                let sorted = try Int.fetchCursor(
                    database, sql: "SELECT id FROM person ORDER BY score")
                let first = try sorted.next()!
                let sql = "SELECT \(GRDBPerson.columns) FROM person WHERE id = ?"
                return try GRDBPerson.fetchOne(database, sql: sql, arguments: [first])!.score
            }
        }
        return Sample(value: value, answer: Int(bitPattern: UInt(lowest.bitPattern)))
    }

    private func sumDouble() throws -> Sample {
        var sum = 0.0
        let value = try nanoseconds(per: dataset.rows.count) {
            sum = try base.queue.read {
                try Double.fetchOne($0, sql: "SELECT SUM(score) FROM person")!
            }
        }
        return Sample(value: value, answer: Int(bitPattern: UInt(sum.bitPattern)))
    }
}

// MARK: - Writing

extension GRDBEngine {
    private func bulkInsert() throws -> Sample {
        try StoreFiles.withScratchFolder(in: directory) { folder in
            let store = try GRDBStore(file: Self.file(in: folder), cache: .forWriting)
            defer { try? store.queue.close() }
            let value = try nanoseconds(per: dataset.rows.count) { try store.insert(dataset.rows) }
            return Sample(value: value, answer: try store.integer("SELECT COUNT(*) FROM person"))
        }
    }

    private func updateAll() throws -> Sample {
        try withCopy { store in
            let value = try nanoseconds(per: dataset.rows.count) {
                try store.queue.write { try $0.execute(sql: "UPDATE person SET age = age + 1") }
            }
            return Sample(value: value, answer: try store.integer("SELECT SUM(age) FROM person"))
        }
    }

    private func durableCommit() throws -> Sample {
        try withCopy { store in
            let value = try nanoseconds(per: dataset.commitIdentifiers.count) {
                for identifier in dataset.commitIdentifiers {
                    try store.queue.write { database in
                        let statement = try database.cachedStatement(
                            sql: "UPDATE person SET age = age + 1 WHERE id = ?")
                        try statement.execute(arguments: [identifier])
                    }
                }
            }
            let sum = try store.queue.read { database in
                try dataset.commitIdentifiers.reduce(0) { sum, identifier in
                    try sum + Int.fetchOne(
                        database, sql: "SELECT age FROM person WHERE id = ?",
                        arguments: [identifier])!
                }
            }
            return Sample(value: value, answer: sum)
        }
    }

    private func deleteHalf() throws -> Sample {
        try withCopy { store in
            let deleted = try store.integer("SELECT COUNT(*) FROM person WHERE age < 50")
            let value = try nanoseconds(per: deleted) {
                try store.queue.write { try $0.execute(sql: "DELETE FROM person WHERE age < 50") }
            }
            return Sample(value: value, answer: try store.integer("SELECT COUNT(*) FROM person"))
        }
    }
}
