import FreeholdStorage

extension ClassSchema {
    /// The class as a migration block sees it: without a primary key, so that the property can
    /// be set, and two objects may have one value until the block has ended.
    ///
    /// - Parameter takesRowKeys: Whether the rows have the values of the primary key as their
    ///   keys. Rows of new objects are made with these keys then, too.
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
    /// A key for the row of a new object in a migration; nil where rows have keys of their own,
    /// or the object's is taken. An auto-incremented property without a value gets one.
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
