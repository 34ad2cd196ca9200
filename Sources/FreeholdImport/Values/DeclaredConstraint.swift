import Foundation
import Freehold

/// The limits that a property's declaration adds to the schema: the range of a small integer, the
/// raw values of an enum, what a conversion of the program accepts. A value beyond them would end
/// the process when it is assigned or read.
struct DeclaredConstraint {
    /// The accepted values, for errors.
    let expected: String
    let accepts: (Any) -> Bool

    /// Returns the constraints of a class's properties, by name. They come from the types of the
    /// class's wrappers, because its schema does not have them.
    static func all(of type: ObjectBase.Type) -> [String: DeclaredConstraint] {
        var constraints: [String: DeclaredConstraint] = [:]
        var mirror: Mirror? = Mirror(reflecting: type.init())
        while let current = mirror {
            for child in current.children {
                guard let label = child.label, label.hasPrefix("_"),
                    let wrapper = child.value as? any DeclaredProperty
                else { continue }
                constraints[String(label.dropFirst())] = constraint(
                    of: Swift.type(of: wrapper).contentType)
            }
            mirror = current.superclassMirror
        }
        return constraints
    }

    private static func constraint(of type: Any.Type) -> DeclaredConstraint? {
        if let container = type as? any DeclaredContent.Type {
            return constraint(of: container.contentType)
        }
        if let integer = type as? any FixedWidthInteger.Type { return range(of: integer) }
        if let enumeration = type as? any PersistableEnum.Type { return cases(of: enumeration) }
        if type is any CustomPersistable.Type { return nil }
        if let converted = type as? any FailableCustomPersistable.Type {
            return conversion(of: converted)
        }
        return nil
    }

    private static func range<Integer: FixedWidthInteger>(of type: Integer.Type)
        -> DeclaredConstraint?
    {
        if Integer.bitWidth >= Int.bitWidth { return nil }
        return DeclaredConstraint(expected: "an integer from \(Integer.min) to \(Integer.max)") {
            value in (value as? Int).map { Integer(exactly: $0) != nil } ?? true
        }
    }

    private static func cases<Enumeration: PersistableEnum>(of type: Enumeration.Type)
        -> DeclaredConstraint
    {
        let known = Enumeration.allCases.prefix(5).map { "\($0.rawValue)" }.joined(separator: ", ")
        return DeclaredConstraint(expected: "the raw value of a case of '\(type)', as \(known)") {
            value in
            stored(value, as: Enumeration.RawValue.self).map { Enumeration(rawValue: $0) != nil }
                ?? false
        }
    }

    private static func conversion<Converted: FailableCustomPersistable>(of type: Converted.Type)
        -> DeclaredConstraint?
    {
        if Converted.PersistedType.self is ObjectBase.Type { return nil }
        return DeclaredConstraint(expected: "a value that '\(type)' accepts") { value in
            stored(value, as: Converted.PersistedType.self).map {
                Converted(persistedValue: $0) != nil
            } ?? false
        }
    }

    /// Converts a value to the stored type of a type of the program.
    private static func stored<Stored>(_ value: Any, as type: Stored.Type) -> Stored? {
        if let integer = value as? Int, let small = type as? any FixedWidthInteger.Type {
            return converted(integer, to: small) as? Stored
        }
        return value as? Stored
    }

    private static func converted<Integer: FixedWidthInteger>(_ value: Int, to type: Integer.Type)
        -> Integer?
    { Integer(exactly: value) }
}

/// `Persisted` of any type.
private protocol DeclaredProperty {
    static var contentType: Any.Type { get }
}

extension Persisted: DeclaredProperty {
    fileprivate static var contentType: Any.Type { Value.self }
}

/// A type around another one: an optional or a collection.
private protocol DeclaredContent {
    static var contentType: Any.Type { get }
}

extension Optional: DeclaredContent {
    fileprivate static var contentType: Any.Type { Wrapped.self }
}

extension List: DeclaredContent {
    fileprivate static var contentType: Any.Type { Element.self }
}

extension MutableSet: DeclaredContent {
    fileprivate static var contentType: Any.Type { Element.self }
}

extension Map: DeclaredContent {
    fileprivate static var contentType: Any.Type { Value.self }
}
