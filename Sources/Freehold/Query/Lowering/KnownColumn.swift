import FreeholdStorage

/// A scalar property or link, and where its values are.
///
/// The one short way of all front ends: a property that is compared with a value of its own type
/// takes neither names nor a tree, because a lookup by an index takes no longer than these.
struct KnownColumn {
    let path: ScanPath
    let type: PropertyType

    /// Nil of a constant that has to be looked at, converted or refused (``PredicateLowering``).
    @inline(__always)
    func compared(_ comparison: ScanComparison, _ constant: PredicateConstant) -> ScanPredicate? {
        guard constant.propertyType == type || (constant.isNull && !comparison.isOrdered),
            let value = constant.scanValue
        else { return nil }
        return .compare(path, comparison, value)
    }
}

extension ClassBinding {
    /// A comparison of the property that a key path of this class leads to; nil where it has to
    /// go the long way.
    ///
    /// - Parameter isTriedOut: Whether the key path has to give what the property has
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
        // A link has no values that are compared without a look, any values have several types.
        guard property.shape == nil, property.type != .any else { return nil }
        let column = KnownColumn(path: ScanPath(column: columns[ordinal]), type: property.type)
        if !core.isFrozen {
            loweredQueries.note(column, of: keyPath, isTriedOut: isTriedOut)
        }
        return column
    }
}
