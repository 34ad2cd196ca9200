public import Foundation
public import Freehold

/// What writers write while they are killed, cut off or failed, and what must be there afterwards.
///
/// Each writer counts its transactions. Transaction `number` of a writer makes some parts,
/// whose contents follow from the two numbers, and deletes those of an older transaction, so
/// that pages are freed and used again. What a file must hold follows from the last number of
/// each writer; so a commit that was lost, or came in part, shows.
public enum Workload {
    /// A transaction makes `partsOfATransaction` of these.
    public final class Part: Object {
        @Persisted(primaryKey: true) public var name = ""
        @Persisted(indexed: true) public var writer = 0
        @Persisted public var number = 0
        @Persisted public var text = ""
        @Persisted public var previous: Part?
        @Persisted(originProperty: "previous") public var next: LinkingObjects<Part>
    }

    /// The number of the last transaction of a writer, and its parts that are kept.
    public final class Last: Object {
        @Persisted(primaryKey: true) public var writer = 0
        @Persisted public var number = 0
        @Persisted public var parts: List<Part>
    }

    public static let objectTypes: [ObjectBase.Type] = [Part.self, Last.self]
    public static let partsOfATransaction = 3
    /// How many transactions' parts of a writer are kept.
    public static let keptTransactions = 10

    public static func configuration(_ path: String, encryptionKey: Data? = nil)
        -> Realm.Configuration
    {
        Realm.Configuration(
            fileURL: URL(fileURLWithPath: path), encryptionKey: encryptionKey,
            objectTypes: objectTypes)
    }

    /// In a write: the writer's next transaction. Returns its number.
    @discardableResult
    public static func change(_ realm: Realm, _ writer: Int) -> Int {
        let last =
            realm.object(ofType: Last.self, forPrimaryKey: writer)
            ?? realm.create(Last.self, value: ["writer": writer])
        last.number += 1
        var previous = last.parts.last
        for part in 0..<partsOfATransaction {
            let made = realm.create(
                Part.self,
                value: [
                    "name": name(writer, last.number, part), "writer": writer,
                    "number": last.number, "text": text(writer, last.number, part),
                ])
            made.previous = previous
            last.parts.append(made)
            previous = made
        }
        if last.number > keptTransactions {
            realm.delete(Array(last.parts.prefix(partsOfATransaction)))
        }
        return last.number
    }

    /// What is wrong with a realm of writers whose transactions up to these numbers were
    /// acknowledged. More than those may be there, but whole.
    public static func problems(_ realm: Realm, acknowledged: [Int: Int]) throws -> [String] {
        var problems = try realm.check()
        let writers = Set(acknowledged.keys).union(realm.objects(Last.self).map(\.writer))
        for writer in writers.sorted() {
            let last = realm.object(ofType: Last.self, forPrimaryKey: writer)?.number ?? 0
            if last < acknowledged[writer] ?? 0 {
                problems.append(
                    """
                    Writer \(writer) lost what was acknowledged after transaction \(last), \
                    up to \(acknowledged[writer] ?? 0).
                    """
                )
            }
            let expected = (max(1, last - keptTransactions + 1)..<last + 1).flatMap { number in
                (0..<partsOfATransaction).map { (number, $0) }
            }
            let parts = realm.objects(Part.self).where { $0.writer == writer }.sorted(by: \.number)
            if parts.count != expected.count {
                problems.append(
                    """
                    Writer \(writer) has \(parts.count) parts, not \(expected.count), \
                    after transaction \(last).
                    """
                )
            }
            var previous: Part?
            for (number, part) in expected {
                guard
                    let found = realm.object(
                        ofType: Part.self, forPrimaryKey: name(writer, number, part))
                else {
                    problems.append(
                        "Part \(part) of transaction \(number) of writer \(writer) is missing.")
                    continue
                }
                if found.number != number || found.text != text(writer, number, part)
                    || found.previous != previous
                {
                    problems.append(
                        "Part \(part) of transaction \(number) of writer \(writer) is wrong.")
                }
                if found.next.count > 1 {
                    problems.append(
                        """
                        Part \(part) of transaction \(number) of writer \(writer) has \
                        \(found.next.count) successors.
                        """
                    )
                }
                previous = found
            }
            if let list = realm.object(ofType: Last.self, forPrimaryKey: writer)?.parts.map(\.name),
                Array(list) != expected.map({ name(writer, $0.0, $0.1) })
            {
                problems.append("Writer \(writer)'s list of parts is wrong.")
            }
        }
        return problems
    }

    static func name(_ writer: Int, _ number: Int, _ part: Int) -> String {
        "\(writer).\(number).\(part)"
    }

    /// Of any length: within a cluster, and in pages of its own.
    static func text(_ writer: Int, _ number: Int, _ part: Int) -> String {
        String(
            repeating: "\(number) ",
            count: (number * 7 + writer * 3 + part * 31) % 300
                * ((number + part) % 17 == 0 ? 20 : 1))
    }
}
