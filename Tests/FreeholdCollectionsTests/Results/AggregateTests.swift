import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct AggregateTests {
    @Test func everyType() throws {
        try withItems(1100) { fixture in
            for (items, plain) in [
                (fixture.items, fixture.plain),
                (fixture.items.where { $0.active }, fixture.plain.filter(\.active)),
                (
                    fixture.items.sorted(by: \.score).where { $0.age > 5 },
                    fixture.plain.filter { $0.age > 5 }
                ),
            ] {
                let seed: Comment = "FREEHOLD_SEED=\(fixture.generator.seed)"
                #expect(items.min(of: \.age) == plain.map(\.age).min(), seed)
                #expect(items.max(of: \.age) == plain.map(\.age).max(), seed)
                #expect(items.sum(of: \.age) == plain.map(\.age).reduce(0, +), seed)
                #expect(
                    items.average(of: \.age) == plain.map(\.age).reduce(0, +) / plain.count, seed)
                let average: Double? = items.average(ofProperty: "age")
                #expect(
                    average == Double(plain.map(\.age).reduce(0, +)) / Double(plain.count), seed)

                let small = plain.compactMap(\.small)
                #expect(items.min(of: \.small) == small.min(), seed)
                #expect(items.max(of: \.small) == small.max(), seed)
                let sum: Int = items.sum(ofProperty: "small")
                #expect(sum == small.map(Int.init).reduce(0, +), seed)

                #expect(items.min(of: \.id) == plain.map(\.id).min(), seed)
                #expect(items.sum(of: \.id) == plain.map(\.id).reduce(0, +), seed)

                #expect(items.min(of: \.score) == plain.map(\.score).min(), seed)
                #expect(items.max(of: \.score) == plain.map(\.score).max(), seed)
                // Quarters, so that every order of addition gives the same.
                #expect(items.sum(of: \.score) == plain.map(\.score).reduce(0, +), seed)
                #expect(
                    items.average(of: \.score) == plain.map(\.score).reduce(0, +)
                        / Double(plain.count), seed)

                let weights = plain.compactMap(\.weight)
                #expect(items.min(of: \.weight) == weights.min(), seed)
                #expect(items.sum(of: \.weight) == weights.reduce(0, +), seed)

                #expect(items.min(of: \.joined) == plain.map(\.joined).min(), seed)
                #expect(items.max(of: \.left) == plain.compactMap(\.left).max(), seed)

                #expect(items.min(of: \.amount) == plain.map(\.amount).min(), seed)
                #expect(items.max(of: \.amount) == plain.map(\.amount).max(), seed)
                #expect(items.sum(of: \.amount) == plain.map(\.amount).reduce(0, +), seed)
                #expect(
                    items.average(of: \.amount) == plain.map(\.amount).reduce(0, +)
                        / Decimal128(plain.count), seed)

                #expect(
                    items.max(of: \.level)
                        == plain.compactMap(\.level).max { $0.rawValue < $1.rawValue }, seed)
            }
        }
    }

    @Test func ofNothing() throws {
        try withItems(10) { fixture in
            let none = fixture.items.where { $0.age > 1000 }
            #expect(
                none.min(of: \.age) == nil && none.max(of: \.score) == nil
                    && none.average(of: \.age) == nil)
            #expect(
                none.sum(of: \.age) == 0 && none.sum(of: \.score) == 0
                    && none.sum(of: \.amount) == 0)
            #expect(
                none.min(of: \.small) == nil && none.max(of: \.joined) == nil
                    && none.average(of: \.amount) == nil)
        }
    }

    @Test func extremesLeaveNaNOut() throws {
        try withItems(10) { fixture in
            let (first, last) = (fixture.items[0], fixture.items[9])
            try fixture.realm.write {
                for item in [first, last] {
                    item.amount = "NaN"
                    item.score = .nan
                }
            }
            let numbers = fixture.plain[1..<9]
            #expect(fixture.items.min(of: \.amount) == numbers.map(\.amount).min())
            #expect(fixture.items.max(of: \.amount) == numbers.map(\.amount).max())
            #expect(fixture.items.min(of: \.score) == numbers.map(\.score).min())
            #expect(
                fixture.items.sum(of: \.amount).isNaN
                    && fixture.items.average(of: \.amount)?.isNaN == true)
            try fixture.realm.write { fixture.items.forEach { $0.amount = "NaN" } }
            #expect(
                fixture.items.min(of: \.amount) == nil && fixture.items.max(of: \.amount) == nil)
        }
    }

    @Test func insideWriteTransactions() throws {
        try withItems(1100) { fixture in
            try fixture.realm.write {
                fixture.items[4].age = 5000
                #expect(fixture.items.max(of: \.age) == 5000)
                fixture.realm.delete(fixture.items[4])
                #expect(
                    fixture.items.max(of: \.age)
                        == fixture.plain.enumerated().filter { $0.offset != 4 }.map(\.element.age)
                        .max())
            }
        }
    }
}
