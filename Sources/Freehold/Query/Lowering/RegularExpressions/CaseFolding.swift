/// Simple case folding: scalars that differ only by case have the same folding. It depends on no
/// locale, and maps one scalar to one scalar, so `ß` is not `ss`.
enum CaseFolding {
    static func fold(_ value: UInt32) -> UInt32 {
        if value < 128 { return value &- 65 < 26 ? value | 32 : value }
        return table.folded[value] ?? value
    }

    /// Returns all scalars with the same folding, including the scalar itself.
    static func variants(of value: UInt32) -> [UInt32] {
        let folded = fold(value)
        return table.variants[folded] ?? [value]
    }

    static func hasVariants(_ value: UInt32) -> Bool { table.variants[fold(value)] != nil }

    private struct Table {
        /// The foldings of scalars that are not their own folding.
        var folded: [UInt32: UInt32] = [:]
        /// The scalars by their folding, if there are several.
        var variants: [UInt32: [UInt32]] = [:]
    }

    /// Made when an expression first ignores case. Scalars beyond the table have no case.
    private static let table: Table = {
        var table = Table()
        for value in UInt32(0)..<0x1_F000 {
            guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenCaseMapped else {
                continue
            }
            let folded = mapped(scalar)
            if folded == value { continue }
            table.folded[value] = folded
            table.variants[folded, default: [folded]].append(value)
        }
        return table
    }()

    /// The standard library has the full mappings; those to several scalars are not simple.
    private static func mapped(_ scalar: Unicode.Scalar) -> UInt32 {
        // In all other languages, the Turkish ones fold to themselves.
        if scalar.value == 0x130 || scalar.value == 0x131 { return scalar.value }
        let upper = single(scalar.properties.uppercaseMapping) ?? scalar
        return (single(upper.properties.lowercaseMapping) ?? upper).value
    }

    private static func single(_ mapping: String) -> Unicode.Scalar? {
        let scalars = mapping.unicodeScalars
        return scalars.count == 1 ? scalars.first : nil
    }
}
