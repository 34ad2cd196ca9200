import FreeholdStorage

// Aggregates in the type that the caller asks for, including those of ``AnyRealmValue``
// properties.

extension ResultsState {
    /// Returns the least, the greatest or the mean of one of the class's properties; nil if no
    /// object has a value. Traps as ``aggregate(_:of:)``.
    func aggregate<T>(_ aggregate: Aggregate, of property: String, as type: T.Type) -> T? {
        if let anyValues = anyValues(aggregate, of: property) { return anyValues.value(as: type) }
        return convertAggregate(self.aggregate(aggregate, of: property), to: type, in: core)
    }

    /// Returns the sum of one of the class's properties; 0 if no object has a value. Traps as
    /// ``aggregate(_:of:)``.
    func sum<T>(of property: String, as type: T.Type) -> T {
        if let anyValues = anyValues(.sum, of: property) { return anyValues.sum(as: type) }
        return convertSum(aggregate(.sum, of: property), to: type, in: core) {
            var values: [ScanValue] = []
            _ = core.firstRow(of: binding) { object -> Void? in
                if let value = object.storedValue(named: property),
                    let any = try? AnyRealmValue(literal: value)
                {
                    values.append(any.scanNumber)
                }
                return nil
            }
            return values
        }
    }

    /// Returns an aggregate over the values of an ``AnyRealmValue`` property; nil for properties
    /// of other types.
    ///
    /// The least and the greatest follow the order of all values, so only the object that has the
    /// value is made. Sums add the numbers among the values.
    func anyValues(_ aggregate: Aggregate, of property: String) -> UnmanagedAggregate? {
        guard let descriptor = binding.schema.property(named: property), descriptor.type == .any,
            descriptor.shape == nil
        else { return nil }
        let column = binding.columns[descriptor.ordinal]
        let rows: ScanRows = self.rows == nil ? .matching(predicate) : .keys(keys())
        var numbers: [AnyRealmValue] = []
        var best: (key: Int64, value: MixedValue)?
        ask(()) { engine, table throws(StorageError) in
            try engine.forEachMixed(column: column, in: table, of: rows) { key, value in
                guard let value else { return core.noteDamagedMixedValue() }
                switch aggregate {
                case .sum, .average:
                    if value.isNumber {
                        numbers.append(
                            AnyRealmValue(value, of: binding) { _ in
                                preconditionFailure("A number is no collection.")
                            })
                    }
                case .minimum, .maximum:
                    if value.isNaN { return }
                    let order = best.map { MixedValue.compare(value, $0.value) } ?? 0
                    if best == nil || (aggregate == .minimum ? order < 0 : order > 0) {
                        best = (key, value)
                    }
                }
            }
        }
        if let best, let value = object(key: best.key).storedValue(named: property) {
            numbers = [value as? AnyRealmValue ?? (try? AnyRealmValue(literal: value)) ?? .none]
        }
        return UnmanagedAggregate(aggregate, ofAny: numbers, in: core)
    }
}

extension MixedValue {
    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .float, .double, .decimal: true
        default: false
        }
    }

    fileprivate var isNaN: Bool {
        switch self {
        case .float(let value): value.isNaN
        case .double(let value): value.isNaN
        case .decimal(let low, let high):
            DecimalOrder.key(low: low, high: high) == DecimalOrder.notANumber
        default: false
        }
    }
}
