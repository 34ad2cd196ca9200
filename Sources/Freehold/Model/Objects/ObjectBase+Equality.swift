extension ObjectBase: Hashable {
    /// Returns whether two objects are the same instance, or the same row of the same realm if
    /// the class has a primary key or both are frozen. O(1).
    public static func == (a: ObjectBase, b: ObjectBase) -> Bool {
        if a === b { return true }
        guard let core = a.core, core === b.core else { return false }
        guard core.isFrozen || a.primaryKeyPosition != 0 else { return false }
        return a.isSameRow(as: b)
    }

    /// Returns whether a value of any type equals this object, like `==`. Realm's name.
    public final func isEqual(_ object: Any?) -> Bool {
        (object as? ObjectBase).map { self == $0 } ?? false
    }

    /// Hashes the row if `==` compares rows, otherwise the instance.
    ///
    /// Adding an object whose class has a primary key to a realm changes its hash, unless the
    /// key is an integer that cannot be nil. Remove such objects from sets before adding them.
    public final func hash(into hasher: inout Hasher) {
        if _managed, let core, core.isFrozen || primaryKeyPosition != 0 {
            // Equal rows have equal keys. The realm is left out, so that an object keeps its
            // hash when it is added.
            hasher.combine(key)
        } else if !_managed, let key = unmanagedRowKey {
            hasher.combine(key)
        } else {
            hasher.combine(ObjectIdentifier(self))
        }
    }

    /// Whether both are the same row, or equal.
    final func isEqualRow(to other: ObjectBase) -> Bool { isSameRow(as: other) || self == other }

    /// A hash that is consistent with ``isEqualRow(to:)``.
    final func hashRow(into hasher: inout Hasher) {
        if _managed, core != nil { hasher.combine(key) } else { hash(into: &hasher) }
    }

    /// The row key that an unmanaged object will get because its primary key is an integer.
    private final var unmanagedRowKey: Int64? {
        guard let schema = try? ClassSchema.shared(for: type(of: self)),
            let property = schema.primaryKeyProperty,
            !lacksValue(of: property),
            case .rowKey(let key)? = property.codec.primaryKey(in: unsafeWrapper(of: property))
        else { return nil }
        return key
    }

    /// Whether both are the same row of the same realm, or the same instance.
    final func isSameRow(as other: ObjectBase) -> Bool {
        if self === other { return true }
        guard let core, core === other.core, let binding, let otherBinding = other.binding else {
            return false
        }
        return key == other.key
            && binding.takeUnretainedValue().table == otherBinding.takeUnretainedValue().table
    }
}
