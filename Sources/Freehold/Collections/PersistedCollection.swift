import Foundation

/// A collection class, for code that does not know which one.
protocol PersistedCollection: AnyObject, _Persistable, Equatable, DescribedWithDepth {
    /// The type of the elements; in a map, of the values.
    associatedtype Item: RealmCollectionValue
    /// The converted elements of a literal, made before anything changes.
    associatedtype Prepared

    static var kind: CollectionKind { get }

    init()
    /// Makes a managed collection.
    init(_ managed: ManagedCollection)
    /// The collection's place, if a realm manages it.
    var managed: ManagedCollection? { get }
    /// Makes a realm manage the collection.
    func attach(to managed: ManagedCollection)
    /// How many elements or entries there are.
    var count: Int { get }
    /// Calls `body` with each element that is an object.
    func forEachObject(_ body: (ObjectBase) -> Void)
    /// Whether both have equal contents, managed or not. O(contents).
    func hasEqualContents(as other: Self) -> Bool
    /// Replaces the contents by those of another collection. Safe for the same one.
    func assign(_ other: Self)
    /// Converts the elements of a literal or of another collection; nil means no elements. Throws
    /// if one does not fit.
    func prepare(_ literal: Any?) throws(InvalidElementError) -> Prepared
    /// Replaces the contents by those of a literal.
    func assign(prepared: Prepared)
    /// Records that an element of an assigned literal cannot be represented. Every read and
    /// change of the contents traps until they are replaced. Unmanaged collections only.
    func refuse(_ error: InvalidValueError, count: Int)
    /// Returns the rows of the embedded objects that a stored collection has at the positions of
    /// this one's objects; nil where it has none. In the order of ``forEachObject(_:)``.
    func ownedKeys(in managed: ManagedCollection) -> [Int64?]
    /// Replaces the contents of a managed collection of embedded objects by those of an unmanaged
    /// one. Objects that took over rows of ``ownedKeys(in:)`` stay where they are.
    func update(from other: Self)
}

/// An element that does not fit its collection.
enum InvalidElementError: Error {
    /// The element itself, or the literal if it is not one of a collection.
    case refused(ShownValue)
    /// A literal inside of the element, which does not fit.
    case nested(InvalidValueError)
}

extension PersistedCollection {
    /// Reads the collection of a managed object. An object that records key paths records it.
    @inline(__always)
    static func read(_ object: ObjectBase, _ column: Int) -> Self {
        if object.core != nil { return object.collection(column) }
        object.recordCollection(column)
        return Self()
    }

    /// Replaces the contents of a managed object's collection.
    @inline(__always)
    static func write(_ object: ObjectBase, _ column: Int, _ value: Self) {
        if object.core == nil { object.writeToRecorder() }
        Self(object.managedCollection(column, kind)).assign(value)
    }

    /// Stores the contents of an unmanaged collection in a realm, and makes this the realm's
    /// collection. O(contents).
    func manage(_ managed: ManagedCollection, onlyIfDifferent: Bool) {
        let stored = Self(managed)
        // Most collections of new objects are empty, and so is the collection of a new row.
        if count == 0, stored.count == 0 { return attach(to: managed) }
        if onlyIfDifferent, managed.descriptor.ownedClass != nil {
            stored.update(from: self)
        } else if !(onlyIfDifferent && stored.hasSameContents(as: self)) {
            stored.assign(self)
        }
        attach(to: managed)
        managed.settle()
    }

    /// Assigns to the collection of a property of an unmanaged object.
    static func assigned(_ value: Self, over stored: Self?) -> Self {
        let own = stored ?? Self()
        own.assign(value)
        return own
    }

    /// Replaces the contents by those of a literal, if all of it converts.
    func assignIfConverted(_ literal: Any?) -> Bool {
        guard let prepared = try? prepare(literal) else { return false }
        assign(prepared: prepared)
        return true
    }

    /// Returns the elements of a literal: any sequence except text, data and dictionaries.
    static func elements<Element: RealmCollectionValue>(from literal: Any?)
        throws(InvalidElementError) -> [Element]
    {
        guard let literal = flattened(literal) else { return [] }
        try CollectionLiteral.check(literal)
        if let same = literal as? [Element] {
            for element in same { try check(element) }
            return same
        }
        guard let values = CollectionLiteral.values(of: literal) else {
            throw .refused(ShownValue(literal))
        }
        let codec = Element.elementCodec
        var elements: [Element] = []
        elements.reserveCapacity(values.count)
        for value in values { elements.append(try convert(value, codec)) }
        return elements
    }

