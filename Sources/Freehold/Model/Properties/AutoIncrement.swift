import FreeholdStorage

/// A type that `@Persisted(primaryKey: true, autoIncrement: true)` accepts.
public protocol _AutoIncrementable: _PrimaryKey {}

extension Int: _AutoIncrementable {}
extension Int64: _AutoIncrementable {}

extension Persisted where Value: _AutoIncrementable {
    /// Declares a primary key that the realm assigns to objects that are added or created
    /// without one. Not in Realm.
    ///
    /// ```swift
    /// class Order: Object {
    ///     @Persisted(primaryKey: true, autoIncrement: true) var id: Int
    /// }
    /// let order = Order()            // order.id reads 0, and counts as not assigned
    /// try realm.write { realm.add(order) }
    /// print(order.id)                // 1
    /// ```
    ///
    /// The first key is 1. Each key is greater than all keys that objects of the class ever had
    /// in the file, including deleted objects and explicitly assigned keys. So the key of a
    /// committed object is never reused: not after the object is deleted, not after the file is
    /// reopened, and not by another process. Keys have gaps: a realm does not reuse the keys of
    /// a cancelled transaction while it is open; other realms may.
    ///
    /// A key that is assigned before the object is added stays unchanged, even 0 or a negative
    /// one; later keys are greater.
    ///
    /// O(1), without a search. A class may start or stop using this at any time, without a
    /// migration.
    ///
    /// Traps if no key is left, which can happen only after assigned keys of 2^62 - 1 or more.
    @inlinable
    public init(primaryKey: Bool, autoIncrement: Bool) {
        let role: PersistedRole =
            autoIncrement
            ? (primaryKey ? .autoIncrementedPrimaryKey : .autoIncremented)
            : primaryKey ? .primaryKey : .plain
        self.init(unmanaged: Value._rlmInitialValue(), role: role)
    }

    /// Unavailable: such a key begins without a value.
    @available(
        *, unavailable,
        message: "An auto-incremented key begins without a value: declare it as 'var id: Int'."
    )
    public init(wrappedValue: Value, primaryKey: Bool, autoIncrement: Bool) {
        fatalError("unavailable")
    }
}

extension ObjectBase {
    /// Whether a property is an auto-incremented key without an assigned value.
    final func lacksValue(of property: PropertyDescriptor) -> Bool {
        guard property.isAutoIncremented, !_isManaged else { return false }
        // Its type is Int or Int64, whose wrappers have one layout.
        return unsafeWrapper(of: property).assumingMemoryBound(to: Persisted<Int>.self).pointee
            .unmanaged == nil
    }
}

extension ClassBinding {
    /// A key for a new object without an assigned one. O(1).
    func unusedPrimaryKey(in table: MutableTable) -> RowKey {
        guard let next = table.nextPrimaryKey() else {
            let name = "\(schema.className).\(schema.primaryKeyProperty?.name ?? "")"
            misuse(
                "No auto-incremented value is left for '\(name)'.",
                remedy: """
                    An object was added with an assigned key of 2^62 - 1 or more, and \
                    keys are never given twice: assign keys below that, or all of them.
                    """)
        }
        return claimKey(atLeast: next)
    }
}
