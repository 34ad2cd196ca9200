import FreeholdStorage

/// An aggregate of one property over all objects of a collection.
enum Aggregate: String {
    case minimum = "min", maximum = "max", sum = "sum", average = "average"
}

extension ResultsState {
    /// Returns an aggregate of one of the class's properties. Null if no object has a value (0
    /// for a sum).
    ///
    /// Traps if there is no such property, or if its type has no such aggregate.
    func aggregate(_ aggregate: Aggregate, of property: String) -> ScanValue {
        guard let descriptor = binding.schema.property(named: property) else {
            misuse(
                "Invalid property name '\(property)' for class '\(className)'.",
                remedy: """
                    Aggregates work on the persisted properties of the class itself, \
                    not on paths over links.
                    """)
        }
        let column = binding.columns[descriptor.ordinal]
        switch (descriptor.columnType, aggregate) {
        case (.decimal, .sum), (.decimal, .average):
            return addDecimals(aggregate, column)
        case (let type, _) where aggregate.isDefined(for: type):
            return aggregateNumbers(aggregate, column, isInteger: descriptor.columnType == .integer)
        default:
            misuse(
                """
                Operation '\(aggregate.rawValue)' not supported for \
                \(descriptor.type) property '\(className).\(property)'
                """,
                remedy: """
                    Only numbers can be added; only numbers and dates have a minimum \
                    and a maximum.
                    """)
        }
    }

    /// The rows of the collection. A row that a source has several times counts as often.
    private var aggregatedRows: ScanRows { rows == nil ? .matching(predicate) : .keys(keys()) }

    private func aggregateNumbers(_ aggregate: Aggregate, _ column: ColumnID, isInteger: Bool)
        -> ScanValue
    {
        let rows = aggregatedRows
        return ask(.null) { engine, table throws(StorageError) in
            switch aggregate {
            case .minimum: return try engine.min(column: column, in: table, of: rows) ?? .null
            case .maximum: return try engine.max(column: column, in: table, of: rows) ?? .null
            case .average:
                return try engine.average(column: column, in: table, of: rows).map { .double($0) }
                    ?? .null
            case .sum:
                let sum = try engine.sum(column: column, in: table, of: rows)
                guard isInteger else { return .double(sum.double) }
                // A sum beyond the range of integers can still be asked for as a floating-point
                // number.
                return Int64(exactly: sum.integer).map { .integer($0) }
                    ?? .double(Double(sum.integer))
            }
        }
    }

    /// Returns the sum or the average of decimals, which the engine does not compute.
    private func addDecimals(_ aggregate: Aggregate, _ column: ColumnID) -> ScanValue {
        var sum = Decimal128.zero
        var count = 0
        let rows = aggregatedRows
        ask(()) { engine, table throws(StorageError) in
            try engine.forEachDecimal(column: column, in: table, of: rows) { low, high in
                let value = Decimal128(highBits: high, lowBits: low)
                // The sum begins with the first value, not with 0, so that its exponent stays.
                sum = count == 0 ? value : sum + value
                count += 1
            }
        }
        if aggregate == .average {
            if count == 0 { return .null }
            sum = sum / Decimal128(integerLiteral: Int64(count))
        }
        return .decimal(sum.lowBits, sum.highBits)
    }
}
