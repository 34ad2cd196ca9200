import FreeholdStorage

extension ClassSchema {
    /// The class as a migration block sees it: without a primary key. So the block can set the
    /// property, and two objects may share a value until the block ends.
    ///
    /// - Parameter takesRowKeys: Whether the values of the primary key are also the row keys.
    ///   New objects then get their values as row keys, too.
    func withoutPrimaryKey(takesRowKeys: Bool) -> ClassSchema {
        guard let primaryKeyProperty else { return self }
        let properties = properties.map { $0 === primaryKeyProperty ? $0.asPlainProperty : $0 }
        return ClassSchema(
            className: className, tableName: tableName, type: type, properties: properties,
            computed: computed, hasOnlyPersistedState: hasOnlyPersistedState,
            rowKeySource: takesRowKeys || primaryKeyProperty.isAutoIncremented
                ? primaryKeyProperty : nil)
    }
}

extension PropertyDescriptor {
    fileprivate var asPlainProperty: PropertyDescriptor {
        PropertyDescriptor(
            ordinal: ordinal, name: name, columnName: columnName, role: .plain, offset: offset,
            codec: codec)
    }
}

extension ClassBinding {
    /// The row key of a new object in a migration; nil if row keys are independent of the
    /// values, or the object's key is taken. An auto-incremented property without a value gets
    /// one.
    func migratingRowKey(of object: ObjectBase, in table: MutableTable) -> RowKey? {
        guard let property = schema.rowKeySource else { return nil }
        if object.lacksValue(of: property) {
            let key = unusedPrimaryKey(in: table)
            object.assignMissingKey(key, to: property)
            return key
        }
        guard
            case .rowKey(let value)? = property.codec.primaryKey(
                in: object.unsafeWrapper(of: property)), !table.hasRow(RowKey(rawValue: value))
        else { return nil }
        return RowKey(rawValue: value)
    }
}

extension ObjectBase {
    /// Gives an unmanaged object's auto-incremented property a value.
    final func assignMissingKey(_ key: RowKey, to property: PropertyDescriptor) {
        // Its type is Int or Int64, whose wrappers have one layout.
        unsafeWrapper(of: property).assumingMemoryBound(to: Persisted<Int>.self).pointee.unmanaged =
            Int(key.rawValue)
    }
}
