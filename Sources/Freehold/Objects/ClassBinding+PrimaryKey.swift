import FreeholdStorage

/// A primary key's value as storage looks it up.
enum PrimaryKeyValue: Hashable {
    /// The value is the row key itself: an integer that cannot be null.
    case rowKey(Int64)
    /// The value is found in the primary key's index.
    case index(IndexKey)
}

extension ClassBinding {
    /// The primary key of an unmanaged object. The class must have one.
    func primaryKeyValue(of object: ObjectBase) -> PrimaryKeyValue {
        guard let property = schema.primaryKeyProperty, let key = property.codec.primaryKey(in: object.unsafeWrapper(of: property)) else {
            preconditionFailure("Only called for classes with a primary key, whose type reflection has checked.")
        }
        return key
    }

    /// A value that a user passed as primary key: of the property's type or convertible to it, nil where it is optional.
    ///
    /// Throws if the value does not fit or the class has no primary key.
    func indexKey(ofPrimaryKeyValue value: Any?) throws(InvalidValueError) -> PrimaryKeyValue {
        guard let property = schema.primaryKeyProperty else {
            throw InvalidValueError(message: "'\(schema.className)' does not have a primary key defined")
        }
        let value = flattened(value)
        guard let key = property.codec.primaryKey(of: value) else {
            throw InvalidValueError(message: property.refusal(of: value, className: schema.className))
        }
        return key
    }
}
