/// The role of a scalar in words: the relevant classes of Unicode's UAX #29, by general
/// categories and ranges.
enum WordClass: UInt8 {
    /// Between words.
    case other
    case letter
    case digit
    /// Joins its neighbours: `_`.
    case connector
    case katakana
    /// A word on its own: written without spaces.
    case single
    /// Belongs to the preceding scalar.
    case mark
    /// Ignored.
    case format
    /// Part of a word between two letters, between two digits, or between either.
    case middleOfLetters, middleOfNumbers, middleOfBoth

    /// Whether punctuation of this class may follow a scalar of the other class inside a word.
    @inline(__always)
    func mayFollow(_ last: WordClass) -> Bool {
        switch self {
        case .middleOfLetters: last == .letter
        case .middleOfNumbers: last == .digit
        case .middleOfBoth: last == .letter || last == .digit
        default: false
        }
    }

    /// Whether a scalar of this class continues a word after a scalar of the other class.
    @inline(__always)
    func continues(_ last: WordClass) -> Bool {
        switch (last, self) {
        case (.letter, .letter), (.letter, .digit), (.digit, .letter), (.digit, .digit),
            (.katakana, .katakana):
            true
        case (.connector, .letter), (.connector, .digit), (.connector, .katakana),
            (.connector, .connector):
            true
        case (.letter, .connector), (.digit, .connector), (.katakana, .connector): true
        default: false
        }
    }

    /// The class of a byte of lowercase ASCII.
    @inline(__always)
    static func ascii(_ byte: UInt8) -> WordClass {
        switch byte {
        case 0x61...0x7A: .letter
        case 0x30...0x39: .digit
        case 0x5F: .connector
        case 0x27, 0x2E: .middleOfBoth
        case 0x3A: .middleOfLetters
        case 0x2C, 0x3B: .middleOfNumbers
        default: .other
        }
    }

    init(_ scalar: Unicode.Scalar) {
        if scalar.isASCII {
            self = Self.ascii(UInt8(truncatingIfNeeded: scalar.value))
            return
        }
        switch scalar.value {
        case 0xB7, 0x387, 0x55F, 0x5F4, 0x2027, 0xFE13, 0xFE55, 0xFF1A: self = .middleOfLetters
        case 0x2018, 0x2024, 0xFE52, 0xFF0E: self = .middleOfBoth
        case 0x37E, 0x589, 0x60C, 0x60D, 0x66C, 0x7F8, 0x2044, 0xFE10, 0xFE14, 0xFF0C, 0xFF1B:
            self = .middleOfNumbers
        default:
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter,
                .otherLetter:
                self = Self.letter(scalar)
            case .letterNumber, .decimalNumber, .otherNumber:
                self = scalar.properties.isIdeographic ? .single : .digit
            case .connectorPunctuation: self = .connector
            case .spacingMark, .enclosingMark, .nonspacingMark: self = .mark
            case .format: self = .format
            default: self = .other
            }
        }
    }

    private static func letter(_ scalar: Unicode.Scalar) -> WordClass {
        switch scalar.value {
        case 0x30A0...0x30FF, 0x31F0...0x31FF, 0x32D0...0x32FE, 0x3300...0x3357, 0xFF66...0xFF9D,
            0x1AFF0...0x1AFFE, 0x1B000, 0x1B120...0x1B122,
            0x1B164...0x1B167:
            .katakana
        // Hiragana.
        case 0x3041...0x309F, 0x1B001...0x1B11F, 0x1B132, 0x1B150...0x1B152: .single
        // Thai and Lao; Myanmar; Khmer; Tai Le to New Tai Lue; Tai Tham; Myanmar Extended; Tai
        // Viet; Ahom.
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x1950...0x19DF, 0x1A20...0x1AAF,
            0xA9E0...0xA9FF, 0xAA60...0xAADF, 0x11700...0x1174F:
            .single
        default: scalar.properties.isIdeographic ? .single : .letter
        }
    }

    /// Replaces typographic apostrophes with the ASCII one.
    @inline(__always)
    static func normalized(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        scalar == "\u{2019}" || scalar == "\u{FF07}" ? "'" : scalar
    }

    /// Whether a scalar was assigned in Unicode 15.0, on which stored words are based.
    static func isKnown(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return true }
        guard let age = scalar.properties.age else { return false }
        return age.major < 15 || (age.major == 15 && age.minor == 0)
    }
}
