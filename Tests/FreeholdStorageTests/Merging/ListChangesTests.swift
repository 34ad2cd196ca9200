@testable import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Edits of lists, and their merge, on values alone.
@Suite struct ListChangesTests {
    private func list(_ values: some Sequence<Int>) -> ContiguousArray<StoredValue> {
        ContiguousArray(values.map { .integer(Int64($0)) })
    }

    private func merged(_ base: [Int], _ mine: [Int], _ theirs: [Int]) -> [Int]? {
        ListMerge.merge(
            ListChanges(from: list(base), to: list(mine)),
            ListChanges(from: list(base), to: list(theirs)), ListMerge.Rules()
        ).map { changes in
            changes.applied(to: list(theirs)).map { value in
                guard case .plain(.integer(let number)) = value else { return -1 }
                return Int(number)
            }
        }
    }

    @Test func edits() {
        let changes = ListChanges(from: list([1, 2, 3, 4, 5]), to: list([1, 3, 9, 4, 5, 6]))
        #expect(
            changes.edits == [
                .init(position: 1, removed: list([2]), inserted: []),
                .init(position: 3, removed: [], inserted: list([9])),
                .init(position: 5, removed: [], inserted: list([6])),
            ])
        #expect(ListChanges(from: list([1, 2]), to: list([1, 2])).isEmpty)
        #expect(
            ListChanges(from: [], to: list([1])).edits == [
                .init(position: 0, removed: [], inserted: list([1]))
            ])
    }

    @Test func moves() {
        let changes = ListChanges(from: list([1, 2, 3, 4]), to: list([2, 3, 4, 1]))
        #expect(changes.moves == [.init(source: 0, edit: 1, offset: 0)])
        #expect(ListChanges(from: list([1, 2, 2]), to: list([2, 2])).moves.isEmpty)
    }

    /// Many edits of repeated elements: the whole stretch counts as replaced, in linear time.
    @Test func tooManyEdits() {
        let old = list((0..<20_000).map { $0 % 7 })
        let new = list((0..<20_000).map { ($0 * $0) % 5 })
        let changes = ListChanges(from: old, to: new)
        #expect(changes.applied(to: old) == new)
        let reversed = ListChanges(from: list(0..<20_000), to: list((0..<20_000).reversed()))
        #expect(reversed.applied(to: list(0..<20_000)) == list((0..<20_000).reversed()))
        let few = ListChanges(
            from: list(0..<100_000), to: list((0..<100_000).filter { $0 != 50_000 }))
        #expect(few.edits.count == 1)
    }

    @Test func randomEdits() {
        var random = Seed.random()
        for _ in 0..<Stress.rounds(2_000) {
            let values = random.pick([2, 5, 50])
            let old = (0..<random.int(0...30)).map { _ in random.int(0...values) }
            var new = old
            for _ in 0..<random.int(0...8) {
                switch random.int(0...3) {
                case 0: new.insert(random.int(0...values), at: random.int(0...new.count))
                case 1 where !new.isEmpty: new.remove(at: random.int(0...new.count - 1))
                case 2 where !new.isEmpty:
                    let moved = new.remove(at: random.int(0...new.count - 1))
                    new.insert(moved, at: random.int(0...new.count))
                case 3 where !new.isEmpty:
                    new[random.int(0...new.count - 1)] = random.int(0...values)
                default: break
                }
            }
            let changes = ListChanges(from: list(old), to: list(new))
            #expect(changes.applied(to: list(old)) == list(new), "seed \(random.seed)")
            #expect(changes.inverse.applied(to: list(new)) == list(old), "seed \(random.seed)")
            #expect(changes.newCount == new.count)
            for (edit, next) in zip(changes.edits, changes.edits.dropFirst()) {
                #expect(edit.end < next.position)
            }
            // One side alone, both alike, and back.
            #expect(merged(old, new, old) == new, "seed \(random.seed): \(old) \(new)")
            #expect(merged(old, old, new) == new, "seed \(random.seed): \(old) \(new)")
            #expect(merged(old, new, new) == new, "seed \(random.seed): \(old) \(new)")
        }
    }

    @Test func insertions() {
        #expect(merged([1, 2], [1, 3, 2], [1, 2, 4]) == [1, 3, 2, 4])
        // At one place: theirs first.
        #expect(merged([1, 2], [1, 3, 2], [1, 4, 2]) == [1, 4, 3, 2])
        #expect(merged([], [1], [2, 3]) == [2, 3, 1])
        // The same once.
        #expect(merged([1], [1, 2], [1, 2]) == [1, 2])
    }

    @Test func removals() {
        #expect(merged([1, 2, 3, 4], [1, 4], [1, 2, 4]) == [1, 4])
        #expect(merged([1, 2, 3, 4], [3, 4], [1, 2, 3]) == [3])
        // Beside a removed element, and between two of them.
        #expect(merged([1, 2, 3], [1, 2, 9, 3], [1, 3]) == [1, 9, 3])
        #expect(merged([1, 2, 3, 4], [1, 2, 9, 3, 4], [1, 4]) == nil)
        #expect(merged([1, 2, 3, 4], [1, 4], [1, 2, 9, 3, 4]) == nil)
    }

    @Test func replacements() {
        #expect(merged([1, 2, 3], [1, 8, 3], [1, 2, 9]) == [1, 8, 9])
        #expect(merged([1, 2, 3], [1, 8, 3], [1, 9, 3]) == nil)
        #expect(merged([1, 2, 3], [1, 8, 3], [1, 3]) == nil)
        #expect(merged([1, 2, 3], [1, 3], [1, 8, 3]) == nil)
        // With another number of elements.
        #expect(merged([1, 2, 3], [1, 7, 8, 3], [1, 2, 3, 4]) == [1, 7, 8, 3, 4])
        #expect(merged([1, 2, 3], [1, 7, 8, 3], [1, 9, 3]) == nil)
        #expect(merged([1, 2, 3], [1, 7, 8, 3], [1, 7, 8, 3, 4]) == [1, 7, 8, 3, 4])
        #expect(merged([1, 2, 3], [1, 7, 8, 3], [1, 5, 2, 3]) == [1, 5, 7, 8, 3])
    }

    @Test func movedElements() {
        #expect(merged([1, 2, 3, 4], [2, 3, 4, 1], [1, 2, 3, 4, 5]) == [2, 3, 4, 5, 1])
        // To one place, and to two.
        #expect(merged([1, 2, 3, 4], [2, 3, 4, 1], [2, 3, 4, 1]) == [2, 3, 4, 1])
        #expect(merged([1, 2, 3, 4], [2, 3, 4, 1], [2, 1, 3, 4]) == nil)
        #expect(merged([1, 2, 3, 4], [2, 3, 4, 1], [2, 3, 4, 1, 5]) == [2, 3, 4, 1, 5])
        // Moved and removed, moved and replaced.
        #expect(merged([1, 2, 3, 4], [2, 3, 4, 1], [2, 3, 4]) == nil)
        #expect(merged([1, 2, 3, 4], [2, 3, 4], [2, 3, 4, 1]) == nil)
        #expect(merged([1, 2, 3, 4], [2, 3, 4, 1], [9, 2, 3, 4]) == nil)
    }
}
