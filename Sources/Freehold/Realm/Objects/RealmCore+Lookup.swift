import FreeholdStorage

extension RealmCore {
    /// The row key of the object with a primary key. Nil if there is none, or if the index is
    /// damaged, which is recorded.
    ///
    /// O(1) for integers, one index lookup for others. A row key returned for an integer need
    /// not have a row.
    func rowKey(of value: PrimaryKeyValue, _ binding: ClassBinding) -> Int64? {
        switch value {
        case .rowKey(let key): return key
        case .index(let value):
            do throws(StorageError) {
                if let uncommitted {
                    return try binding.mutableTable(in: uncommitted).rowKey(forPrimaryKey: value)?
                        .rawValue
                }
                if let frozenEdits {
                    return try frozenEdits.rowKey(forPrimaryKey: value, in: binding.table)?
                        .rawValue
                }
                return try currentSnapshot.rowKey(forPrimaryKey: value, in: binding.table)?.rawValue
            } catch {
                store.noteDamage(error)
                return nil
            }
        }
    }

    /// The object with a primary key.
    func object(_ binding: ClassBinding, forPrimaryKey value: PrimaryKeyValue) -> ObjectBase? {
        guard let key = rowKey(of: value, binding) else { return nil }
        let object = accessor(key, of: binding)
        if object == nil, case .index = value { noteMissingRow(key, of: binding) }
        return object
    }

    /// An object for a row; nil if there is no such row.
    @inline(__always)
    func accessor(_ key: Int64, of binding: ClassBinding) -> ObjectBase? {
        locate(key, of: binding).map { cluster, row in
            binding.makeAccessor(key: key, cluster: cluster, row: row)
        }
    }

    /// Converts a primary key that a user passed. Traps if the class has none, or if the value
    /// does not fit.
    func primaryKey(from key: Any?, _ binding: ClassBinding) -> PrimaryKeyValue {
        guard binding.schema.primaryKey != nil else {
            violation(.noPrimaryKeyDefined(className: binding.schema.className))
        }
        do throws(InvalidValueError) {
            return try binding.indexKey(ofPrimaryKeyValue: key)
        } catch {
            misuse(
                error.message,
                remedy:
                    "Pass a value of the type of the primary key of '\(binding.schema.className)'.")
        }
    }

    /// Whether the object's row no longer exists, or the realm was invalidated since the object
    /// was made.
    func isGone(_ object: ObjectBase) -> Bool {
        if isInvalidated(since: object.generation) { return true }
        if object.generation == generation { return false }
        guard let binding = object.binding?.takeUnretainedValue() else { return true }
        return locate(object.key, of: binding) == nil
    }

    /// Whether the object is deleted: like ``isGone(_:)``, but false for a row that may be
    /// missing because the file is damaged, which must not end the process.
    func isDeleted(_ object: ObjectBase) -> Bool {
        isGone(object) && (isInvalidated(since: object.generation) || !store.isDamaged)
    }
}

extension Realm {
    /// Returns the object with a primary key, or nil.
    ///
    /// O(log n): one descent of a B-tree for integers, two for other types.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - key: The value, of the primary key's type; nil finds the object whose optional
    ///     primary key is nil.
    /// - Precondition: The class has a primary key and is part of the schema, and `key` is of
    ///   its type.
    public func object<Element: Object, KeyType>(
        ofType type: Element.Type, forPrimaryKey key: KeyType
    ) -> Element? {
        core.checkConfinement("Realm.object(ofType:forPrimaryKey:)")
        let binding = core.binding(for: type)
        guard binding.schema.primaryKey != nil else {
            violation(.noPrimaryKeyDefined(className: binding.schema.className))
        }
        let value: PrimaryKeyValue =
            if binding.usesPrimaryKeyAsRowKey, let key = key as? Int { .rowKey(Int64(key)) } else {
                core.primaryKey(from: key, binding)
            }
        guard let found = core.object(binding, forPrimaryKey: value) else { return nil }
        return unsafeDowncast(found, to: Element.self)
    }
}
