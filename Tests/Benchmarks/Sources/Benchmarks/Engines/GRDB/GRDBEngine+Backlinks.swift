import Foundation
import GRDB

/// Links the other way in SQLite: an indexed foreign key, set to null when the row is deleted
/// that it refers to.
extension GRDBEngine {
    private func madeLabels() throws -> DatabaseQueue {
        if let labelled { return labelled }
        let queue = try GRDBStore(
            file: directory.appendingPathComponent("labels.sqlite"), cache: .forWriting
        ).queue
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE label (id INTEGER PRIMARY KEY);
                    CREATE TABLE labelled (id INTEGER PRIMARY KEY, label INTEGER REFERENCES label \
                    ON DELETE SET NULL);
                    CREATE INDEX labelledByLabel ON labelled (label);
                    """)
            for label in 0..<FreeholdEngine.labels {
                try database.execute(sql: "INSERT INTO label (id) VALUES (?)", arguments: [label])
            }
            let statement = try database.makeStatement(
                sql: "INSERT INTO labelled (id, label) VALUES (?, ?)")
            for id in dataset.rows.indices {
                statement.setUncheckedArguments([id, id % FreeholdEngine.labels])
                try statement.execute()
            }
        }
        try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        labelled = queue
        return queue
    }

    func backlinkCount() throws -> Sample {
        let queue = try madeLabels()
        let counts = 20
        var sum = 0
        let value = try nanoseconds(per: counts) {
            try queue.read { database in
                let statement = try database.cachedStatement(
                    sql: "SELECT COUNT(*) FROM labelled WHERE label = ?")
                for index in 0..<counts {
                    sum += try Int.fetchOne(statement, arguments: [index % FreeholdEngine.labels])!
                }
            }
        }
        return Sample(value: value, answer: sum / counts)
    }

    func backlinkDelete() throws -> Sample {
        try StoreFiles.withScratchFolder(in: directory) { folder in
            _ = try madeLabels()
            let file = folder.appendingPathComponent("labels.sqlite")
            try FileManager.default.copyItem(
                at: directory.appendingPathComponent("labels.sqlite"), to: file)
            try StoreFiles.sync(file)
            let queue = try GRDBStore(file: file, cache: .forWriting).queue
            defer { try? queue.close() }
            let value = try nanoseconds(per: 1) {
                try queue.write { try $0.execute(sql: "DELETE FROM label WHERE id = 1") }
            }
            return Sample(
                value: value,
                answer: try queue.read {
                    try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM labelled WHERE label IS NULL")
                        ?? 0
                })
        }
    }
}
