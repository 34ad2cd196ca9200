import Foundation
import FreeholdTestSupport
import Testing

@testable import Freehold
import FreeholdRealmTestSupport

/// Versions of one model, with each index that its text may have.
private enum Articles {
    final class Plain: Object {
        override class func className() -> String { "FullText_Article" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        @Persisted(primaryKey: true) var id = 0
        @Persisted var text = ""
        @Persisted var note: String?
        @Persisted var lines: List<String>
    }

    final class Ordered: Object {
        override class func className() -> String { "FullText_Article" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        @Persisted(primaryKey: true) var id = 0
        @Persisted(indexed: true) var text = ""
        @Persisted(indexed: true) var note: String?
        @Persisted var lines: List<String>
    }

    final class Indexed: Object {
        override class func className() -> String { "FullText_Article" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        @Persisted(primaryKey: true) var id = 0
        @Persisted(indexed: .fullText) var text = ""
        @Persisted(indexed: .fullText) var note: String?
        @Persisted var lines: List<String>
    }
}

@Suite struct FullTextTests {
    private typealias Article = Articles.Indexed

    private static let texts = [
        "Swift databases keep live objects.", "A swift fox, and Oracle's database",
        "The DATABASE of Café owners: pre-war prefixes", "", "objects live",
        "Live, objects!", "東京タワー 🎉", "naïve cafe\u{301} can’t",
    ]

    private func create(_ realm: Realm) throws {
        try realm.write {
            for (id, text) in Self.texts.enumerated() {
                realm.create(
                    Article.self,
                    value: [
                        "id": id, "text": text, "note": id % 2 == 0 ? text : nil,
                        "lines": [text, "x"],
                    ] as [String: Any?])
            }
        }
    }

    private static let searches: [(search: String, found: [Int])] = [
        ("swift", [0, 1]), ("swift database", [1]), ("swift databas*", [0, 1]),
        ("database OR live", [0, 1, 2, 4, 5]), ("live -swift", [4, 5]),
        ("-swift", [2, 3, 4, 5, 6, 7]),
        ("\"live objects\"", [0, 5]), ("\"objects live\"", [4]), ("cafe", [2, 7]),
        ("CAFÉ", [2, 7]), ("pre*", [2]), ("\"pre war\"", [2]), ("pre-war", [2]),
        ("東京", [6]), ("京東", []), ("can't", [7]), ("", []), ("🎉", []),
        ("(swift OR cafe) -database", [0, 7]), ("oracle", []), ("oracle's", [1]),
        ("\"swift dat*\"", [0]),
    ]

