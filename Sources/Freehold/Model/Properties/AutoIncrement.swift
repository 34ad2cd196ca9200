import FreeholdStorage

/// A type that `@Persisted(primaryKey: true, autoIncrement: true)` accepts.
public protocol _AutoIncrementable: _PrimaryKey {}

extension Int: _AutoIncrementable {}
extension Int64: _AutoIncrementable {}

extension Persisted where Value: _AutoIncrementable {
    /// A primary key that the realm gives to objects which are added or created without one. An
    /// addition to Realm.
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
    /// The first key is 1, and each is greater than all keys that objects of the class ever had
    /// in the file, deleted ones and those with assigned keys included. So the key of an object
    /// that was committed is never given to another one: not after the object is deleted, not
    /// after the file is opened again, and not by another process. Keys have gaps: a cancelled
    /// transaction's keys are not given again by the same realm while it is open, and may be by
    /// others.
    ///
    /// A key that is assigned before the object is added is used as it is, 0 and negative ones,
    /// too; later ones begin above it.
    ///
    /// O(1): nothing is searched. A class may take this up, or give it up, at any time: no
    /// migration.
    ///
    /// Traps when no key is left, which only assigned keys of 2^62 - 1 or more lead to.
    @inlinable
    public init(primaryKey: Bool, autoIncrement: Bool) {
        let role: PersistedRole =
            autoIncrement
            ? (primaryKey ? .autoIncrementedPrimaryKey : .autoIncremented)
            : primaryKey ? .primaryKey : .plain
        self.init(unmanaged: Value._rlmInitialValue(), role: role)
    }

    /// Not supported: such a key begins without a value.
    @available(
        *, unavailable,
        message: "An auto-incremented key begins without a value: declare it as 'var id: Int'."
    )
    public init(wrappedValue: Value, primaryKey: Bool, autoIncrement: Bool) {
        fatalError("unavailable")
    }
}

extension ObjectBase {
    /// Whether a property is an auto-incremented key that nobody assigned a value.
    final func lacksValue(of property: PropertyDescriptor) -> Bool {
        guard property.isAutoIncremented, !_isManaged else { return false }
        // Its type is Int or Int64, whose wrappers have one layout.
        return unsafeWrapper(of: property).assumingMemoryBound(to: Persisted<Int>.self).pointee
            .unmanaged == nil
    }
}

extension ClassBinding {
    /// A key for a new object that has none assigned. O(1).
    func unusedPrimaryKey(in table: MutableTable) -> RowKey {
        guard let next = table.nextPrimaryKey() else {
            let name = "\(schema.className).\(schema.primaryKeyProperty?.name ?? "")"
            violation(
                .misuse(
                    text: "No auto-incremented value is left for '\(name)'.",
                    remedy:
                        """
                        An object was added with an assigned key of 2^62 - 1 or more, and \
                        keys are never given twice: assign keys below that, or all of them.
                        """
                ))
        }
        return claimKey(atLeast: next)
    }
}
