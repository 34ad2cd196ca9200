import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Nil in orders: it is at least and at most nil, and texts and data are above it. As in Realm.
@Suite struct NilOrderTests {
    final class Row: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted(indexed: true) var nick: String?
        @Persisted var data: Data?
        @Persisted(indexed: true) var age: Int?
        @Persisted var limit: Int?
        @Persisted var date: Date?
        @Persisted var any: AnyRealmValue
        @Persisted var ages: Map<String, Int?>
        @Persisted var nicks: Map<String, String?>
        @Persisted var owner: Row?

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    /// 0: everything is nil; 1: everything has a value, but for the link; 2: values, and a link
    ///    to 0; 3: values, and a link to 1.
    private func withRows(_ body: (Results<Row>, List<Row>) throws -> Void) throws {
        func rows() -> [Row] {
            let rows = (0..<4).map { Row(value: ["id": $0]) }
            for row in rows.dropFirst() {
                row.nick = "n\(row.id)"
                row.data = Data([1])
                row.age = row.id
                row.limit = 2
                row.date = Date(timeIntervalSinceReferenceDate: 0)
                row.any = .string("a")
                row.ages["k"] = .some(1)
                row.nicks["k"] = .some("a")
            }
            rows[2].owner = rows[0]
            rows[3].owner = rows[1]
            return rows
        }
        let unmanaged = List<Row>()
        unmanaged.append(objectsIn: rows())
        try withTemporaryRealm([Row.self]) { realm throws in
            try realm.write { realm.add(rows()) }
            try body(realm.objects(Row.self), unmanaged)
        }
    }

    @Test(
        arguments: [
            ("nick > %@", [1, 2, 3]), ("nick >= %@", [0, 1, 2, 3]), ("nick < %@", []),
            ("nick <= %@", [0]), ("%@ < nick", [1, 2, 3]), ("NOT nick > %@", [0]),
            ("data > %@", [1, 2, 3]), ("data <= %@", [0]), ("owner.nick > %@", [3]),
            ("owner.nick <= %@", [0, 1, 2]),
            ("age > %@", []), ("age >= %@", [0]), ("age <= %@", [0]), ("age < %@", []),
            ("%@ >= age", [0]), ("date >= %@", [0]), ("owner.age <= %@", [0, 1, 2]),
            ("#any > %@", []), ("#any >= %@", [0]), ("ages['k'] <= %@", [0]),
            ("ages['k'] > %@", []), ("nicks['k'] > %@", [1, 2, 3]),
            ("nicks['k'] >= %@", [0, 1, 2, 3]),
            ("ANY nicks > %@", [1, 2, 3]), ("ANY ages >= %@", []), ("age BETWEEN {%@, 5}", []),
            ("age BETWEEN {%@, nil}", []),
        ] as [(String, [Int])])
    func nilItself(_ format: String, _ ids: [Int]) throws {
        try withRows { rows, unmanaged throws in
            #expect(rows.filter(format, nil).map(\.id) == ids)
            #expect(rows.filter(format, NSNull()).map(\.id) == ids)
            #expect(unmanaged.index(matching: format, nil) == ids.first)
        }
    }

    @Test func typed() throws {
        try withRows { rows, unmanaged throws in
            func ids(_ isIncluded: (Query<Row>) -> Query<Bool>) -> [Int] {
                let found = rows.where(isIncluded).map(\.id)
                #expect(unmanaged.index(matching: isIncluded) == found.first)
                return Array(found)
            }
            for _ in 0..<2 {
                #expect(
                    ids { $0.nick > nil } == [1, 2, 3] && ids { $0.nick >= nil } == [0, 1, 2, 3]
                        && ids { $0.nick <= nil } == [0] && ids { $0.nick < nil } == [])
                #expect(
                    ids { $0.age > nil } == [] && ids { $0.age >= nil } == [0]
                        && ids { $0.age <= nil } == [0] && ids { $0.age < nil } == [])
                #expect(
                    ids { $0.data > nil } == [1, 2, 3] && ids { $0.age > 1 } == [2, 3]
                        && ids { $0.nick > "n1" } == [2, 3])
                #expect(ids { $0.any >= AnyRealmValue.none } == [0])
            }
        }
    }

    /// Two properties that are both nil, or behind nil links.
    @Test func properties() throws {
        try withRows { rows, unmanaged throws in
            func ids(_ isIncluded: (Query<Row>) -> Query<Bool>) -> [Int] {
                let found = rows.where(isIncluded).map(\.id)
                #expect(unmanaged.index(matching: isIncluded) == found.first)
                return Array(found)
            }
            #expect(
                ids { $0.owner.age >= $0.owner.age } == [0, 1, 2, 3]
                    && ids { $0.owner.age > $0.owner.age } == [])
            #expect(
                ids { $0.age >= $0.limit } == [0, 2, 3] && ids { $0.age <= $0.limit } == [0, 1, 2]
                    && ids { $0.age < $0.limit } == [1])
            #expect(
                ids { $0.owner.age <= $0.age } == [0, 3]
                    && ids { $0.nick >= $0.owner.nick } == [0, 3]
                    && ids { $0.nick > $0.owner.nick } == [3])
            #expect(rows.filter("#any <= owner.any").map(\.id) == [0, 3])
            #expect(rows.filter("owner.nick >= owner.nick").count == 4)
        }
    }
}
