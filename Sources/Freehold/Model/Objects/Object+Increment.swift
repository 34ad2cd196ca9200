import FreeholdStorage

extension ThreadConfined where Self: ObjectBase {
    /// Adds to an integer property. In a write transaction the same as `+=`, but in a realm that
    /// several machines share: there each machine adds the amount.
    ///
    /// In a ``Draft`` it differs where others change the property, too: when the draft is saved or
    /// rebased, both changes are added, and there is no conflict.
    ///
    /// ```swift
    /// draft.resolve(person)?.increment(\.age, by: 3)
    /// ```
    ///
    /// A value that is set in the draft beside increments is a value like any other. To undo an
    /// increment takes the amount back, and leaves what others added meanwhile.
    ///
    /// - Parameters:
    ///   - keyPath: A persisted property of the object itself.
    ///   - amount: What is added.
    /// - Precondition: As for setting the property; the sum is a value of its type.
    public func increment<Value: FixedWidthInteger>(
        _ keyPath: ReferenceWritableKeyPath<Self, Value>, by amount: Value = 1
    ) {
        let (sum, isTooGreat) = self[keyPath: keyPath].addingReportingOverflow(amount)
        if isTooGreat {
            misuse(
                "The sum of an increment is no value of the property's type.",
                remedy: "Test the value first, or declare the property with a wider type.")
        }
        self[keyPath: keyPath] = sum
        guard let core, let writeSet = core.writeSet,
            let binding = binding?.takeUnretainedValue()
        else { return }
        let draft = core.draft
        if draft == nil, !writeSet.isShared { return }
        let names = KeyPathNames.names(of: keyPath, from: type(of: self))
        guard names.count == 1,
            let ordinal = binding.schema.properties.firstIndex(where: { $0.name == names[0] })
        else {
            misuse(
                "increment(_:by:) takes a persisted property of the object itself.",
                remedy: "Call it on the object that has the property.")
        }
        let (column, amount) = (binding.columns[ordinal], Int64(truncatingIfNeeded: amount))
        if let draft {
            let cell = Increments.Cell(table: binding.table, row: key, column: column)
            draft.note(Increments([cell: amount]))
        } else {
            let cell = CellOfRow(table: binding.table, row: key, column: column)
            writeSet.increments[cell, default: 0] &+= amount
        }
    }
}
