/// Tests texts against a full-text query, word by word. Confined to one thread.
final class FullTextMatcher {
    private let query: FullTextQuery
    private let words = TextWords()
    /// The query's words and phrases, each with whether the current text contains it.
    private var leaves: [Leaf] = []

    fileprivate struct Leaf {
        let sought: [[UInt8]]
        let endsInPrefix: Bool
        var isFound = false
        /// For a phrase: the number of its words matched so far, for each place where it may
        /// have begun.
        var begun: [Int] = []
    }

    init(_ query: FullTextQuery) {
        self.query = query
        collect(query)
    }

    private func collect(_ query: FullTextQuery) {
        switch query {
        case .none: break
        case .word(let word): leaves.append(Leaf(sought: [word], endsInPrefix: false))
        case .prefix(let word): leaves.append(Leaf(sought: [word], endsInPrefix: true))
        case .phrase(let words, let endsInPrefix):
            leaves.append(Leaf(sought: words, endsInPrefix: endsInPrefix))
        case .and(let operands), .or(let operands): operands.forEach(collect)
        case .not(let operand): collect(operand)
        }
    }

    /// Whether a text matches. O(text × words of the query).
    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        words.find(in: text)
        for index in leaves.indices {
            leaves[index].isFound = false
            leaves[index].begun.removeAll(keepingCapacity: true)
        }
        for position in 0..<words.count {
            let word = words[position]
            for index in leaves.indices where !leaves[index].isFound { leaves[index].note(word) }
        }
        var next = 0
        return holds(query, &next)
    }

    /// Evaluates a query. It visits the leaves in the order of their collection.
    private func holds(_ query: FullTextQuery, _ next: inout Int) -> Bool {
        switch query {
        case .none: return false
        case .word, .prefix, .phrase:
            next += 1
            return leaves[next - 1].isFound
        case .and(let operands):
            var all = true
            for operand in operands { if !holds(operand, &next) { all = false } }
            return all
        case .or(let operands):
            var any = false
            for operand in operands { if holds(operand, &next) { any = true } }
            return any
        case .not(let operand): return !holds(operand, &next)
        }
    }
}

extension FullTextMatcher.Leaf {
    fileprivate mutating func note(_ word: UnsafeRawBufferPointer) {
        if sought.count == 1 {
            isFound = fits(word, 0)
            return
        }
        var kept = 0
        for index in begun.indices where fits(word, begun[index]) {
            if begun[index] + 1 == sought.count {
                isFound = true
                return
            }
            begun[kept] = begun[index] + 1
            kept += 1
        }
        begun.removeLast(begun.count - kept)
        if fits(word, 0) { begun.append(1) }
    }

    private func fits(_ word: UnsafeRawBufferPointer, _ position: Int) -> Bool {
        sought[position].withUnsafeBytes { sought in
            guard endsInPrefix, position == self.sought.count - 1 else {
                return ByteComparison.areEqual(word, sought)
            }
            return word.count >= sought.count
                && ByteComparison.areEqual(
                    UnsafeRawBufferPointer(rebasing: word[..<sought.count]), sought)
        }
    }
}

extension FullTextQuery {
    /// Whether a text matches the query. To test many texts, storage reuses one matcher. O(text
    /// × words of the query).
    package func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { FullTextMatcher(self).matches(UnsafeRawBufferPointer($0)) }
    }
}
