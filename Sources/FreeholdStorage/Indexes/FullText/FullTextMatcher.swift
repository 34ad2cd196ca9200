/// Tests texts against a search, word by word. Confined to one thread.
final class FullTextMatcher {
    private let query: FullTextQuery
    private let words = TextWords()
    /// What the search names, each with whether the present text has it.
    private var leaves: [Leaf] = []

    fileprivate struct Leaf {
        let sought: [[UInt8]]
        let endsInPrefix: Bool
        var isFound = false
        /// Of phrases: how many words of it the last words were, for each place where it may
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

    /// O(text × words of the search).
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

    /// The leaves come in the order in which they were collected.
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
    /// Whether a text has what is searched for. To test many texts, storage makes one matcher.
    /// O(text × words of the search).
    package func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { FullTextMatcher(self).matches(UnsafeRawBufferPointer($0)) }
    }
}
