import Foundation
import FreeholdTestSupport
import Testing

@testable import Freehold
import FreeholdRealmTestSupport

/// The same random questions about the same random data, through typed queries, strings and
/// plain Swift, of classes with and without indexes: on fresh files, in open transactions, in
/// frozen snapshots. All answers have to be the same.
@Suite struct AgreementTests {
    private static let rounds = Stress.rounds(3)
    /// In each of three states of the data. Together with the rounds: 1,350 conditions, each
    /// asked of two classes in two or three ways.
    private static let conditions = 150

    @Test func allFrontEnds() throws {
        var random = Seed.random()
        var matches = 0
        for _ in 0..<Self.rounds {
            try withTemporaryRealm([AgreementIndexed.self, AgreementPlain.self]) { realm in
                var world = AgreementWorld()
                try realm.write { fill(realm, &world, using: &random) }
                let frozen = realm.freeze()
                let before = world
                matches += ask(realm, world, "fresh", using: &random)
                realm.beginWrite()
                change(realm, &world, using: &random)
                matches += ask(realm, world, "in a transaction", using: &random)
                matches += ask(frozen, before, "frozen", using: &random)
                if random.once(in: 2) { try realm.commitWrite() } else { realm.cancelWrite() }
            }
        }
        // Conditions that hold for nothing, or for everything, would say little.
        #expect(matches > Self.rounds * Self.conditions)
    }

    // MARK: Data

    private func fill(
        _ realm: Realm, _ world: inout AgreementWorld, using random: inout SeededGenerator
    ) {
        let ids = Array(0..<random.pick([1, 30, 80]))
        for id in ids {
            world.put(.random(id: id * 3 - 20, linkingTo: ids.map { $0 * 3 - 20 }, using: &random))
        }
        for id in world.ids { put(world, id, realm) }
        for id in world.ids { link(world, id, realm) }
    }

    private func change(
        _ realm: Realm, _ world: inout AgreementWorld, using random: inout SeededGenerator
    ) {
        for _ in 0..<random.int(1...15) {
            let ids = world.ids
            switch random.int(0...3) {
            case 0:
                guard let id = ids.randomElement(using: &random) else { break }
                world.delete(id)
                delete(AgreementIndexed.self, id, realm)
                delete(AgreementPlain.self, id, realm)
            default:
                let id =
                    random.once(in: 2)
                    ? random.int(-30...300) : ids.randomElement(using: &random) ?? 0
                world.put(.random(id: id, linkingTo: ids, using: &random))
                put(world, id, realm)
                link(world, id, realm)
            }
        }
    }

    private func put(_ world: AgreementWorld, _ id: Int, _ realm: Realm) {
        guard let row = world.rows[id] else { return }
        row.store(
            in: realm.object(ofType: AgreementIndexed.self, forPrimaryKey: id)
                ?? realm.create(AgreementIndexed.self, value: ["id": id]))
        row.store(
            in: realm.object(ofType: AgreementPlain.self, forPrimaryKey: id)
                ?? realm.create(AgreementPlain.self, value: ["id": id]))
    }

    private func link(_ world: AgreementWorld, _ id: Int, _ realm: Realm) {
        guard let row = world.rows[id] else { return }
        if let item = realm.object(ofType: AgreementIndexed.self, forPrimaryKey: id) {
            row.storeLinks(in: item, realm)
        }
        if let item = realm.object(ofType: AgreementPlain.self, forPrimaryKey: id) {
            row.storeLinks(in: item, realm)
        }
    }

    private func delete<Item: AgreementItem>(_ type: Item.Type, _ id: Int, _ realm: Realm) {
        if let item = realm.object(ofType: type, forPrimaryKey: id) { realm.delete(item) }
    }

    // MARK: Questions

    private func ask(
        _ realm: Realm, _ world: AgreementWorld, _ state: String,
        using random: inout SeededGenerator
    ) -> Int {
        var matches = 0
        for _ in 0..<Self.conditions {
            let seed = random.next()
            matches += ask(AgreementIndexed.self, realm, world, seed, state, random.seed)
            _ = ask(AgreementPlain.self, realm, world, seed, state, random.seed)
        }
        return matches
    }

    private func ask<Item: AgreementItem>(
        _ type: Item.Type, _ realm: Realm, _ world: AgreementWorld, _ seed: UInt64, _ state: String,
        _ test: UInt64
    ) -> Int {
        var generator = AgreementGenerator<Item>(
            random: SeededGenerator(seed: seed), ids: world.ids + [1_000])
        let condition = generator.condition()
        let expected = world.ids.filter { id in
            world.rows[id].map { condition.holds($0, world) } ?? false
        }
        let all = realm.objects(type)
        func expect(_ found: [Int], _ way: String) {
            if found == expected { return }
            Issue.record(
                """
                \(way) of \(type), \(state): \(condition.format) with \
                \(condition.arguments), \(found) for \(expected), FREEHOLD_SEED=\(test)
                """
            )
        }
        let typed = all.where(condition.query)
        expect(typed.map(\.id), "typed")
        let parsed = all.filter(
            unwrapPredicate(
                try RealmPredicate(parsing: condition.format, arguments: condition.arguments)))
        expect(parsed.map(\.id), "string")
        switch seed % 5 {
        case 0:
            expect(
                all.filter(RealmPredicate(type, where: condition.query)).map(\.id),
                "typed as a predicate")
        case 1:
            expect(
                expected.isEmpty
                    ? [] : [all.where(condition.query).first?.id ?? .min] + expected.dropFirst(),
                "first, typed")
        case 2: if all.where(condition.query).count != expected.count { expect([], "count, typed") }
        case 3:
            // What the query prints says the same.
            let (text, arguments) = condition.query(Query<Item>._constructForTesting())
                ._constructPredicate()
            expect(filtered(all, text, arguments).map(\.id), "what is printed, \(text)")
            let predicate = RealmPredicate(type, where: condition.query)
            if (try? RealmPredicate(parsing: predicate.description)) != predicate,
                !predicate.description.contains("nan")
            {
                expect([], "the predicate read again, \(predicate)")
            }
        // The string again, which is known now.
        default:
            expect(filtered(all, condition.format, condition.arguments).map(\.id), "known string")
        }
        return expected.count
    }

    private func filtered<Item: AgreementItem>(
        _ all: Results<Item>, _ format: String, _ arguments: [Any?]
    ) -> Results<Item> {
        Results(core: all.core, state: all.state.filtered(by: format, arguments))
    }
}
