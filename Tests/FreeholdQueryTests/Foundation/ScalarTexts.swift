/// Texts whose every Unicode scalar was replaced by a private one, in the same order: Swift
/// then compares and searches them by their scalars, as the database does the original ones,
/// because private scalars are characters of their own and equivalent to nothing.
struct ScalarTexts {
    private let places: [Unicode.Scalar: UInt32]

    /// For texts of these scalars.
    init(_ texts: [String]) {
        let scalars = Set(texts.flatMap { Array($0.unicodeScalars) }).sorted()
        places = Dictionary(
            uniqueKeysWithValues: scalars.enumerated().map { ($1, 0xE000 + UInt32($0)) })
    }

    func encode(_ text: String) -> String {
        var encoded = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { encoded.append(Unicode.Scalar(places[scalar]!)!) }
        return String(encoded)
    }
}
