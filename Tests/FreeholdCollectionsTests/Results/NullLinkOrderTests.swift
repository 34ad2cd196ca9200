import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Objects whose key path ends at a nil link: behind all others when sorted, left out by
/// `distinct`.
@Suite struct NullLinkOrderTests {
    final class Knot: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted(indexed: true) var number: Int?
        @Persisted var name: String?
        @Persisted var double: Double?
        @Persisted var decimal: Decimal128?
        @Persisted var uuid: UUID?
        @Persisted var any: AnyRealmValue
        @Persisted var flag = false
        @Persisted var link: Knot?

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    /// What a path leads to.
    private enum End {
        case cut, null
        case value(AnyRealmValue)

        var rank: Int {
            switch self {
            case .null: 0
            case .value: 1
            case .cut: 2
            }
        }

        static func order(_ a: End, _ b: End) -> Int {
            if case .value(let x) = a, case .value(let y) = b { return x == y ? 0 : x < y ? -1 : 1 }
            return a.rank - b.rank
        }
    }

    private static func end(_ knot: Knot, _ path: String) -> End {
        var current: Knot? = knot
        let names = path.split(separator: ".")
        for _ in names.dropLast() { current = current?.link }
        guard let current else { return .cut }
        func value<Value>(_ value: Value?, _ make: (Value) -> AnyRealmValue) -> End {
            value.map { .value(make($0)) } ?? .null
        }
        switch names.last {
        case "number": return value(current.number) { .int($0) }
        case "name": return value(current.name) { .string($0) }
        case "double": return value(current.double) { .double($0) }
        case "decimal": return value(current.decimal) { .decimal128($0) }
        case "uuid": return value(current.uuid) { .string($0.uuidString) }
        case "flag": return .value(.int(current.flag ? 1 : 0))
        default: return current.any == .none ? .null : .value(current.any)
        }
    }

    private static let names = ["number", "name", "double", "decimal", "uuid", "any", "flag"]
    private static let paths = names.flatMap { [$0, "link.\($0)", "link.link.\($0)"] }

    private func withKnots(
        _ count: Int, using random: inout SeededGenerator,
        _ body: (Realm, Results<Knot>, inout SeededGenerator) throws -> Void
    ) throws {
        var generator = random
        let knots = (0..<count).map { Knot(value: ["id": $0]) }
        for knot in knots {
            knot.number = generator.once(in: 3) ? nil : generator.int(-2...2)
            knot.name = generator.pick([nil, "", "a", "b", String(repeating: "long", count: 30)])
            knot.double = generator.pick([nil, -1.5, 0, 2])
            knot.decimal =
                generator.once(in: 3)
                ? nil : Decimal128(integerLiteral: Int64(generator.int(-2...2)))
            knot.uuid = generator.pick([
                nil, UUID(uuidString: "00000000-0000-0000-0000-000000000001"),
                UUID(uuidString: "F0000000-0000-0000-0000-000000000001"),
            ])
            knot.any = generator.pick([.none, .int(1), .string("a"), .double(0.5)])
            knot.flag = generator.once(in: 2)
            knot.link = generator.once(in: 3) ? nil : generator.pick(knots)
        }
        try withTemporaryRealm([Knot.self]) { realm throws in
            try realm.write { realm.add(knots) }
            try body(realm, realm.objects(Knot.self), &generator)
        }
        random = generator
    }

    @Test func randomOrders() throws {
        var random = Seed.random()
        for count in [0, 1, 2, 7, 60] {
            try withKnots(count, using: &random) { realm, all, random throws in
                for _ in 0..<60 {
                    let descriptors = (0..<random.int(1...3)).map { _ in
                        Freehold.SortDescriptor(
                            keyPath: random.pick(Self.paths), ascending: random.once(in: 2))
                    }
                    let keyPaths = descriptors.map(\.keyPath)
                    let expected = Array(all).sorted { a, b in
                        for descriptor in descriptors {
                            let order = End.order(
                                Self.end(a, descriptor.keyPath), Self.end(b, descriptor.keyPath))
                            if order != 0 { return (order < 0) == descriptor.ascending }
                        }
                        return a.id < b.id
                    }
                    let sorted = all.sorted(by: descriptors)
                    random.expect(sorted.map(\.id) == expected.map(\.id), "\(descriptors)")
                    random.expect(sorted.freeze().map(\.id) == expected.map(\.id), "\(descriptors)")
                    random.expect(
                        sorted.limit(5).map(\.id) == expected.prefix(5).map(\.id), "\(descriptors)")
                    random.expect(
                        sorted.where { $0.flag == true }.map(\.id)
                            == expected.filter(\.flag).map(\.id), "\(descriptors)")
                    var firsts: [Knot] = []
                    for knot in expected {
                        let ends = keyPaths.map { Self.end(knot, $0) }
                        if ends.contains(where: { $0.rank == 2 }) { continue }
                        let isKnown = firsts.contains { first in
                            zip(keyPaths, ends).allSatisfy {
                                End.order(Self.end(first, $0), $1) == 0
                            }
                        }
                        if !isKnown { firsts.append(knot) }
                    }
                    random.expect(
                        sorted.distinct(by: keyPaths).map(\.id) == firsts.map(\.id),
                        "distinct \(descriptors)")
                    random.expect(
                        sorted.distinct(by: keyPaths).count == firsts.count,
                        "distinct \(descriptors)")
                    // One of the names is a word of the language.
                    let written = keyPaths.map { $0 == "any" ? "#any" : $0 }
                    let order = zip(written, descriptors).map {
                        "\($0) \($1.ascending ? "ASC" : "DESC")"
                    }.joined(separator: ", ")
                    random.expect(
                        all.filter("TRUEPREDICATE SORT(\(order))").map(\.id) == expected.map(\.id),
                        "\(order)")
                    random.expect(
                        all.filter(
                            """
                            TRUEPREDICATE SORT(\(order)) \
                            DISTINCT(\(written.joined(separator: ", ")))
                            """
                        ).map(\.id) == firsts.map(\.id), "\(order)")
                }
            }
        }
    }

