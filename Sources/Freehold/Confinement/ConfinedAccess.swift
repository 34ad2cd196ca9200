import FreeholdStorage

/// An access that the gate checks, described for the report of a refusal. Never made while
/// accesses are allowed.
enum ConfinedAccess {
    case read(object: ObjectBase, columnPosition: Int)
    case write(object: ObjectBase, columnPosition: Int)
    /// An operation on a whole object: "Object.freeze()".
    case object(ObjectBase, operation: String)
    /// Anything else: "count of Results<Dog>", "Realm.refresh()".
    case operation(String, className: String? = nil)
    /// An operation that begins a write transaction: "Realm.write".
    case transaction(String)

    /// "Reading", "Realm.write".
    var operation: String {
        switch self {
        case .read: "Reading"
        case .write: "Writing"
        case .object(_, let operation), .operation(let operation, _), .transaction(let operation):
            operation
        }
    }

    /// The class of the model, if the access is to objects of one.
    var className: String? {
        switch self {
        case .read(let object, _), .write(let object, _), .object(let object, _):
            object.diagnosticClassName
        case .operation(_, let className): className
        case .transaction: nil
        }
    }

    var propertyName: String? {
        switch self {
        case .read(let object, let position), .write(let object, let position):
            object.propertyName(atColumn: position)
        case .object, .operation, .transaction: nil
        }
    }

    var rowKey: Int64? {
        switch self {
        case .read(let object, _), .write(let object, _), .object(let object, _):
            object.binding == nil ? nil : object.key
        case .operation, .transaction: nil
        }
    }

    /// What the caller needs; decides which remedies help.
    var need: ConfinementRemedy.Need {
        switch self {
        case .read, .object: .content
        case .write, .transaction: .changes
        case .operation(let operation, _): operation.hasPrefix("Realm.") ? .realm : .content
        }
    }
}

/// These members read nothing from the realm, so they are safe for deleted objects and on wrong
/// threads.
extension ObjectBase {
    final var diagnosticClassName: String {
        binding?.takeUnretainedValue().schema.className ?? "\(type(of: self))"
    }

    final func propertyName(atColumn position: Int) -> String? {
        guard let binding = binding?.takeUnretainedValue() else { return nil }
        if let computed = ComputedPosition(wrapper: position) {
            return binding.schema.computed[computed.index].name
        }
        guard let ordinal = binding.columns.firstIndex(where: { $0.position == position }) else {
            return nil
        }
        return binding.schema.properties[ordinal].name
    }

    /// Names a property for messages: "'Person.name'", or "an object of class 'Person'" if no
    /// property has that column.
    final func propertyText(atColumn position: Int) -> String {
        guard let property = propertyName(atColumn: position) else {
            return "an object of class '\(diagnosticClassName)'"
        }
        return "'\(diagnosticClassName).\(property)'"
    }

    /// Names the object for messages: "'Person' with the row key 5". In an encrypted realm,
    /// leaves out the key, which may be the primary key.
    final var identityText: String {
        binding == nil || core?.hidesValues == true
            ? "'\(diagnosticClassName)'" : "'\(diagnosticClassName)' with the row key \(key)"
    }
}
