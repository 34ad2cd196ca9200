import Foundation
import GRDB

/// The works about queries in SQLite: a child table for lists, joins for links, FTS5 for texts.
extension GRDBEngine {
    private func madeLibrary() throws -> DatabaseQueue {
        if let library { return library }
        let data = QueryDataset(rowCount: dataset.rows.count)
        let queue = try GRDBStore(
            file: directory.appendingPathComponent("library.sqlite"), cache: .forWriting
        ).queue
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE publisher (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
                    CREATE TABLE series (id INTEGER PRIMARY KEY, publisher INTEGER);
                    CREATE TABLE volume (id INTEGER PRIMARY KEY, rank INTEGER NOT NULL, \
                    level DOUBLE NOT NULL, series INTEGER);
                    CREATE INDEX volume_rank ON volume (rank);
                    CREATE TABLE box (id INTEGER PRIMARY KEY);
                    CREATE TABLE number (box INTEGER NOT NULL, position INTEGER NOT NULL, \
                    value INTEGER NOT NULL, PRIMARY KEY (box, position)) WITHOUT ROWID;
                    CREATE VIRTUAL TABLE article USING fts5(text);
                    """)
            func insert(_ sql: String, _ rows: some Sequence<[any DatabaseValueConvertible]>) throws
            {
                let statement = try database.makeStatement(sql: sql)
                for row in rows {
                    statement.setUncheckedArguments(StatementArguments(row))
                    try statement.execute()
                }
            }
            try insert(
                "INSERT INTO publisher VALUES (?, ?)",
                (0..<QueryDataset.publisherCount).lazy.map { [$0, "Publisher \($0)"] })
            try insert(
                "INSERT INTO series VALUES (?, ?)",
                (0..<QueryDataset.seriesCount).lazy.map { [$0, $0 % QueryDataset.publisherCount] })
            try insert(
                "INSERT INTO volume VALUES (?, ?, ?, ?)",
                data.volumes.enumerated().lazy.map {
                    [$0.offset, $0.element.rank, $0.element.level, $0.element.series]
                })
            try insert("INSERT INTO box VALUES (?)", data.boxes.indices.lazy.map { [$0] })
            try insert(
                "INSERT INTO number VALUES (?, ?, ?)",
                data.boxes.enumerated().lazy.flatMap { box in
                    box.element.enumerated().map { [box.offset, $0.offset, $0.element] }
                })
            try insert("INSERT INTO article (text) VALUES (?)", data.articles.lazy.map { [$0] })
        }
        library = queue
        return queue
    }

    private func measure(_ sql: String, per count: Int, _ arguments: [StatementArguments] = [[]])
        throws -> Sample
    {
        let queue = try madeLibrary()
        var sum = 0
        let value = try nanoseconds(per: count) {
            try queue.read { database in
                let statement = try database.cachedStatement(sql: sql)
                for arguments in arguments {
                    let numbers = try Int.fetchCursor(statement, arguments: arguments)
                    while let number = try numbers.next() { sum += number }
                }
            }
        }
        return Sample(value: value, answer: sum)
    }

    func rangeCount() throws -> Sample {
        let length = min(QueryDataset.rangeCount, dataset.rows.count / 2)
        return try measure(
            "SELECT COUNT(*) FROM volume WHERE rank >= ? AND rank < ?", per: 200,
            (0..<200).map { [$0, $0 + length] })
    }

    func anyList() throws -> Sample {
        let count = min(dataset.rows.count, QueryDataset.boxCount)
        return try measure(
            """
            SELECT COUNT(*) FROM box WHERE EXISTS (SELECT 1 FROM number WHERE box = box.id \
            AND value = 7)
            """,
            per: count)
    }

    func linkPath() throws -> Sample {
        try measure(
            """
            SELECT COUNT(*) FROM volume JOIN series ON series.id = volume.series JOIN publisher ON \
            publisher.id = series.publisher WHERE publisher.name = 'Publisher 7'
            """, per: dataset.rows.count)
    }

    func foldedContains() throws -> Sample {
        var answer = 0
        let value = try nanoseconds(per: dataset.rows.count) {
            answer = try countInBase("SELECT COUNT(*) FROM person WHERE bio LIKE '%MEMBER 99%'")
        }
        return Sample(value: value, answer: answer)
    }

    func distinctDouble() throws -> Sample {
        try measure("SELECT COUNT(DISTINCT level) FROM volume", per: dataset.rows.count)
    }

    func sortLimit() throws -> Sample {
        try measure(
            "SELECT id FROM volume ORDER BY rank LIMIT 10", per: 200,
            Array(repeating: [], count: 200))
    }

    func fullText() throws -> Sample {
        let words = QueryDataset(rowCount: 10).words
        let search: StatementArguments = ["\(words.0) \(words.1)"]
        return try measure(
            "SELECT COUNT(*) FROM article WHERE article MATCH ?", per: 20,
            Array(repeating: search, count: 20))
    }
}