    @Test func searches() throws {
        try withTemporaryRealm([Article.self]) { realm in
            try create(realm)
            let articles = realm.objects(Article.self)
            let unmanaged = List<Article>()
            unmanaged.append(
                objectsIn: Self.texts.enumerated().map {
                    Article(value: ["id": $0.offset, "text": $0.element] as [String: Any])
                })
            for (search, found) in Self.searches {
                #expect(articles.where { $0.text.fullText(search) }.map(\.id) == found, "\(search)")
                #expect(
                    articles.where { !$0.text.fullText(search) }.map(\.id)
                        == Self.texts.indices.filter { !found.contains($0) }, "\(search)")
                #expect(
                    articles.where { $0.note.fullText(search) }.map(\.id)
                        == found.filter { $0 % 2 == 0 }, "\(search)")
                #expect(
                    articles.where { $0.lines.count == 2 && $0.text.fullText(search) && $0.id > 1 }
                        .map(\.id) == found.filter { $0 > 1 }, "\(search)")
                #expect(
                    articles.freeze().where { $0.text.fullText(search) }.count == found.count,
                    "\(search)")
                #expect(
                    unmanaged.index(matching: { $0.text.fullText(search) }) == found.first,
                    "\(search)")
                let node = PredicateNode.comparison(
                    PredicateComparison(
                        quantifier: .any, left: .keyPath([.property("lines")]),
                        operation: .fullText, right: .constant(.string(search)), options: []))
                let predicate = try PredicateLowering(
                    binding: realm.core.binding(for: Article.self)
                ).condition(node)
                // One of the lines is "x", which has none of the words.
                let others = search.hasPrefix("-") ? Array(Self.texts.indices) : found
                #expect(
                    Results<Article>(
                        core: realm.core, state: articles.state.filtered(by: predicate)
                    ).map(\.id) == others, "\(search)")
            }
        }
    }

    @Test func insideOfTransactions() throws {
        try withTemporaryRealm([Article.self]) { realm in
            try create(realm)
            let articles = realm.objects(Article.self)
            func found(_ search: String) -> [Int] {
                articles.where { $0.text.fullText(search) }.map(\.id).sorted()
            }
            realm.beginWrite()
            articles[0].text = "nothing"
            #expect(
                found("swift") == [1] && found("nothing") == [0] && found("database") == [1, 2])
            realm.create(Article.self, value: ["id": 100, "text": "Swift again"] as [String: Any])
            realm.delete(articles.where { $0.id == 1 })
            #expect(
                found("swift") == [100] && found("\"swift again\"") == [100]
                    && found("agai*") == [100])
            realm.cancelWrite()
            #expect(found("swift") == [0, 1])
            let live = articles.where { $0.text.fullText("swift") }
            let before = live.freeze()
            try realm.write { articles[3].text = "swift" }
            #expect(live.map(\.id) == [0, 1, 3] && before.map(\.id) == [0, 1])
        }
    }

    /// Indexes come, go and change their kind when a realm is opened, without a migration.
    @Test func indexesAreTakenOver() throws {
        try withTemporaryDirectory { directory in
            func open<Model: Object>(_ type: Model.Type, _ body: (Realm) throws -> Void) throws {
                let realm = try Realm(
                    configuration: Realm.Configuration(
                        fileURL: directory.file(), objectTypes: [type]))
                try body(realm)
                #expect(try realm.check() == [])
            }
            try open(Articles.Plain.self) { realm in
                try realm.write {
                    for (id, text) in Self.texts.enumerated() {
                        realm.create(
                            Articles.Plain.self,
                            value: ["id": id, "text": text, "note": text] as [String: Any])
                    }
                }
                #expect(
                    realm.objects(Articles.Plain.self).where { $0.text.fullText("swift") }.map(\.id)
                        == [0, 1])
            }
            for _ in 0..<2 {
                try open(Articles.Indexed.self) { realm in
                    let articles = realm.objects(Articles.Indexed.self)
                    #expect(articles.where { $0.text.fullText("swift") }.map(\.id) == [0, 1])
                    #expect(articles.where { $0.note.fullText("swift") }.map(\.id) == [0, 1])
                    // An index of words is none of values.
                    #expect(articles.where { $0.text == "objects live" }.map(\.id) == [4])
                    #expect(articles.where { $0.text.starts(with: "Live") }.map(\.id) == [5])
                    #expect(articles.sorted(by: \.text).first?.text == "")
                }
                try open(Articles.Ordered.self) { realm in
                    let articles = realm.objects(Articles.Ordered.self)
                    #expect(articles.where { $0.text.fullText("swift") }.map(\.id) == [0, 1])
                    #expect(articles.where { $0.text == "objects live" }.map(\.id) == [4])
                }
                try open(Articles.Plain.self) { realm in
                    #expect(
                        realm.objects(Articles.Plain.self).where { $0.text.fullText("cafe") }.map(
                            \.id) == [2, 7])
                }
            }
        }
    }

    @Test func theTextOfQueries() {
        let query = Query<Article>._constructForTesting().text.fullText("a -b")
        let (text, arguments) = query._constructPredicate()
        #expect(text == "(text TEXT %@)" && arguments as? [String] == ["a -b"])
    }
}
