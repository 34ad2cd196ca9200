/// Answers searches by a full-text index, in which each word of a row's text is a value of the row.
///
/// An AND begins with the rarest word and tests its rows in the entries of the others, or merges
/// the lists. A phrase is tested on the texts of the rows that have all its words.
struct FullTextReader {
    let index: IndexReader
    /// The number of keys that can be listed in the time of testing one row key in the index.
    private static let keysPerTest = 400
    private static let noLimit = 1 << 40

    /// Estimates how many rows contain the words, up to about `limit`. One look-up for each
    /// word.
    func estimate(_ query: FullTextQuery, limit: Int) throws(StorageError) -> Int {
        switch query {
        case .none: return 0
        case .word(let word): return try index.count(equalTo: Self.key(word))
        case .prefix(let word):
            let (from, to) = Self.range(word)
            return try index.estimatedCount(from: from, to: to, limit: limit)
        case .phrase(let words, let endsInPrefix):
            return try estimate(Self.words(of: words, endsInPrefix: endsInPrefix), limit: limit)
        case .and(let operands):
            var least = limit
            for operand in operands where operand.isListed {
                least = min(least, try estimate(operand, limit: least))
            }
            return least
        case .or(let operands):
            var total = 0
            for operand in operands where total < limit {
                total += try estimate(operand, limit: limit - total)
            }
            return total
        case .not: return limit
        }
    }

    /// The matching rows, ascending; for phrases, the rows that contain all their words. O(rows
    /// of the words). For AND it is O(rows of the rarest word) if the others have far more.
    func keys(_ query: FullTextQuery) throws(StorageError) -> [Int64] {
        switch query {
        case .none, .not: return []
        case .word(let word):
            var keys: [Int64] = []
            try index.appendKeys(equalTo: Self.key(word), to: &keys)
            return keys
        case .prefix(let word):
            var keys: [Int64] = []
            let (from, to) = Self.range(word)
            try index.appendKeys(from: from, to: to, to: &keys)
            return Self.sorted(keys)
        case .phrase(let words, let endsInPrefix):
            return try keys(Self.words(of: words, endsInPrefix: endsInPrefix))
        case .and(let operands): return try intersection(operands)
        case .or(let operands):
            var keys: [Int64] = []
            for operand in operands { keys += try self.keys(operand) }
            return Self.sorted(keys)
        }
    }

    /// The rows that match all operands. It begins with the rarest operand.
    private func intersection(_ operands: [FullTextQuery]) throws(StorageError) -> [Int64] {
        var listed: [(query: FullTextQuery, count: Int)] = []
        for operand in operands where operand.isListed {
            listed.append((operand, try estimate(operand, limit: Self.noLimit)))
        }
        listed.sort { $0.count < $1.count }
        guard let rarest = listed.first else { return [] }
        var keys = try self.keys(rarest.query)
        for (query, count) in listed.dropFirst() where !keys.isEmpty {
            if case .word(let word) = query, keys.count < count / Self.keysPerTest {
                let key = Self.key(word)
                var kept: [Int64] = []
                for rowKey in keys { if try index.contains(key, rowKey) { kept.append(rowKey) } }
                keys = kept
            } else {
                Self.filter(&keys, by: try self.keys(query), keepsFound: true)
            }
        }
        for case .not(let operand) in operands
        where operand.isListed && operand.isExact && !keys.isEmpty {
            Self.filter(&keys, by: try self.keys(operand), keepsFound: false)
        }
        return keys
    }

    private static func words(of phrase: [[UInt8]], endsInPrefix: Bool) -> FullTextQuery {
        .and(
            phrase.indices.map {
                endsInPrefix && $0 == phrase.count - 1 ? .prefix(phrase[$0]) : .word(phrase[$0])
            })
    }

    static func key(_ word: [UInt8]) -> IndexKey { word.withUnsafeBytes { .bytes($0) } }

    /// The range of words with this beginning. A word in UTF-8 has no byte 255.
    private static func range(_ prefix: [UInt8]) -> (IndexBound, IndexBound) {
        var next = prefix
        next[next.count - 1] += 1
        return (.including(key(prefix)), .excluding(key(next)))
    }

    private static func sorted(_ keys: [Int64]) -> [Int64] {
        var unique = ContiguousArray(keys)
        unique.sortAndRemoveDuplicates()
        return Array(unique)
    }

    /// Keeps those of some ascending keys that are among others, also ascending; or those that
    /// are not.
    private static func filter(_ keys: inout [Int64], by others: [Int64], keepsFound: Bool) {
        let kept = keys.withUnsafeMutableBufferPointer { keys in
            others.withUnsafeBufferPointer { others in
                var kept = 0
                var next = 0
                for index in keys.indices {
                    let key = keys[index]
                    while next < others.count, others[next] < key { next &+= 1 }
                    if (next < others.count && others[next] == key) == keepsFound {
                        keys[kept] = key
                        kept &+= 1
                    }
                }
                return kept
            }
        }
        keys.removeLast(keys.count - kept)
    }
}
