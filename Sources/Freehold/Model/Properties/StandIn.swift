import FreeholdStorage

/// Substitutes for values that were lost to damage.
///
/// A getter must return a value whatever the file contains, and a type of the program need not
/// have a default. The substitutes are, in order: the property's default, the type's default,
/// another value of the same column in the file. If there is none, no value of the type is
/// known: the process ends, with the damage as the reason.
enum StandIn {
    /// The default of a type, otherwise the result of `stored`.
    static func value<Value: _Persistable>(in core: RealmCore, _ stored: () -> Value?) -> Value {
        if let value = defaultValue(Value.self) ?? stored() { return value }
        refuse(Value.self, in: core)
    }

    /// The default of a type, nil if it has none.
    private static func defaultValue<Value: _Persistable>(_ type: Value.Type) -> Value? {
        guard let mapped = type as? any _MappedPersistable.Type else {
            return Value._rlmDefaultValue()
        }
        return mapped._rlmPossibleDefault as? Value
    }

    /// Ends the process with a report of the damage, because a value of a type is needed and
    /// none is known.
    static func refuse(_ type: any Any.Type, in core: RealmCore) -> Never {
        violation(
            .storageFailed(
                core, operation: "Reading a value of the type '\(type)'",
                StorageError(
                    .corrupted,
                    """
                    The file "\(core.store.path)" is damaged, and neither '\(type)' nor the \
                    property has a default that could stand in for a damaged value. Restore \
                    the file from a backup, and make the property optional or give it a \
                    default.
                    """, path: core.store.path)))
    }
}

extension _MappedPersistable {
    /// A substitute for a property's value in an object of a damaged file.
    static func _standIn(_ object: ObjectBase, _ column: Int) -> Self? {
        guard let core = object.core, let binding = object.binding?.takeUnretainedValue() else {
            return nil
        }
        return StandIn.value(in: core) {
            core.firstRow(of: binding) { _rlmFromPersisted(PersistedType._read($0, column)) }
        }
    }
}

extension RealmCore {
    /// The first result of a function that is not nil, over the rows of a class. O(rows).
    func firstRow<Value>(of binding: ClassBinding, _ body: (ObjectBase) -> Value?) -> Value? {
        let table = table(of: binding)
        for cluster in table.allClusters {
            for row in 0..<cluster.count {
                let object = binding.makeAccessor(
                    key: cluster.key(at: row).rawValue, cluster: cluster, row: row)
                if let value = body(object) { return value }
            }
        }
        return nil
    }
}

extension ManagedCollection {
    /// The first result of a function that is not nil, over the elements of the same column's
    /// collections. O(elements).
    func firstElement<Value>(_ body: (CollectionLeaf, Int) -> Value?) -> Value? {
        let table = core.table(of: binding)
        for cluster in table.allClusters {
            for row in 0..<cluster.count {
                var found: Value?
                table.collection(of: column, kind, cluster, row: row).forEachLeaf { leaf in
                    for row in 0..<leaf.count where found == nil { found = body(leaf, row) }
                    return found == nil
                }
                if let found { return found }
            }
        }
        return nil
    }
}
