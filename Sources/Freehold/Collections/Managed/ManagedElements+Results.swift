import FreeholdStorage

/// Results over the objects of a managed collection.
extension ManagedElements {
    /// The objects, as a live collection in the order of this one. O(1).
    ///
    /// Traps as every use does, and if the elements are no objects.
    func objects(_ operation: String) -> ResultsState {
        _ = current(operation)
        guard let reference = descriptor.reference else {
            violation(.misuse(
                text: "\(operation) is not supported for collections of values.",
                remedy: "\(title): turn it into an array, or sort and filter its elements with the functions of sequences (Array(list).sorted())."))
        }
        return ResultsState(
            core: core, binding: core.binding(for: reference), from: ElementRows(owner: binding.schema.type, column: column, key: key), name: shape.name)
    }
}
