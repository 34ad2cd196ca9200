import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Testing

@testable import Freehold
import FreeholdRealmTestSupport

/// Collections whose objects come from a list of keys, with repetitions and in any order, as a
/// list of objects has them.
@Suite struct RowSourceTests {
    /// Rows by a property: those of `ages`, in this order. So what it gives changes with the data.
    private final class ByAge: RowSource {
        let ages: [Int]

        init(_ ages: [Int]) { self.ages = ages }

        func keys(in core: RealmCore) throws(StorageError) -> ContiguousArray<Int64> {
            let binding = core.binding(for: Relations.Owner.self)
            let table = core.table(of: binding)
            let column = binding.columns[2]
            var keys: ContiguousArray<Int64> = []
            for age in ages {
                keys += try ScanEngine(source: core.source).keys(
                    .compare(ScanPath(column: column), .equal, .integer(Int64(age))), in: table)
            }
            return keys
        }

        func following(_ key: (Int64, TableID) -> Int64, in core: RealmCore) -> any RowSource {
            self
        }

        func name(in core: RealmCore) -> String { "owners by age" }
    }

    private func results(_ realm: Realm, _ ages: [Int]) -> Results<Relations.Owner> {
        Results(
            core: realm.core,
            state: ResultsState(
                core: realm.core, binding: realm.core.binding(for: Relations.Owner.self),
                from: ByAge(ages)))
    }

    @Test(arguments: [8, 1300])
    func repeatedElements(count: Int) throws {
        try withOwners(count) { realm, first, second in
            var random = Seed.random()
            for round in 0..<8 {
                let ages = (0..<random.int(0...30)).map { _ in random.int(0...12) }
                let found = results(realm, ages)
                var plain = ages.flatMap { age in
                    realm.objects(Relations.Owner.self).filter { $0.age == age }.map {
                        ($0.id, $0.age)
                    }
                }
                func check(_ comment: String) {
                    let ids = plain.map(\.0)
                    random.expect(
                        found.count == ids.count && found.isEmpty == ids.isEmpty
                            && found.map(\.id) == ids, comment)
                    random.expect(found.indices.allSatisfy { found[$0].id == ids[$0] }, comment)
                    random.expect(
                        found.first?.id == ids.first && found.last?.id == ids.last, comment)
                    for owner in found.prefix(5) {
                        random.expect(
                            found.index(of: owner) == ids.firstIndex(of: owner.id), comment)
                    }
                    let some = random.int(0...count)
                    random.expect(
                        found.index(matching: { $0.id >= some }) == ids.firstIndex { $0 >= some },
                        comment)
                    random.expect(
                        found.where { $0.id >= some }.map(\.id) == ids.filter { $0 >= some },
                        comment)
                    random.expect(
                        found.where { $0.id >= some }.count == ids.filter { $0 >= some }.count,
                        comment)
                    random.expect(
                        found.where { $0.pet == first }.where { $0.age > 3 }.map(\.id)
                            == plain.filter { $0.0 % 2 == 0 && $0.1 > 3 }.map(\.0), comment)
                    random.expect(
                        found.where { $0.pet.tag == "a" }.count == ids.filter { $0 % 2 == 0 }.count,
                        comment)
                    let stable = plain.enumerated().sorted {
                        ($0.element.1, $0.offset) < ($1.element.1, $1.offset)
                    }.map(\.element.0)
                    random.expect(found.sorted(by: \.age).map(\.id) == stable, comment)
                    random.expect(
                        found.sorted(by: [SortDescriptor(keyPath: "name"), "id"]).map(\.name)
                            == plain.map { "owner \($0.0)" }.sorted(), comment)
                    random.expect(found.sorted(by: \.age).count == ids.count, comment)
                    random.expect(found.sum(of: \.id) == ids.reduce(0, +), comment)
                    random.expect(found.max(of: \.id) == ids.max(), comment)
                    random.expect(found.min(of: \.id) == ids.min(), comment)
                    let wealth: Decimal128 = found.sum(of: \.wealth)
                    let total = plain.reduce(0) { $0 + $1.1 * 10 }
                    random.expect(wealth == Decimal128(integerLiteral: Int64(total)), comment)
                    random.expect(
                        found.where { $0.id < some }.sum(of: \.id)
                            == ids.filter { $0 < some }.reduce(0, +), comment)
                }
                check("round \(round)")
                let frozen = found.freeze()
                let before = plain.map(\.0)
                let reference = ThreadSafeReference(to: found.where { $0.id >= 0 })
                realm.beginWrite()
                realm.delete(realm.objects(Relations.Owner.self).where { $0.age == 3 })
                plain.removeAll { $0.1 == 3 }
                check("round \(round), in the transaction")
                if round % 2 == 0 { try realm.commitWrite() } else { realm.cancelWrite() }
                random.expect(
                    frozen.map(\.id) == before && frozen.isFrozen
                        && frozen.thaw()?.count == found.count, "round \(round), frozen")
                random.expect(
                    realm.resolve(reference)?.map(\.id) == found.map(\.id),
                    "round \(round), resolved")
            }
        }
    }

    @Test func deletingWhatIsThereTwice() throws {
        try withOwners(100) { realm, _, _ in
            let twice = results(realm, [7, 7])
            #expect(twice.count == 4)
            try realm.write {
                var seen: [Bool] = []
                for owner in twice {
                    seen.append(owner.isInvalidated)
                    if !owner.isInvalidated { realm.delete(owner) }
                }
                #expect(seen == [false, false, true, true])
                realm.delete(results(realm, [8, 9, 8]))
            }
            #expect(realm.objects(Relations.Owner.self).count == 94)
            try realm.write { results(realm, [10, 10]).setValue("named", forKey: "name") }
            #expect(
                (results(realm, [10, 10]).value(forKey: "name") as? [Any?])?.compactMap {
                    $0 as? String
                } == ["named", "named", "named", "named"])
        }
    }
}
