/// How text compares. In a column of bytes, only ASCII letters have a case, and no diacritics
/// exist.
package struct ScanTextOptions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Each scalar compares by its lowercase mapping; final sigma is a sigma. No locale.
    package static let caseInsensitive = ScanTextOptions(rawValue: 1)
    /// Text compares by its canonical decomposition without nonspacing marks.
    package static let diacriticInsensitive = ScanTextOptions(rawValue: 2)
}
