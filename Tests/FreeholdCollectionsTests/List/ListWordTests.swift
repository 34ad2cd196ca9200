import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@testable import Freehold

/// Lists of elements of eight bytes that a transaction goes on using: they have a way of their
/// own to insert beside the last insertion.
@Suite struct ListWordTests {
    final class Numbers: Object {
        @Persisted var integers: List<Int>
        @Persisted var doubles: List<Double>
        @Persisted var optionals: List<Int?>
    }

    /// Runs of insertions that go up, down or stay, with removals and assignments between them.
    @Test(arguments: [nil, 1, 2] as [UInt64?]) func insertionsAgreeWithArrays(seed own: UInt64?)
        throws
    {
        try withTemporaryRealm([Numbers.self]) { realm in
            var random = Seed.random(own)
            let seed = random.seed
            let object = try realm.write { realm.create(Numbers.self) }
            var model: [Int] = []
            for round in 0..<6 {
                try realm.write {
                    let (integers, doubles, optionals) = (
                        object.integers, object.doubles, object.optionals
                    )
                    for _ in 0..<30 {
                        var position = Int.random(in: 0...model.count, using: &random)
                        let step = Int.random(in: -1...1, using: &random)
                        for _ in 0..<Int.random(in: 1...60, using: &random) {
                            let number = Int.random(in: -1_000_000...1_000_000, using: &random)
                            if position == model.count, Bool.random(using: &random) {
                                integers.append(number)
                                doubles.append(Double(number))
                                optionals.append(number)
                            } else {
                                integers.insert(number, at: position)
                                doubles.insert(Double(number), at: position)
                                optionals.insert(number, at: position)
                            }
                            model.insert(number, at: position)
                            position = min(max(position + step, 0), model.count)
                        }
                        if !model.isEmpty, Bool.random(using: &random) {
                            let start = Int.random(in: 0..<model.count, using: &random)
                            let range =
                                start..<min(
                                    start + Int.random(in: 1...40, using: &random), model.count)
                            integers.removeSubrange(range)
                            doubles.removeSubrange(range)
                            optionals.removeSubrange(range)
                            model.removeSubrange(range)
                        }
                        #expect(Array(integers) == model, "round \(round), FREEHOLD_SEED=\(seed)")
                    }
                    #expect(Array(doubles) == model.map(Double.init))
                    #expect(Array(optionals) == model.map(Optional.init))
                }
                #expect(Array(object.integers) == model)
                #expect(Array(object.doubles) == model.map(Double.init))
            }
            // A cancelled transaction takes its insertions along.
            realm.beginWrite()
            for number in 0..<100 { object.integers.append(number) }
            let integers = object.integers
            for number in 0..<1_000 { integers.append(number) }
            realm.cancelWrite()
            #expect(Array(object.integers) == model)
        }
    }

    /// A list that was found in one transaction is not written in the place of another one's.
    @Test func aListOfAnEarlierTransaction() throws {
        try withTemporaryRealm([Numbers.self]) { realm in
            let object = try realm.write { realm.create(Numbers.self) }
            let integers = object.integers
            for round in 0..<5 {
                try realm.write { for number in 0..<3 { integers.append(round * 3 + number) } }
                #expect(Array(integers) == Array(0..<(round + 1) * 3))
                let frozen = integers.freeze()
                try realm.write {
                    integers.insert(-1, at: 1); integers.insert(-2, at: 2); integers.remove(at: 1);
                    integers.remove(at: 1)
                }
                #expect(Array(frozen) == Array(0..<(round + 1) * 3))
            }
        }
    }
}
