import FreeholdStorage

/// Results over a managed collection.
extension ManagedCollection {
    /// Returns the elements in another order: objects are sorted by their properties, values by
    /// themselves.
    func sorted(by descriptors: some Sequence<SortDescriptor>) -> ResultsState {
        (descriptor.reference == nil ? values("sorted(by:)") : objects("sorted(by:)")).sorted(
            by: descriptors)
    }

    /// Returns the values, as a live collection in the order of this one. O(1).
    ///
    /// Traps as every use does. The elements must not be objects.
    func values(_ operation: String) -> ResultsState {
        _ = current(operation)
        return ResultsState(
            core: core, binding: binding,
            from: ElementPositions(owner: binding.schema.type, column: column, key: key, steps: []))
    }

    /// Returns the objects, as a live collection in the order of this one. O(1).
    ///
    /// Traps as every use does, and if the elements are not objects.
    func objects(_ operation: String) -> ResultsState {
        _ = current(operation)
        guard let reference = descriptor.reference else {
            misuse(
                shape.queryRefusal,
                remedy: """
                    \(operation) of \(title): turn it into an array, or filter its \
                    elements with the functions of sequences (list.filter { … }).
                    """)
        }
        return ResultsState(
            core: core, binding: core.binding(for: reference),
            from: ElementRows(owner: binding.schema.type, column: column, key: key),
            name: shape.name)
    }
}
