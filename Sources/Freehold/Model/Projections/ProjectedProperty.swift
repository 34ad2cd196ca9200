import FreeholdStorage

/// A property declared by a projection's class.
struct ProjectedProperty: @unchecked Sendable {
    // @unchecked: a key path is immutable.

    let name: String
    /// The key path from the object to the value.
    let keyPath: AnyKeyPath
    /// The names of the persisted properties that the value depends on: ["dog", "name"]. Behind
    /// a collection's `projectTo` they continue with those of the objects.
    let path: [String]

    /// The value for an object, without its optionals; nil for null.
    func value(of object: ObjectBase) -> Any? { flattened(object[keyPath: keyPath]) }

    /// The value for an object of another version, without its optionals. Nil for null, and for
    /// collections.
    func formerValue(of object: ObjectBase) -> Any? {
        guard let value = value(of: object) else { return nil }
        let isCollection =
            value is any PersistedCollection || value is any ComputedProperty
            || value is any ProjectedCollectionOfAnyType
        return isCollection ? nil : value
    }
}

extension Projection {
    /// The projected properties of the class in order of declaration; those of superclasses
    /// last. Found once for each class.
    ///
    /// Traps if a projected property does not begin with a persisted one.
    final var projectedProperties: [ProjectedProperty] {
        let identity = ObjectIdentifier(type(of: self))
        if let known = ProjectedProperties.known.withLock({ $0[identity] }) { return known }
        var properties: [ProjectedProperty] = []
        var mirror: Mirror? = Mirror(reflecting: self)
        while let current = mirror {
            for (label, value) in current.children {
                guard let projected = value as? any ProjectedOfAnyTypes else { continue }
                let name = label.map { $0.hasPrefix("_") ? String($0.dropFirst()) : $0 } ?? "?"
                properties.append(property(name, projected.anyKeyPath))
            }
            mirror = current.superclassMirror
        }
        ProjectedProperties.known.withLock { $0[identity] = properties }
        return properties
    }

    private func property(_ name: String, _ keyPath: AnyKeyPath) -> ProjectedProperty {
        let path = KeyPathRecording.names(from: Root.self) { $0[keyPath: keyPath] }
        if path.isEmpty {
            misuse(
                "@Projected property '\(name)' must be a part of Realm object",
                remedy: """
                    '\(keyPath)' of '\(type(of: self))' has to begin with a persisted \
                    property of '\(Root.className())'.
                    """)
        }
        return ProjectedProperty(name: name, keyPath: keyPath, path: path)
    }
}

private enum ProjectedProperties {
    /// The properties by class. Protected by its lock.
    static let known = Locked<[ObjectIdentifier: [ProjectedProperty]]>(processWide: [:])
}

/// A ``Projected`` of any types.
private protocol ProjectedOfAnyTypes {
    var anyKeyPath: AnyKeyPath { get }
}

extension Projected: ProjectedOfAnyTypes {
    fileprivate var anyKeyPath: AnyKeyPath { keyPath }
}

// MARK: - Key paths

extension Projection {
    /// Resolves key paths of projected properties to the index of each property and the names
    /// from the object's class.
    ///
    /// A key path begins with a projected name and continues with names of the linked classes;
    /// or it is the complete key path of a property in the object's class. `*` means all
    /// properties. Traps if a key path names no property.
    final func observedProperties(_ keyPaths: [String]?) -> [(index: Int, keyPath: String)] {
        let properties = projectedProperties
        func joined(_ path: some Sequence<String>) -> String { path.joined(separator: ".") }
        guard let keyPaths else {
            return properties.enumerated().map { ($0.offset, joined($0.element.path)) }
        }
        var found: [(index: Int, keyPath: String)] = []
        for keyPath in keyPaths {
            let names = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(
                String.init)
            let rest = names.dropFirst()
            let named = properties.indices.filter {
                names[0] == "*" || properties[$0].name == names[0]
            }
            let meant =
                named.isEmpty ? properties.indices.filter { properties[$0].path == names } : named
            if meant.isEmpty {
                misuse(
                    """
                    Invalid property name: property '\(names[0])' not found in \
                    object of type '\(type(of: self))'
                    """,
                    remedy: """
                        Observing the key paths \(keyPaths): a key path of a \
                        projection begins with the name of one of its @Projected \
                        properties.
                        """)
            }
            for index in meant {
                found.append((index, joined(properties[index].path + (named.isEmpty ? [] : rest))))
            }
        }
        return found
    }

    /// The names that key paths of the projection mean, for ``observedProperties(_:)``. Traps if
    /// one leads to nothing persisted.
    final func names(of keyPaths: [AnyKeyPath]) -> [String] {
        keyPaths.flatMap { keyPath -> [String] in
            let names = Self.persistedNames(of: keyPath)
            let properties = projectedProperties
            let whole = properties.filter { $0.path == names }
            if !whole.isEmpty { return whole.map(\.name) }
            // Behind the projected properties: of those on the path, the longest.
            let leading = properties.filter { names.starts(with: $0.path) }.max {
                $0.path.count < $1.path.count
            }
            guard let leading else { Self.refuse(keyPath) }
            return [([leading.name] + names.dropFirst(leading.path.count)).joined(separator: ".")]
        }
    }

    /// The names in the object's class. Traps if there are none.
    static func persistedNames(of keyPath: AnyKeyPath) -> [String] {
        let names = KeyPathRecording.names(from: Root.self) { recorder in
            self.init(projecting: unsafeDowncast(recorder, to: Root.self))[keyPath: keyPath]
        }
        if names.isEmpty { refuse(keyPath) }
        return names
    }

    private static func refuse(_ keyPath: AnyKeyPath) -> Never {
        misuse(
            "Key path '\(keyPath)' does not lead to a persisted property",
            remedy: "Only projected properties that are persisted in the object can be observed.")
    }
}
