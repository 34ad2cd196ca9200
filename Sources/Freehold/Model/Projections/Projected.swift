import FreeholdStorage

/// Makes a property of a ``Projection`` read and write the value at a key path of its object.
///
/// Assigning traps if the key path is read-only, like `\Person.dog?.name`.
@propertyWrapper
public struct Projected<Root: _ProjectionRoot, Value> {
    let keyPath: KeyPath<Root, Value>

    /// Projects the value at a key path, which must begin with a persisted property.
    public init(_ projectedKeyPath: KeyPath<Root, Value>) { keyPath = projectedKeyPath }

    /// Unavailable: a projected property is read and written through its projection.
    @available(*, unavailable, message: "@Projected can only be used as a property on a Projection")
    public var wrappedValue: Value {
        get { fatalError() }
        set { fatalError() }
    }

    /// The value in the object. The object's rules apply: its thread, and a write transaction
    /// for assignments.
    public static subscript<EnclosingSelf: Projection<Root>>(
        _enclosingInstance projection: EnclosingSelf,
        wrapped wrapped: ReferenceWritableKeyPath<EnclosingSelf, Value>,
        storage storage: ReferenceWritableKeyPath<EnclosingSelf, Self>
    ) -> Value {
        get { projection.rootObject[keyPath: projection[keyPath: storage].keyPath] }
        set {
            guard
                let keyPath = projection[keyPath: storage].keyPath
                    as? ReferenceWritableKeyPath<Root, Value>
            else {
                misuse(
                    "KeyPath is not writable",
                    remedy: """
                        '\(projection[keyPath: storage].keyPath)' of \
                        '\(type(of: projection))' is read-only: assign through \
                        rootObject.
                        """)
            }
            projection.rootObject[keyPath: keyPath] = newValue
        }
    }
}

// MARK: - Sorting

extension SortDescriptor {
    /// Creates a descriptor that sorts projections by a projected property:
    /// `SortDescriptor(keyPath: \PersonProjection.firstName)`. Traps if the key path contains
    /// anything but persisted properties.
    public init<Root: _ProjectionRoot, Element: Projection<Root>>(
        keyPath: PartialKeyPath<Element>, ascending: Bool = true
    ) {
        let names = KeyPathRecording.names(of: keyPath, from: Root.self) { Element(projecting: $0) }
        if names.isEmpty {
            misuse(
                "Key path '\(keyPath)' does not lead to a persisted property",
                remedy:
                    "Only projected properties that are persisted in the object can be sorted by.")
        }
        self.init(keyPath: names.joined(separator: "."), ascending: ascending)
    }
}

extension RealmCollection {
    /// Returns the projections sorted by one projected property: `sorted(by: \.firstName)`.
    /// Stable. Nil comes first in ascending order, and last if a link on the path is nil. O(1):
    /// sorted when it is used.
    ///
    /// - Parameters:
    ///   - keyPath: The property of the projection.
    ///   - ascending: Whether the smallest value comes first.
    public func sorted<Root: _ProjectionRoot, T: _HasPersistedType>(
        by keyPath: KeyPath<Element, T>, ascending: Bool = true
    ) -> Results<Element> where Element: Projection<Root>, T.PersistedType: SortableType {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }
}

// MARK: - Queries

extension Query {
    /// A property of a projection, by its projected name.
    public subscript<Root: _ProjectionRoot, Value>(dynamicMember member: KeyPath<T, Value>)
        -> Query<Value> where T: Projection<Root>
    {
        // The projection of a recorder reads the properties that it projects.
        appending(
            KeyPathRecording.names(of: member, from: Root.self) { T(projecting: $0) }, of: member)
    }

    private func appending<Value>(_ names: [String], of member: AnyKeyPath) -> Query<Value> {
        if names.isEmpty {
            misuse(
                "Key path '\(member)' does not lead to a persisted property",
                remedy:
                    "Only projected properties that are persisted in the object can be queried.")
        }
        return names.dropLast().reduce(Query<Object>(form)) { $0.appending($1, type: nil) }
            .appending(names[names.count - 1], type: nil)
    }
}
