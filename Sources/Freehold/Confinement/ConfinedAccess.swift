import FreeholdStorage

/// An access that the gate checks, for the diagnosis when it is refused. Never made while accesses are allowed.
enum ConfinedAccess {
    case read(object: ObjectBase, columnPosition: Int)
    case write(object: ObjectBase, columnPosition: Int)
    /// Anything else: "count of Results<Dog>", "Realm.write".
    case operation(String)

    /// "Reading 'Person.name'".
    var text: String {
        switch self {
        case .read(let object, let position): "Reading \(object.propertyText(atColumn: position))"
        case .write(let object, let position): "Writing \(object.propertyText(atColumn: position))"
        case .operation(let operation): operation
        }
    }
}

extension ObjectBase {
    /// "'Person.name'" for diagnoses; "an object of class 'Person'" if no property has that column.
    final func propertyText(atColumn position: Int) -> String {
        guard let binding = binding?.takeUnretainedValue() else { return "an object of class '\(type(of: self))'" }
        let name = binding.schema.className
        guard let ordinal = binding.columns.firstIndex(where: { $0.position == position }) else { return "an object of class '\(name)'" }
        return "'\(name).\(binding.schema.properties[ordinal].name)'"
    }

    /// "'Person' with key 5" for diagnoses. Reads nothing from the realm, so it is safe for deleted objects and on wrong threads.
    final var identityText: String {
        guard let binding = binding?.takeUnretainedValue() else { return "'\(type(of: self))'" }
        return "'\(binding.schema.className)' with the row key \(key)"
    }
}