    static func convert<Element: RealmCollectionValue>(
        _ value: Any?, _ codec: any ElementCodec<Element>
    ) throws(InvalidElementError) -> Element {
        let element: Element?
        do throws(InvalidValueError) {
            element = try codec.converted(from: value)
        } catch {
            throw .nested(error)
        }
        guard let element else { throw .refused(ShownValue(value)) }
        return element
    }

    private static func check<Element>(_ element: Element) throws(InvalidElementError) {
        if Element.self is ObjectBase.Type, type(of: element as AnyObject) != Element.self {
            throw .refused(ShownValue(element))
        }
    }
}

/// Calls `body` with an element that is an object, or with the objects that an ``AnyRealmValue``
/// holds.
func visitObjects<Element>(of element: Element, _ body: (ObjectBase) -> Void) {
    if Element.self == AnyRealmValue.self {
        unsafeBitCast(element, to: AnyRealmValue.self).forEachObject { body($0) }
    } else if let object = flattened(element) as? ObjectBase {
        body(object)
    }
}

/// Recognises the literals that can replace a collection's contents.
enum CollectionLiteral {
    /// Throws if a container of Foundation is nested too deep.
    static func check(_ literal: Any) throws(InvalidElementError) {
        do throws(InvalidValueError) {
            try LiteralNesting.checkFoundationContainer(literal)
        } catch {
            throw .nested(error)
        }
    }

    /// Returns the elements of any sequence except text, data and dictionaries; nil for others.
    static func values(of literal: Any) -> [Any?]? {
        guard !(literal is String), !(literal is [AnyHashable: Any]), !(literal is Data),
            !(literal is any KeyedLiteral),
            let sequence = literal as? any Sequence
        else { return nil }
        return anyValues(sequence)
    }

    /// Returns the entries of a dictionary or a map; nil for others.
    static func entries(of literal: Any) -> KeyedEntries? {
        (literal as? any KeyedLiteral)?.literal
            ?? (literal as? [String: Any]).map { KeyedEntries(entries: $0, areKnown: false) }
    }

    private static func anyValues<Values: Sequence>(_ values: Values) -> [Any?] {
        values.map { $0 as Any? }
    }
}

/// A map of any type, as a literal for another map.
protocol KeyedLiteral {
    var literal: KeyedEntries { get }
}

/// A literal for a map's entries.
struct KeyedEntries: KeyedLiteral {
    let entries: [String: Any]
    /// Whether the keys come from a map, and need no further check.
    let areKnown: Bool

    var literal: KeyedEntries { self }

    /// Returns a literal of other values with the same keys. A dictionary of the program's stays
    /// one, so that its nesting is checked.
    func mapValues(_ transform: (Any) -> Any) -> Any { mapEntries { transform($1) } }

    /// ``mapValues(_:)`` with the keys.
    func mapEntries(_ transform: (String, Any) -> Any) -> Any {
        let values = Dictionary(
            uniqueKeysWithValues: entries.map { ($0.key, transform($0.key, $0.value)) })
        return areKnown ? KeyedEntries(entries: values, areKnown: true) : values
    }
}

/// Returns a property's value with its objects replaced. These are the value itself, the objects
/// in an ``AnyRealmValue``, or the elements of a collection.
///
/// - Parameter includesValues: Whether values of the program that are stored as embedded objects
///   are replaced by the transformed objects. Otherwise they stay, unless they keep an object
///   that has an owner, which cannot get a second one.
func mapObjects(
    in value: Any?, of property: PropertyDescriptor, includesValues: Bool = false,
    _ transform: (ObjectBase) -> ObjectBase
) -> Any? {
    func mapped(_ value: Any?) -> Any {
        guard let value = flattened(value) else { return NSNull() }
        // Values that do not convert are left to the property, which refuses them.
        guard property.type == .any else {
            if let object = value as? ObjectBase { return transform(object) }
            if let stored = storedObject(for: value), includesValues || stored._isManaged {
                return transform(stored)
            }
            return value
        }
        guard let any = try? AnyRealmValue(literal: value) else { return value }
        return any.replacingObjects { transform($0) as? Object ?? $0 }
    }
    guard property.objectType != nil || property.type == .any, let value = flattened(value) else {
        return flattened(value)
    }
    if property.shape == nil { return mapped(value) }
    if (try? CollectionLiteral.check(value)) == nil { return value }
    if let entries = CollectionLiteral.entries(of: value) { return entries.mapValues(mapped) }
    return CollectionLiteral.values(of: value)?.map(mapped) ?? value
}

/// Returns the embedded object that a value of the program is stored as; in most programs, a new
/// one with each call. Returns nil for values that are not stored as embedded objects.
func storedObject(for value: Any) -> ObjectBase? {
    (value as? any _MappedPersistable)?._rlmPersisted as? ObjectBase
}
