import FreeholdStorage

// Properties by name. The names are those of the declarations, not those of the file.

extension ObjectBase {
    /// The schema of the object's class; nil if the declaration is wrong, which opening a realm
    /// reports.
    final var reflectedSchema: ClassSchema? {
        if let binding { return binding.takeUnretainedValue().schema }
        return try? ClassSchema.shared(for: type(of: self))
    }

    /// The schema of the object's class. O(properties).
    ///
    /// Traps if the declaration is wrong, with the message of the error that opening a realm
    /// throws.
    public final var objectSchema: ObjectSchema {
        if let binding { return ObjectSchema(binding.takeUnretainedValue().schema) }
        do {
            return ObjectSchema(try ClassSchema.shared(for: type(of: self)))
        } catch {
            misuse(
                "\(error)",
                remedy: "Correct the declaration of class '\(type(of: self))'.")
        }
    }

    /// The value of the property with this name: nil for null, the raw value for an enum, an
    /// `NSNumber` for an integer of any width. An `NSNumber` casts to every numeric type that
    /// can hold its value: `object["age"] as? Int`.
    ///
    /// Traps if there is no such property, and where the property itself would.
    public final subscript(key: String) -> Any? {
        get { UntypedValue.published(value(of: property(named: key))) }
        set {
            let property = property(named: key)
            do throws(InvalidValueError) {
                try assign(newValue, to: property)
            } catch {
                misuse(
                    error.message,
                    remedy: "Assign a value of the type that the class declares.")
            }
        }
    }

    /// Returns the value of the property with this name, like the subscript.
    public final func value(forKey key: String) -> Any? { self[key] }

    /// Assigns the property with this name, like the subscript.
    public final func setValue(_ value: Any?, forKey key: String) { self[key] = value }

    /// The value of ``subscript(_:)`` in the stored type.
    final func storedValue(named name: String) -> Any? { value(of: property(named: name)) }

    final func property(named name: String) -> PropertyDescriptor {
        guard let property = reflectedSchema?.declaredProperty(named: name) else {
            let className = reflectedSchema?.className ?? type(of: self).className()
            let names = reflectedSchema?.properties.map(\.name).joined(separator: ", ")
            misuse(
                "Invalid property name '\(name)' for class '\(className)'.",
                remedy: "Its properties are: \(names ?? "none").")
        }
        return property
    }
}
