import FreeholdStorage

/// A scalar property or link, with the place of its values.
///
/// The short path of all front ends: a property that is compared with a value of its own type
/// needs neither names nor a tree. Building them would take as long as the look-up in an index.
struct KnownColumn {
    let path: ScanPath
    let type: PropertyType

    /// Returns nil for a constant that must be checked, converted or refused
    /// (``PredicateLowering``).
    @inline(__always)
    func compared(_ comparison: ScanComparison, _ constant: PredicateConstant) -> ScanPredicate? {
        guard constant.propertyType == type || (constant.isNull && !comparison.isOrdered),
            let value = constant.scanValue
        else { return nil }
        return .compare(path, comparison, value)
    }
}

extension ClassBinding {
    /// Returns a comparison of the property that a key path of this class leads to; nil if it
    /// needs the general path.
    ///
    /// - Parameter isTriedOut: Whether the key path must return the property's value
    ///   (``PropertyKeyPath``).
    @inline(__always)
    func quickly(
        _ keyPath: AnyKeyPath, _ comparison: ScanComparison, _ constant: PredicateConstant,
        isTriedOut: Bool
    ) -> ScanPredicate? {
        let known = loweredQueries.column(of: keyPath, isTriedOut: isTriedOut)
        return (known ?? findColumn(of: keyPath, isTriedOut: isTriedOut))?
            .compared(comparison, constant)
    }

    @inline(never)
    private func findColumn(of keyPath: AnyKeyPath, isTriedOut: Bool) -> KnownColumn? {
        let names =
            isTriedOut
            ? PropertyKeyPath.names(of: keyPath, from: schema.type)
            : KeyPathNames.names(of: keyPath, from: schema.type)
        guard names.count == 1, let ordinal = schema.ordinal(named: names[0]) else { return nil }
        let property = schema.properties[ordinal]
        // Links need a check of the value, and ``AnyRealmValue``s have several types.
        guard property.shape == nil, property.type != .any else { return nil }
        let column = KnownColumn(path: ScanPath(column: columns[ordinal]), type: property.type)
        if !core.isFrozen { loweredQueries.note(column, of: keyPath, isTriedOut: isTriedOut) }
        return column
    }
}
