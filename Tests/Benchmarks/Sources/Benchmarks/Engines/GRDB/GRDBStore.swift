import Foundation
import GRDB

/// SQLite did not take a setting the comparison relies on.
struct SQLiteSettingFailure: Error, CustomStringConvertible {
    let description: String
}

/// One SQLite file with the table and its index, in WAL mode with `synchronous=FULL`, so that a
/// commit that has returned survives a power loss as it does with the other engines: each
/// commit syncs the log. SQLite's automatic checkpoint (every 1,000 pages of log) is left on
/// and happens inside the commit that reaches it. The page cache is given to suit the work; all
/// other settings are GRDB's defaults.
struct GRDBStore {
    /// What the page cache is for.
    enum PageCache: String {
        /// SQLite's default of 2 MB: in a million rows, sorting is slower with more, and the
        /// rest does not care.
        case forReading = "-2000"
        /// 16 MB: with the default, filling an index in random order takes half as long again;
        /// still more gains nothing.
        case forWriting = "-16000"
    }

    let queue: DatabaseQueue

    init(file: URL, cache: PageCache) throws {
        var configuration = GRDB.Configuration()
        configuration.journalMode = .wal
        queue = try DatabaseQueue(path: file.path, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            // Here and not in the configuration's `prepareDatabase`: GRDB chooses NORMAL when
            // it turns WAL mode on, which is later.
            try database.execute(
                sql: "PRAGMA synchronous = FULL; PRAGMA cache_size = \(cache.rawValue)")
            let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode")
            let synchronous = try Int.fetchOne(database, sql: "PRAGMA synchronous")
            guard mode == "wal", synchronous == 2 else {
                throw SQLiteSettingFailure(
                    description: "SQLite is not in WAL mode with synchronous=FULL.")
            }
            try database.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS person (
                        id INTEGER PRIMARY KEY,
                        name TEXT NOT NULL,
                        age INTEGER NOT NULL,
                        score DOUBLE NOT NULL,
                        active BOOLEAN NOT NULL,
                        bio TEXT NOT NULL,
                        joined DATETIME NOT NULL
                    );
                    CREATE INDEX IF NOT EXISTS person_name ON person (name);
                    """)
        }
    }

    /// Inserts all rows in one transaction with one prepared statement. The index exists
    /// before, as in every other engine.
    func insert(_ rows: [PersonRow]) throws {
        try queue.write { database in
            let sql = "INSERT INTO person (\(GRDBPerson.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)"
            let statement = try database.makeStatement(sql: sql)
            for row in rows {
                statement.setUncheckedArguments(GRDBPerson.arguments(row))
                try statement.execute()
            }
        }
    }

    /// Moves the whole log into the database file and empties the log, so that the file alone
    /// is the store.
    func checkpoint() throws {
        try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    }

    /// One value that is an integer.
    func integer(_ sql: String) throws -> Int {
        try queue.read { try Int.fetchOne($0, sql: sql) ?? 0 }
    }
}
