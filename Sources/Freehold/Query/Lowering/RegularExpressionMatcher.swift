import Foundation
import FreeholdStorage

/// The operator MATCHES, which storage does not have: whether a regular expression matches a
/// whole text.
enum RegularExpressionMatcher {
    /// Returns a matcher. Throws if the pattern is not valid.
    static func matcher(_ pattern: String, _ options: StringOptions) throws(QueryError)
        -> ScanTextMatcher
    {
        let name = "MATCHES\(options.rawValue) \(pattern)"
        let expression = try expression(pattern, options)
        if !options.contains(.diacriticInsensitive) {
            return ScanTextMatcher(name: name) { expression.matches($0) }
        }
        return ScanTextMatcher(name: name) {
            expression.matches(withoutDiacritics(String(decoding: $0, as: UTF8.self)))
        }
    }

    /// Returns a test of texts. Throws if the pattern is not valid.
    static func test(_ pattern: String, _ options: StringOptions) throws(QueryError)
        -> @Sendable (String) -> Bool
    {
        let expression = try expression(pattern, options)
        if !options.contains(.diacriticInsensitive) { return { expression.matches($0) } }
        return { expression.matches(withoutDiacritics($0)) }
    }

    private static func expression(_ pattern: String, _ options: StringOptions) throws(QueryError)
        -> RegularExpression
    {
        let wanted = options.contains(.diacriticInsensitive) ? withoutDiacritics(pattern) : pattern
        do throws(RegularExpressionError) {
            return try RegularExpression(wanted, ignoresCase: options.contains(.caseInsensitive))
        } catch {
            throw PredicateErrors.invalidPattern(pattern, error)
        }
    }

    private static func withoutDiacritics(_ text: String) -> String {
        text.folding(options: .diacriticInsensitive, locale: nil)
    }
}
