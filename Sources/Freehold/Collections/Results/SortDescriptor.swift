/// A property to sort by, and the direction.
///
///     results.sorted(by: [SortDescriptor(keyPath: "age", ascending: false), "name"])
@frozen public struct SortDescriptor: Hashable, Sendable {
    /// The property's name, or a path over to-one links: `"owner.name"`.
    public let keyPath: String
    /// Whether the smallest value comes first.
    public let ascending: Bool

    /// Sorts by the property with the given name, or by a path over to-one links.
    ///
    /// Sorting a collection checks whether the property exists.
    public init(keyPath: String, ascending: Bool = true) {
        self.keyPath = keyPath
        self.ascending = ascending
    }

    /// Sorts by a property: `SortDescriptor(keyPath: \Dog.age)`. Traps if the key path does not
    /// consist of persisted properties.
    public init<Element: ObjectBase>(keyPath: PartialKeyPath<Element>, ascending: Bool = true) {
        self.init(
            keyPath: KeyPathNames.names(of: keyPath, from: Element.self).joined(separator: "."),
            ascending: ascending)
    }

    /// Returns the same property in the other direction.
    public func reversed() -> SortDescriptor {
        SortDescriptor(keyPath: keyPath, ascending: !ascending)
    }
}

extension SortDescriptor: CustomStringConvertible {
    /// The descriptor as text: `SortDescriptor(keyPath: age, direction: ascending)`.
    public var description: String {
        "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending"))"
    }
}

extension SortDescriptor: ExpressibleByStringLiteral {
    /// Sorts by the property with this name, smallest first.
    public init(stringLiteral value: String) { self.init(keyPath: value) }
    /// Sorts by the property with this name, smallest first.
    public init(unicodeScalarLiteral value: String) { self.init(keyPath: value) }
    /// Sorts by the property with this name, smallest first.
    public init(extendedGraphemeClusterLiteral value: String) { self.init(keyPath: value) }
}
