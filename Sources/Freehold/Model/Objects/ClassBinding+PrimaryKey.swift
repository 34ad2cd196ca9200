import FreeholdStorage

/// The value of a primary key, in the form that storage looks up.
enum PrimaryKeyValue: Hashable {
    /// The value is the row key: in most tables with a non-null integer key.
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

    /// Converts a value that a user passed as primary key: of the property's type or convertible
    /// to it, nil if the property is optional.
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

    /// The form of a key in this table: an integer is looked up in the primary key's index if
    /// row keys are independent.
    @inline(__always)
    private func stored(_ value: PrimaryKeyValue) -> PrimaryKeyValue {
        if !usesPrimaryKeyAsRowKey, case .rowKey(let key) = value { return .index(.integer(key)) }
        return value
    }
}
