/// A property of scalars: `\d`, `\p{L}`, `[:alpha:]`.
struct ScalarProperty: Sendable {
    let holds: @Sendable (Unicode.Scalar) -> Bool

    init(_ holds: @escaping @Sendable (Unicode.Scalar) -> Bool) { self.holds = holds }

    private init(_ categories: Set<Unicode.GeneralCategory>) {
        self.init { categories.contains($0.properties.generalCategory) }
    }

    // MARK: Of single letters

    static let digit = ScalarProperty([.decimalNumber])
    static let space = ScalarProperty { $0.properties.isWhitespace }
    static let word = ScalarProperty { isWord($0) }
    static let horizontalSpace = ScalarProperty {
        $0 == "\t" || $0.properties.generalCategory == .spaceSeparator
    }
    static let lineEnd = ScalarProperty { isLineEnd($0.value) }

    static func isLineEnd(_ value: UInt32) -> Bool {
        value &- 0x0A <= 3 || value == 0x85 || value &- 0x2028 <= 1
    }

    static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        if value < 128 {
            return value &- 97 < 26 || value &- 65 < 26 || value &- 48 < 10 || value == 95
        }
        if value == 0x200C || value == 0x200D || scalar.properties.isAlphabetic { return true }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation:
            return true
        default: return false
        }
    }

    /// Whether a scalar extends the one before it, so that no word begins or ends between them.
    static func isExtender(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 128 { return false }
        return scalar.properties.isGraphemeExtend || scalar.properties.generalCategory == .format
    }

    // MARK: By name

    /// Returns the property with a Unicode name, in the short or the long form. Case, spaces,
    /// hyphens and underscores are ignored. Nil if the name is not known.
    static func named(_ name: String) -> ScalarProperty? {
        var key = String(
            name.lowercased().unicodeScalars.filter { $0 != "_" && $0 != "-" && $0 != " " })
        for prefix in ["gc=", "generalcategory="] where key.hasPrefix(prefix) {
            key.removeFirst(prefix.count)
            return categories[key].map { ScalarProperty($0) }
        }
        if let categories = categories[key] { return ScalarProperty(categories) }
        return others[key].map { ScalarProperty($0) }
    }

    private static let categories: [String: Set<Unicode.GeneralCategory>] = {
        let single: [(String, String, Unicode.GeneralCategory)] = [
            ("lu", "uppercaseletter", .uppercaseLetter),
            ("ll", "lowercaseletter", .lowercaseLetter),
            ("lt", "titlecaseletter", .titlecaseLetter), ("lm", "modifierletter", .modifierLetter),
            ("lo", "otherletter", .otherLetter), ("mn", "nonspacingmark", .nonspacingMark),
            ("mc", "spacingmark", .spacingMark), ("me", "enclosingmark", .enclosingMark),
            ("nd", "decimalnumber", .decimalNumber), ("nl", "letternumber", .letterNumber),
            ("no", "othernumber", .otherNumber),
            ("pc", "connectorpunctuation", .connectorPunctuation),
            ("pd", "dashpunctuation", .dashPunctuation),
            ("ps", "openpunctuation", .openPunctuation),
            ("pe", "closepunctuation", .closePunctuation),
            ("pi", "initialpunctuation", .initialPunctuation),
            ("pf", "finalpunctuation", .finalPunctuation),
            ("po", "otherpunctuation", .otherPunctuation),
            ("sm", "mathsymbol", .mathSymbol), ("sc", "currencysymbol", .currencySymbol),
            ("sk", "modifiersymbol", .modifierSymbol), ("so", "othersymbol", .otherSymbol),
            ("zs", "spaceseparator", .spaceSeparator), ("zl", "lineseparator", .lineSeparator),
            ("zp", "paragraphseparator", .paragraphSeparator), ("cc", "control", .control),
            ("cf", "format", .format),
            ("co", "privateuse", .privateUse), ("cn", "unassigned", .unassigned),
        ]
        var table: [String: Set<Unicode.GeneralCategory>] = [:]
        for (short, long, category) in single {
            table[short] = [category]
            table[long] = [category]
            table[String(short.prefix(1)), default: []].insert(category)
        }
        let groups = [
            "letter": "l", "mark": "m", "combiningmark": "m", "number": "n", "punctuation": "p",
            "punct": "p", "symbol": "s",
            "separator": "z", "other": "c", "digit": "nd", "cntrl": "cc",
        ]
        for (long, short) in groups { table[long] = table[short] }
        table["lc"] = [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter]
        table["casedletter"] = table["lc"]
        return table
    }()

    private static let others: [String: @Sendable (Unicode.Scalar) -> Bool] = [
        "alphabetic": { $0.properties.isAlphabetic }, "alpha": { $0.properties.isAlphabetic },
        "uppercase": { $0.properties.isUppercase }, "upper": { $0.properties.isUppercase },
        "lowercase": { $0.properties.isLowercase }, "lower": { $0.properties.isLowercase },
        "whitespace": { $0.properties.isWhitespace }, "wspace": { $0.properties.isWhitespace },
        "space": { $0.properties.isWhitespace },
        "alnum": { $0.properties.isAlphabetic || $0.properties.generalCategory == .decimalNumber },
        "blank": { $0 == "\t" || $0.properties.generalCategory == .spaceSeparator },
        "xdigit": { $0.properties.isHexDigit || $0.properties.generalCategory == .decimalNumber },
        "hexdigit": { $0.properties.isHexDigit },
        "asciihexdigit": { $0.properties.isASCIIHexDigit },
        "ahex": { $0.properties.isASCIIHexDigit }, "ascii": { $0.isASCII }, "any": { _ in true },
        "assigned": { $0.properties.generalCategory != .unassigned },
        "cased": { $0.properties.isCased }, "math": { $0.properties.isMath },
        "dash": { $0.properties.isDash },
        "diacritic": { $0.properties.isDiacritic }, "extender": { $0.properties.isExtender },
        "ideographic": { $0.properties.isIdeographic }, "emoji": { $0.properties.isEmoji },
        "emojipresentation": { $0.properties.isEmojiPresentation },
        "idstart": { $0.properties.isIDStart },
        "idcontinue": { $0.properties.isIDContinue },
    ]
}
