import FreeholdStorage

/// How a query compares text.
public struct StringOptions: OptionSet, Hashable, Sendable {
    /// The options as bits. They are not stored anywhere.
    public let rawValue: Int8

    /// Makes options from bits.
    public init(rawValue: Int8) { self.rawValue = rawValue }

    /// Ignores case, in all of Unicode, independent of the locale.
    public static let caseInsensitive = StringOptions(rawValue: 1)
    /// Ignores accents and other marks that combine with a letter.
    public static let diacriticInsensitive = StringOptions(rawValue: 2)

    var lowered: ScanTextOptions {
        var options: ScanTextOptions = []
        if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
        if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
        return options
    }
}
