import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// A file with history is kept for ever, and read by each build. `Tests/Golden` has a directory for
/// each format.
///
/// For a new format, set `format`, run `FREEHOLD_WRITE_GOLDEN=1 swift test --filter
/// GoldenHistoryTests`, and commit the directory. Those of releases stay.
@Suite(.disabled(if: EncryptedSuite.isOn, "The file that is kept is not encrypted."))
struct GoldenHistoryTests {
    private static let format = "history-draft-2"
    /// Those that are read. The first one has no tail.
    private static let formats = ["history-draft-1", format]
    private static let isWriting =
        ProcessInfo.processInfo.environment["FREEHOLD_WRITE_GOLDEN"] != nil

    private static func kept(_ format: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Golden/\(format)/history.realm.gz")
    }

    private static func configuration(_ url: URL) -> Realm.Configuration {
        var configuration = Realm.Configuration(
            fileURL: url, objectTypes: [Order.self, Customer.self, Line.self, Memo.self])
        configuration.history = .kept(for: .forever, values: true)
        return configuration
    }

    private static func fill(_ realm: Realm) throws {
        try realm.write(author: "import") {
            let customer = realm.create(Customer.self, value: ["name": "Zoë 🐟", "city": "Ulm"])
            let order = realm.create(
                Order.self, value: ["id": 7, "number": "A-7", "total": 12.5, "tags": ["new"]])
            order.customer = customer
            order.lines.append(Line(value: ["text": "Kettle", "count": 2]))
        }
        // Long enough for a row of its own, and in a blob.
        try realm.write {
            _ = realm.create(
                Memo.self, value: ["text": String(repeating: "long ", count: 2_000)])
        }
        try realm.write(author: "shop") {
            let order = realm.object(ofType: Order.self, forPrimaryKey: 7)
            order?.total = 15
            order?.tags.insert("paid")
        }
        try realm.write {
            if let order = realm.object(ofType: Order.self, forPrimaryKey: 7) {
                realm.delete(order)
            }
        }
    }

    @Test(.enabled(if: isWriting)) func write() throws {
        try withTemporaryDirectory { directory in
            let copy = directory.file("copy.realm")
            try onNewThread {
                let realm = try Realm(
                    configuration: Self.configuration(directory.file("a.realm")))
                try Self.fill(realm)
                try realm.writeCopy(configuration: Realm.Configuration(fileURL: copy))
            }
            let kept = Self.kept(Self.format)
            try FileManager.default.createDirectory(
                at: kept.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Gzip.compress(copy, to: kept)
        }
    }

    @Test(.disabled(if: isWriting), arguments: formats) func isRead(format: String) throws {
        try withTemporaryDirectory { directory in
            let url = directory.file("a.realm")
            try Gzip.decompress(Self.kept(format), to: url)
            try onNewThread {
                let realm = try Realm(configuration: Self.configuration(url))
                let history = Array(try realm.history(after: nil))
                #expect(history.map(\.author) == ["import", nil, "shop", nil])
                #expect(history.map { Array($0.changes).count } == [3, 1, 1, 2])
                let added = Array(history[0].changes)
                let order = try #require(added.first { $0.className == "Order" })
                #expect(order.isInsertion && order.primaryKey == .int(7))
                #expect(order.newValues["number"] == .string("A-7"))
                #expect(order.newValues["total"] == .double(12.5))
                #expect(order.newValues["tags"] == .set([.string("new")]))
                let customer = try #require(added.first { $0.className == "Customer" })
                #expect(customer.primaryKey == .string("Zoë 🐟"))
                let line = try #require(added.first { $0.className == "Line" })
                #expect(line.owner?.primaryKey == .int(7))
                #expect(
                    Array(history[1].changes)[0].newValues["text"]
                        == .string(String(repeating: "long ", count: 2_000)))
                let changed = try #require(Array(history[2].changes).first)
                #expect(changed.oldValues["total"] == .double(12.5))
                #expect(changed.newValues["total"] == .double(15))
                let deleted = try #require(
                    Array(history[3].changes).first { $0.className == "Order" })
                #expect(deleted.isDeletion && deleted.oldValues["number"] == .string("A-7"))
                // It goes on from there, and its tokens still count.
                let token = history[2].token
                try realm.write(author: "later") {
                    _ = realm.create(Memo.self, value: ["text": "short"])
                }
                #expect(try realm.history(after: token).map(\.author) == [nil, "later"])
                #expect(try realm.check().isEmpty)
            }
        }
    }
}
