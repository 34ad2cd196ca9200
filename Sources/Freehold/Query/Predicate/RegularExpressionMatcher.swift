import Foundation
import FreeholdStorage

/// The operator MATCHES, which storage knows nothing of: whether a regular expression matches a whole text.
enum RegularExpressionMatcher {
    /// Throws if the pattern is none.
    static func matcher(_ pattern: String, _ options: StringOptions) throws(QueryError) -> ScanTextMatcher {
        let test = try test(pattern, options)
        return ScanTextMatcher(name: "MATCHES\(options.rawValue) \(pattern)") { test(String(decoding: $0, as: UTF8.self)) }
    }

    /// Throws if the pattern is none.
    static func test(_ pattern: String, _ options: StringOptions) throws(QueryError) -> @Sendable (String) -> Bool {
        let ignoresDiacritics = options.contains(.diacriticInsensitive)
        let wanted = ignoresDiacritics ? folded(pattern) : pattern
        // The expression has to match all of the text, so that its own anchors and alternatives stay what they are.
        let expression: NSRegularExpression
        do {
            expression = try NSRegularExpression(pattern: "\\A(?:\(wanted))\\z", options: options.contains(.caseInsensitive) ? .caseInsensitive : [])
        } catch {
            throw PredicateErrors.invalidPattern(pattern)
        }
        return { text in
            let text = ignoresDiacritics ? folded(text) : text
            return expression.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
        }
    }

    private static func folded(_ text: String) -> String { text.folding(options: .diacriticInsensitive, locale: nil) }
}
