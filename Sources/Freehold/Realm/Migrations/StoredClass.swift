import FreeholdStorage

/// A class that a file has and the program need not have. Code that is keyed by class needs a
/// type for each; this protocol marks the types that represent class names.
protocol StoredClass: ObjectBase {}

/// Represents a class of objects. Has no instances except those that the runtime may request.
final class StoredObject<Number>: Object, StoredClass {
    override class func className() -> String { StoredClasses.name(of: self) }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Represents a class of embedded objects.
final class StoredEmbeddedObject<Number>: EmbeddedObject, StoredClass {
    override class func className() -> String { StoredClasses.name(of: self) }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The types that represent the classes of files. Each name has one type, made on first use and
/// then kept.
enum StoredClasses {
    private struct Key: Hashable {
        let name: String
        let isEmbedded: Bool
    }

    private struct Known {
        var types: [Key: ObjectBase.Type] = [:]
        var names: [ObjectIdentifier: String] = [:]
    }

    private static let known = Locked(processWide: Known())

    static func type(named name: String, isEmbedded: Bool) -> ObjectBase.Type {
        known.withLock { known in
            let key = Key(name: name, isEmbedded: isEmbedded)
            if let type = known.types[key] { return type }
            let type = makeType(Digits.None.self, number: known.types.count, isEmbedded: isEmbedded)
            known.types[key] = type
            known.names[ObjectIdentifier(type)] = name
            return type
        }
    }

    static func name(of type: ObjectBase.Type) -> String {
        known.withLock { $0.names[ObjectIdentifier(type)] } ?? "\(type)"
    }

    /// A number's binary digits, encoded as a type, so that each number gives a distinct
    /// specialization of the generic classes.
    private enum Digits {
        enum None {}
        enum Zero<Rest> {}
        enum One<Rest> {}
    }

    private static func makeType<Number>(_ digits: Number.Type, number: Int, isEmbedded: Bool)
        -> ObjectBase.Type
    {
        if number == 0 {
            return isEmbedded ? StoredEmbeddedObject<Number>.self : StoredObject<Number>.self
        }
        return number & 1 == 0
            ? makeType(Digits.Zero<Number>.self, number: number >> 1, isEmbedded: isEmbedded)
            : makeType(Digits.One<Number>.self, number: number >> 1, isEmbedded: isEmbedded)
    }
}
