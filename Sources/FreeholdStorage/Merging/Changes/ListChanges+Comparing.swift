/// Comparing two lists.
///
/// After the common beginning and end, elements that occur once on each side are matched by the
/// longest ascending run of their places (Cohen's patience diff): the shortest edits for lists of
/// distinct elements, in O(n log n). Between matches, the greedy algorithm of Myers finds the
/// shortest edits while these are few. Otherwise a stretch counts as replaced as a whole.
extension ListChanges {
    /// The most insertions and removals that are searched for between two matches.
    static let mostEdits = 200

    package init(
        from old: ContiguousArray<StoredValue>, to new: ContiguousArray<StoredValue>
    ) {
        self.init(old, new, offset: 0, oldCount: old.count)
    }

    /// - Parameters:
    ///   - old, new: What may differ of two lists.
    ///   - offset: The number of elements before it.
    ///   - oldCount: The number of elements of the whole old list.
    init(
        _ old: ContiguousArray<StoredValue>, _ new: ContiguousArray<StoredValue>, offset: Int,
        oldCount: Int
    ) {
        var comparison = Comparison(old, new)
        comparison.compare(0..<old.count, 0..<new.count)
        self.init(
            edits: comparison.edits.map {
                Edit(
                    position: $0.old.lowerBound + offset,
                    removed: ContiguousArray(old[$0.old]), inserted: ContiguousArray(new[$0.new]))
            }, oldCount: oldCount)
    }

    private struct Comparison {
        /// A number for each distinct value.
        private let old: ContiguousArray<Int>
        private let new: ContiguousArray<Int>
        private let valueCount: Int
        private(set) var edits: [(old: Range<Int>, new: Range<Int>)] = []

        init(_ old: ContiguousArray<StoredValue>, _ new: ContiguousArray<StoredValue>) {
            var numbers: [StoredValue: Int] = [:]
            func number(_ value: StoredValue) -> Int {
                if let known = numbers[value] { return known }
                numbers[value] = numbers.count
                return numbers.count - 1
            }
            self.old = ContiguousArray(old.map(number))
            self.new = ContiguousArray(new.map(number))
            valueCount = numbers.count
        }

        mutating func compare(_ old: Range<Int>, _ new: Range<Int>) {
            var (old, new) = (old, new)
            while let a = old.first, let b = new.first, self.old[a] == self.new[b] {
                old.removeFirst()
                new.removeFirst()
            }
            while let a = old.last, let b = new.last, self.old[a] == self.new[b] {
                old.removeLast()
                new.removeLast()
            }
            if old.isEmpty, new.isEmpty { return }
            if old.isEmpty || new.isEmpty { return append(old, new) }
            let matches = matchesOfUniqueElements(old, new)
            if matches.isEmpty { return compareShortest(old, new) }
            var (a, b) = (old.lowerBound, new.lowerBound)
            for match in matches {
                compare(a..<match.old, b..<match.new)
                (a, b) = (match.old + 1, match.new + 1)
            }
            compare(a..<old.upperBound, b..<new.upperBound)
        }

        /// Edits that touch become one.
        private mutating func append(_ old: Range<Int>, _ new: Range<Int>) {
            if let last = edits.last, last.old.upperBound == old.lowerBound,
                last.new.upperBound == new.lowerBound
            {
                edits[edits.count - 1] = (
                    last.old.lowerBound..<old.upperBound, last.new.lowerBound..<new.upperBound
                )
            } else {
                edits.append((old, new))
            }
        }

        // MARK: Elements that occur once

        private func matchesOfUniqueElements(_ old: Range<Int>, _ new: Range<Int>) -> [(
            old: Int, new: Int
        )] {
            // Places by value: -1 for none, -2 for several.
            func places(_ range: Range<Int>, _ list: ContiguousArray<Int>) -> [Int: Int] {
                var places: [Int: Int] = [:]
                places.reserveCapacity(range.count)
                for index in range { places[list[index]] = places[list[index]] == nil ? index : -2 }
                return places
            }
            let counterparts = places(new, self.new)
            let own = places(old, self.old)
            var pairs: [(old: Int, new: Int)] = []
            for index in old where own[self.old[index]] != -2 {
                if let other = counterparts[self.old[index]], other >= 0 {
                    pairs.append((index, other))
                }
            }
            return Self.longestAscendingRun(pairs)
        }

