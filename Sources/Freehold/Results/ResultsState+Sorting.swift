import FreeholdStorage

extension ResultsState {
    /// The same objects, sorted by the given properties. Traps if one of them cannot be sorted by.
    func sorted(by descriptors: some Sequence<SortDescriptor>) -> ResultsState {
        if values != nil { return valuesSorted(by: descriptors) }
        return objectsSorted(by: descriptors)
    }

    private func objectsSorted(by descriptors: some Sequence<SortDescriptor>) -> ResultsState {
        sorted(by: descriptors.map { ScanSort(path: sortPath($0.keyPath), ascending: $0.ascending) })
    }

    func sortPath(_ keyPath: String) -> ScanPath {
        if keyPath.contains("@") {
            refuse(keyPath, "KVC collection operators are not supported.")
        }
        let names = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        do throws(PropertyPathError) {
            let path = try PropertyPath(names, from: binding)
            if let shape = path.property.shape {
                refuse(keyPath, "property '\(path.name)' of type '\(shape.propertyName)' cannot be the final property in the key path.")
            }
            if path.property.columnType == .link {
                refuse(keyPath, "property '\(path.name)' of type 'object' cannot be the final property in the key path.")
            }
            return path.scan
        } catch {
            switch error {
            case .unknownProperty(let name, let className):
                refuse(keyPath, "property '\(className).\(name)' does not exist.")
            case .notALink(let name, let className):
                refuse(keyPath, "property '\(className).\(name)' is not a link and may only be the final property in the key path.")
            case .empty:
                refuse(keyPath, "a key path must name a property.")
            }
        }
    }

    func refuse(_ keyPath: String, _ reason: String) -> Never {
        violation(.misuse(
            text: "Cannot sort on key path '\(keyPath)': \(reason)",
            remedy: "Sort by persisted properties: names, or paths over to-one links such as \"owner.name\"."
        ))
    }
}
