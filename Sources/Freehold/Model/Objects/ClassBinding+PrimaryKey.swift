import FreeholdStorage

/// A primary key's value as storage looks it up.
enum PrimaryKeyValue: Hashable {
    /// The value is the row key itself: an integer that cannot be null, in most tables.
    case rowKey(Int64)
    /// The value is found in the primary key's index.
    case index(IndexKey)
}

extension ClassBinding {
    /// The primary key of an unmanaged object; nil if the class has none.
    func primaryKeyValue(of object: ObjectBase) -> PrimaryKeyValue? {
        schema.primaryKeyProperty.flatMap { $0.codec.primaryKey(in: object.unsafeWrapper(of: $0)) }
            .map(stored)
    }

    /// A value that a user passed as primary key: of the property's type or convertible to it,
    /// nil where it is optional.
    ///
    /// Throws if the value does not fit or the class has no primary key.
    func indexKey(ofPrimaryKeyValue value: Any?) throws(InvalidValueError) -> PrimaryKeyValue {
        guard let property = schema.primaryKeyProperty else {
            throw InvalidValueError(
                message: "'\(schema.className)' does not have a primary key defined")
        }
        let value = flattened(value)
        guard let key = property.codec.primaryKey(of: value) else {
            throw InvalidValueError(
                message: property.refusal(of: value, className: schema.className))
        }
        return stored(key)
    }

    /// How a value is found in this table: an integer by the primary key's index, if the rows
    /// have keys of their own.
    @inline(__always)
    private func stored(_ value: PrimaryKeyValue) -> PrimaryKeyValue {
        if !usesPrimaryKeyAsRowKey, case .rowKey(let key) = value { return .index(.integer(key)) }
        return value
    }
}