        /// The longest part of some pairs in which both numbers ascend, as the first does
        /// already. O(n log n).
        private static func longestAscendingRun(_ pairs: [(old: Int, new: Int)]) -> [(
            old: Int, new: Int
        )] {
            // The last pair of the best run of each length, and the pair before each.
            var ends: [Int] = []
            var previous = ContiguousArray(repeating: -1, count: pairs.count)
            for index in pairs.indices {
                let length = ends.indices.partitionPoint { pairs[ends[$0]].new < pairs[index].new }
                if length > 0 { previous[index] = ends[length - 1] }
                if length == ends.count { ends.append(index) } else { ends[length] = index }
            }
            var run: [(old: Int, new: Int)] = []
            var next = ends.last ?? -1
            while next >= 0 {
                run.append(pairs[next])
                next = previous[next]
            }
            return run.reversed()
        }

        // MARK: Repeated elements

        /// O((n + m) d) for d insertions and removals, of which ``mostEdits`` are tried.
        private mutating func compareShortest(_ old: Range<Int>, _ new: Range<Int>) {
            guard hasCommonElement(old, new), let path = shortestPath(old, new) else {
                return append(old, new)
            }
            var (a, b) = (old.lowerBound, new.lowerBound)
            for match in path {
                if match.old > a || match.new > b { append(a..<match.old, b..<match.new) }
                (a, b) = (match.old + 1, match.new + 1)
            }
            if a < old.upperBound || b < new.upperBound {
                append(a..<old.upperBound, b..<new.upperBound)
            }
        }

        private func hasCommonElement(_ old: Range<Int>, _ new: Range<Int>) -> Bool {
            let values = Set(self.new[new])
            return self.old[old].contains { values.contains($0) }
        }

        /// The pairs of equal elements on a path with the fewest edits; nil for too many edits.
        private func shortestPath(_ old: Range<Int>, _ new: Range<Int>) -> [(old: Int, new: Int)]? {
            let (n, m) = (old.count, new.count)
            let limit = min(n + m, ListChanges.mostEdits)
            // The furthest reach on each diagonal, before each number of edits.
            var reach = ContiguousArray(repeating: 0, count: 2 * limit + 3)
            var history: [ContiguousArray<Int>] = []
            func value(_ x: Int, _ y: Int) -> Bool {
                self.old[old.lowerBound + x] == self.new[new.lowerBound + y]
            }
            for edits in 0...limit {
                history.append(reach)
                for diagonal in stride(from: -edits, through: edits, by: 2) {
                    let place = diagonal + limit + 1
                    let isDown =
                        diagonal == -edits
                        || (diagonal != edits && reach[place - 1] < reach[place + 1])
                    var x = isDown ? reach[place + 1] : reach[place - 1] + 1
                    while x < n, x - diagonal < m, value(x, x - diagonal) { x += 1 }
                    reach[place] = x
                    if x >= n, x - diagonal >= m {
                        return walkBack(history, n, m, limit, old, new)
                    }
                }
            }
            return nil
        }

        private func walkBack(
            _ history: [ContiguousArray<Int>], _ n: Int, _ m: Int, _ limit: Int, _ old: Range<Int>,
            _ new: Range<Int>
        ) -> [(old: Int, new: Int)] {
            var matches: [(old: Int, new: Int)] = []
            var (x, y) = (n, m)
            for edits in history.indices.reversed() {
                let reach = history[edits]
                let diagonal = x - y
                let place = diagonal + limit + 1
                let isDown =
                    diagonal == -edits
                    || (diagonal != edits && reach[place - 1] < reach[place + 1])
                let before = isDown ? diagonal + 1 : diagonal - 1
                let startX = edits == 0 ? 0 : reach[before + limit + 1]
                let startY = edits == 0 ? 0 : startX - before
                while x > startX, y > startY, edits == 0 || x > (isDown ? startX : startX + 1) {
                    x -= 1
                    y -= 1
                    matches.append((old.lowerBound + x, new.lowerBound + y))
                }
                (x, y) = (startX, startY)
            }
            return matches.reversed()
        }
    }
}
