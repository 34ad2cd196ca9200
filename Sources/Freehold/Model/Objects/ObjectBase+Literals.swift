import Foundation

// Objects from dictionaries, arrays and other objects.

/// A value that does not fit its property.
struct InvalidValueError: Error, CustomStringConvertible {
    /// Realm's text, with the value and the property.
    let message: String

    var description: String { message }
}

/// A value as shown in an error's text.
struct ShownValue: Hashable {
    let text: String
    let type: String

    init(_ value: Any?) {
        let value = flattened(value)
        text =
            value.map { LiteralNesting.isTooDeep($0) ? "…" : ShownValue.text(of: $0) } ?? "(null)"
        type = value.map { "\(Swift.type(of: $0))" } ?? "(null)"
    }

    private static func text(of value: Any) -> String {
        if let date = value as? Date { return date.shown }
        return hasFarDate(value) ? "…" : "\(value)"
    }

    /// Whether a value contains a date that Foundation cannot describe.
    private static func hasFarDate(_ value: Any) -> Bool {
        switch value {
        case let date as Date: !date.hasDescription
        case let value as AnyRealmValue:
            if case .date(let date) = value { !date.hasDescription } else { false }
        case let elements as [Any]: elements.contains(where: hasFarDate)
        case let entries as [String: Any]: entries.values.contains(where: hasFarDate)
        default: false
        }
    }
}

extension InvalidValueError {
    /// The error for a value that does not fit the property whose wrapper is at an address in an
    /// object.
    init(refusing value: Any?, of object: ObjectBase, wrapper: UnsafeMutableRawPointer) {
        self.init(refusing: ShownValue(value), of: object, wrapper: wrapper)
    }

    init(refusing value: ShownValue, of object: ObjectBase, wrapper: UnsafeMutableRawPointer) {
        let schema = object.reflectedSchema
        let property = object.property(ofWrapper: wrapper)
        self.init(
            message: property?.refusal(of: value, className: schema?.className ?? "")
                ?? "Invalid value '\(value.text)'.")
    }
}

extension ObjectBase {
    /// Assigns the properties for which a literal has values.
    final func assign(from literal: Any) throws(InvalidValueError) {
        let schema: ClassSchema
        do {
            schema = try ClassSchema.shared(for: type(of: self))
        } catch {
            throw InvalidValueError(message: "\(error)")
        }
        for (ordinal, value) in try schema.values(inLiteral: literal) {
            try assign(value, to: schema.properties[ordinal])
        }
    }

    /// ``assign(from:)`` of a literal that the program wrote.
    final func assignOrTrap(_ literal: Any) {
        do throws(InvalidValueError) {
            try assign(from: literal)
        } catch {
            misuse(
                error.message, remedy: "Pass values of the types that the class declares.")
        }
    }
}

extension ClassSchema {
    /// The values of a literal for properties, by ordinal: from a dictionary by name, from an
    /// array by position, from an object by the names that both classes have. Unknown names are
    /// ignored.
    func values(inLiteral literal: Any) throws(InvalidValueError) -> [(ordinal: Int, value: Any?)] {
        try LiteralNesting.checkFoundationContainer(literal)
        if let object = literal as? ObjectBase {
            guard let source = object.reflectedSchema else { return [] }
            return properties.compactMap { property in
                guard let found = source.property(named: property.name),
                    !object.lacksValue(of: found)
                else { return nil }
                let value = object.value(of: found)
                // An embedded object with an owner cannot get another one.
                if !found.isOwning || !object._isManaged { return (property.ordinal, value) }
                return (
                    property.ordinal,
                    mapObjects(in: value, of: found) { EmbeddedObject.unmanagedCopy(of: $0) }
                )
            }
        }
        if let dictionary = literal as? [String: Any] {
            return properties.compactMap { property in
                dictionary[property.name].map { (property.ordinal, flattened($0)) }
            }
        }
        if let array = literal as? [Any] {
            if array.count > properties.count {
                throw InvalidValueError(
                    message: """
                        Invalid array input: more values (\(array.count)) than properties \
                        (\(properties.count)).
                        """)
            }
            return array.enumerated().map { ($0.offset, flattened($0.element)) }
        }
        throw InvalidValueError(
            message: "Invalid value '\(literal)' to initialize object of type '\(className)'.")
    }
}

extension PropertyDescriptor {
    /// Realm's text for a value that does not fit the property.
    func refusal(of value: Any?, className: String) -> String {
        refusal(of: ShownValue(value), className: className)
    }

    func refusal(of value: ShownValue, className: String) -> String {
        let typeName = (objectType?.className() ?? "\(type)") + (isOptional ? "?" : "")
        let shapeName = shape.map { $0.propertyName + " " } ?? ""
        return "Invalid value '\(value.text)' of type '\(value.type)' for '\(typeName)' "
            + "\(shapeName)property '\(className).\(name)'."
    }
}

/// The value without the optionals around it; nil for nil at any depth and for `NSNull`.
func flattened(_ value: Any?) -> Any? {
    guard let value else { return nil }
    if let optional = value as? any OptionalProtocol { return flattened(unwrapped(optional)) }
    return isNull(value) ? nil : value
}

private func unwrapped<Value: OptionalProtocol>(_ value: Value) -> Any? {
    value._rlmOptionalValue.map { $0 as Any }
}
