import FreeholdStorage
import FreeholdTestSupport

/// Texts whose words are known because they are made of them, and searches evaluated on lists
/// of words.
struct WordModel {
    /// What stands in texts, and the words that it is.
    static let vocabulary: [(text: String, words: [String])] = [
        ("swift", ["swift"]), ("Swift", ["swift"]), ("SWIFTLY", ["swiftly"]), ("data", ["data"]),
        ("database", ["database"]), ("DATA", ["data"]),
        ("Café", ["cafe"]), ("cafe\u{301}", ["cafe"]), ("cafeteria", ["cafeteria"]),
        ("naïve", ["naive"]), ("don’t", ["don't"]), ("don't", ["don't"]), ("don", ["don"]),
        ("東京", ["東", "京"]), ("京", ["京"]), ("タワー", ["タワー"]), ("Привет", ["привет"]),
        ("при", ["при"]), ("x1", ["x1"]), ("3.14", ["3.14"]), ("3", ["3"]),
        ("so\u{AD}ft", ["soft"]), ("a", ["a"]), ("b", ["b"]),
    ]
    static let separators = [
        " ", "  ", ", ", " - ", "🎉", " 👨‍👩‍👧 ", "\n", "!", " … ", "\u{1F600}\u{FE0F}", " ' ",
    ]

    static func text(_ count: Int, using random: inout SeededGenerator) -> (
        text: String, words: [String]
    ) {
        var text = random.once(in: 4) ? random.pick(separators) : ""
        var words: [String] = []
        for _ in 0..<count {
            // The first ones are frequent.
            let entry = vocabulary[
                min(random.int(0...vocabulary.count - 1), random.int(0...vocabulary.count - 1))]
            text += entry.text + random.pick(separators)
            words += entry.words
        }
        return (text, words)
    }

    /// A search as it is written, and what it says of a list of words.
    struct Search {
        let text: String
        let holds: ([String]) -> Bool
    }

    static func search(depth: Int, using random: inout SeededGenerator) -> Search {
        if depth > 0, !random.once(in: 3) {
            let first = search(depth: depth - 1, using: &random)
            let second = search(depth: depth - 1, using: &random)
            switch random.int(0...4) {
            case 0:
                return Search(text: "(\(first.text)) (\(second.text))") {
                    first.holds($0) && second.holds($0)
                }
            case 1:
                return Search(text: "(\(first.text)) AND (\(second.text))") {
                    first.holds($0) && second.holds($0)
                }
            case 2:
                return Search(text: "(\(first.text)) OR (\(second.text))") {
                    first.holds($0) || second.holds($0)
                }
            case 3:
                return Search(text: "(\(first.text)) -(\(second.text))") {
                    first.holds($0) && !second.holds($0)
                }
            default: return Search(text: "NOT (\(first.text))") { !first.holds($0) }
            }
        }
        let entry = random.pick(vocabulary)
        switch random.int(0...3) {
        case 0:
            let prefix = String(entry.words[entry.words.count - 1].prefix(random.int(1...3)))
            // A prefix that ends in punctuation has another word in front of it.
            if prefix.allSatisfy({ $0.isLetter || $0.isNumber }) {
                return Search(text: prefix + "*") { $0.contains { $0.hasPrefix(prefix) } }
            }
        case 1:
            let other = random.pick(vocabulary)
            let words = entry.words + other.words
            return Search(text: "\"\(entry.text) \(other.text)\"") { contains($0, words) }
        default: break
        }
        return Search(text: entry.text) { contains($0, entry.words) }
    }

    /// Whether some words stand one behind the other.
    static func contains(_ words: [String], _ part: [String]) -> Bool {
        guard words.count >= part.count else { return false }
        return (0...(words.count - part.count)).contains {
            Array(words[$0..<($0 + part.count)]) == part
        }
    }
}
