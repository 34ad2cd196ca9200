import FreeholdStorage

extension ResultsState {
    /// Returns the same objects, sorted by the given properties. Traps if one of them cannot be
    /// sorted by.
    func sorted(by descriptors: some Sequence<SortDescriptor>) -> ResultsState {
        if values != nil { return valuesSorted(by: descriptors) }
        return objectsSorted(by: descriptors)
    }

    /// - Parameter nullLinks: The place of objects whose key path ends at a nil link.
    func objectsSorted(
        by descriptors: some Sequence<SortDescriptor>, nullLinks: ScanSort.NullLinks = .areLast
    ) -> ResultsState {
        sorted(
            by: descriptors.map {
                ScanSort(path: sortPath($0.keyPath), ascending: $0.ascending, nullLinks: nullLinks)
            })
    }

    func sortPath(_ keyPath: String) -> ScanPath {
        do throws(SortRefusal) {
            return try binding.sortPath(keyPath)
        } catch {
            refuse(keyPath, error.reason)
        }
    }

    func refuse(_ keyPath: String, _ reason: String) -> Never {
        misuse("Cannot sort on key path '\(keyPath)': \(reason)", remedy: SortRefusal.remedy)
    }
}

/// The reason why objects cannot be sorted by a key path: Realm's text, without the key path.
struct SortRefusal: Error {
    let reason: String

    static let remedy =
        "Sort by persisted properties: names, or paths over to-one links such as \"owner.name\"."
}

extension ClassBinding {
    /// Returns what the storage sorts by. Throws if the key path leads to nothing that has an
    /// order.
    func sortPath(_ keyPath: String) throws(SortRefusal) -> ScanPath {
        if keyPath.contains("@") {
            throw SortRefusal(reason: "KVC collection operators are not supported.")
        }
        let names = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if KeyPathLimit.isExceeded(by: names) { throw SortRefusal(reason: KeyPathLimit.reason) }
        let path: PropertyPath
        do throws(PropertyPathError) {
            path = try PropertyPath(names, from: self)
        } catch {
            throw switch error {
            case .unknownProperty(let name, let className):
                SortRefusal(reason: "property '\(className).\(name)' does not exist.")
            case .notALink(let name, let className):
                SortRefusal(
                    reason: """
                        property '\(className).\(name)' is not a link and may only be the \
                        final property in the key path.
                        """)
            case .empty: SortRefusal(reason: "a key path must name a property.")
            }
        }
        if let shape = path.property.shape {
            throw SortRefusal(
                reason: """
                    property '\(path.name)' of type '\(shape.propertyName)' cannot be the \
                    final property in the key path.
                    """)
        }
        if path.property.columnType == .link {
            throw SortRefusal(
                reason: """
                    property '\(path.name)' of type 'object' cannot be the final property \
                    in the key path.
                    """)
        }
        return path.scan
    }
}
