import FreeholdStorage

/// Values that stand in for what damage left no value of.
///
/// A getter returns a value whatever the file holds, and a type of the program need not have a
/// default. So there is an order: the property's default, the type's, then another value that
/// the file has of the same column. Where there is none, no value of the type is known at all:
/// the process ends, with the damage as the reason.
enum StandIn {
    /// A default of a type, or what `stored` finds.
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

    /// Reports that the file is damaged where a value of a type is needed and none is known.
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
                    """,
                    path: core.store.path)))
    }
}

extension _MappedPersistable {
    /// What stands in for a property's value in an object of a damaged file.
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
    /// What a function gives for the first row of a class for which it gives something. O(rows).
    func firstRow<Value>(of binding: ClassBinding, _ body: (ObjectBase) -> Value?) -> Value? {
        let table = table(of: binding)
        for index in 0..<table.clusterCount {
            let cluster = table.cluster(at: index)
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
    /// What a function gives for the first element of the same column's collections for which
    /// it gives something. O(elements).
    func firstElement<Value>(_ body: (CollectionLeaf, Int) -> Value?) -> Value? {
        let table = core.table(of: binding)
        for index in 0..<table.clusterCount {
            let cluster = table.cluster(at: index)
            for row in 0..<cluster.count {
                var found: Value?
                table.elements(of: column, kind, cluster, row: row).forEachLeaf { leaf in
                    for row in 0..<leaf.count where found == nil { found = body(leaf, row) }
                    return found == nil
                }
                if let found { return found }
            }
        }
        return nil
    }
}