    /// 0 -> 1 -> nil, 2 -> 1, 3 has no link, 4 -> 3, which has no number.
    private func withFew(_ body: (Realm, Results<Knot>) throws -> Void) throws {
        try withTemporaryRealm([Knot.self]) { realm throws in
            try realm.write {
                let knots = (0..<5).map {
                    Knot(value: ["id": $0, "number": $0 == 3 ? nil : $0 as Int?] as [String: Any?])
                }
                knots[0].link = knots[1]
                knots[2].link = knots[1]
                knots[4].link = knots[3]
                realm.add(knots)
            }
            try body(realm, realm.objects(Knot.self))
        }
    }

    @Test func atANilLink() throws {
        try withFew { realm, all throws in
            #expect(all.sorted(byKeyPath: "link.number").map(\.id) == [4, 0, 2, 1, 3])
            #expect(
                all.sorted(byKeyPath: "link.number", ascending: false).map(\.id) == [1, 3, 0, 2, 4])
            #expect(all.sorted(by: \.link?.number).map(\.id) == [4, 0, 2, 1, 3])
            #expect(all.distinct(by: ["link.number"]).map(\.id) == [0, 4])
            #expect(all.distinct(by: [\.link?.number]).map(\.id) == [0, 4])
            #expect(all.distinct(by: ["link.link.number"]).isEmpty)
            // An index on the value or on the link changes nothing.
            #expect(
                all.sorted(byKeyPath: "number").first?.id == 3
                    && all.sorted(byKeyPath: "number", ascending: false).last?.id == 3)
            #expect(all.sorted(byKeyPath: "number").limit(2).map(\.id) == [3, 0])
            try realm.write { realm.objects(Knot.self)[0].link = nil }
            #expect(all.sorted(byKeyPath: "link.number").map(\.id) == [4, 2, 0, 1, 3])
        }
    }

    @Test func onlyOneObject() throws {
        try withTemporaryRealm([Knot.self]) { realm throws in
            try realm.write { realm.add(Knot()) }
            #expect(realm.objects(Knot.self).distinct(by: ["link.number"]).isEmpty)
            #expect(realm.objects(Knot.self).distinct(by: ["number"]).count == 1)
        }
    }

    @Test func sections() throws {
        try withFew { realm, all throws in
            let sections = all.sectioned(by: \.link?.number, ascending: true)
            #expect(sections.allKeys == [nil, 1])
            #expect(sections.map { $0.map(\.id) } == [[4, 1, 3], [0, 2]])
            let linked = all.where { $0.link != nil }.sectioned(
                by: \.link?.number, ascending: false)
            #expect(linked.allKeys == [1, nil] && linked.map { $0.map(\.id) } == [[0, 2], [4]])
        }
    }

    @Test func listControllersAndObservers() throws {
        try withObservatory([Knot.self]) { place throws in
            try place.writer.write {
                place.writer.add((0..<3).map { Knot(value: ["id": $0, "number": $0]) })
            }
            place.realm.refresh()
            let log = ChangeLog(), distinct = ChangeLog()
            let sorted = place.realm.objects(Knot.self).sorted(byKeyPath: "link.number")
            let tokens = [
                sorted.observe { log.add($0) },
                place.realm.objects(Knot.self).distinct(by: ["link.number"]).observe {
                    distinct.add($0)
                },
            ]
            place.deliver()
            #expect(log.take() == ["initial 3"] && distinct.take() == ["initial 0"])
            let knots = Array(place.writer.objects(Knot.self))
            try place.writer.write { knots[2].link = knots[0] }
            place.deliver()
            // The last of the objects without a link became the first with one.
            #expect(log.take() == ["-[2] +[0] *[]"] && distinct.take() == ["-[] +[0] *[]"])
            #expect(sorted.map(\.id) == [2, 0, 1])
            try place.writer.write { place.writer.delete(knots[0]) }
            place.deliver()
            #expect(sorted.map(\.id) == [1, 2] && distinct.take() == ["-[0] +[] *[]"])
            withExtendedLifetime(tokens) {}
        }
    }

    @Test func plansSayWhereTheyAre() throws {
        try withFew { _, all throws in
            #expect(
                all.sorted(byKeyPath: "link.number").explain().text
                    == "sort by link.number ascending (nil links last)")
            #expect(
                all.sorted(byKeyPath: "link.number", ascending: false).explain().text
                    == "sort by link.number descending (nil links first)")
            #expect(all.sorted(byKeyPath: "number").explain().text == "sort by number ascending")
            #expect(
                all.distinct(by: ["link.number", "name"]).explain().text
                    == "distinct by link.number (without nil links), name")
        }
    }

    /// Foundation's orders have no links: what is nil is nil.
    @Test func foundationOrders() throws {
        try withFew { _, all throws in
            let ascending = try all.sorted(using: Foundation.SortDescriptor(\.link?.number))
            let descending = try all.sorted(
                using: Foundation.SortDescriptor(\.link?.number, order: .reverse))
            #expect(
                ascending.map(\.id) == [1, 3, 4, 0, 2] && descending.map(\.id) == [0, 2, 1, 3, 4])
            #expect(ascending.explain().text == "sort by link.number ascending")
        }
    }
}
