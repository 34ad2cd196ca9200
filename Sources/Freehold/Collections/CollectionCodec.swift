import Foundation
import FreeholdStorage

/// The codec of a collection property.
struct CollectionCodec<Collection: PersistedCollection>: PropertyCodec {
    let element: any ElementCodec<Collection.Item>

    init() { element = Collection.Item.elementCodec }

    var shape: CollectionKind? { Collection.kind }
    var type: PropertyType { element.type }
    var columnType: ColumnType? { element.columnType == nil ? nil : .bytes }
    /// Whether elements can be nil. In a map, elements stored as embedded objects always can,
    /// because their objects may be deleted.
    var isOptional: Bool { element.isOptional || (Collection.kind == .map && convertsObjects) }
    var elementTarget: ObjectBase.Type? { element.target }
    var convertsObjects: Bool { Collection.Item._convertsObjects }

    func elementDescriptor() -> AnyElementDescriptor? {
        element.columnType.map { ElementDescriptor(Collection.kind, element, $0) }
    }

    func forEachObject(in wrapper: UnsafeMutableRawPointer, _ body: (ObjectBase) -> Void) {
        guard element.target != nil || element.columnType == .mixed else { return }
        wrapper.assumingMemoryBound(to: Persisted<Collection>.self).pointee.unmanaged?
            .forEachObject(body)
    }

    func manage(
        _ wrapper: UnsafeMutableRawPointer, _ managed: ManagedCollection, onlyIfDifferent: Bool
    ) {
        Persisted<Collection>.unsafeUnmanagedValue(at: wrapper).manage(
            managed, onlyIfDifferent: onlyIfDifferent)
    }

    func ownedKeys(in wrapper: UnsafeMutableRawPointer, of managed: ManagedCollection) -> [Int64?] {
        Persisted<Collection>.unsafeUnmanagedValue(at: wrapper).ownedKeys(in: managed)
    }

    func update(_ managed: ManagedCollection, from wrapper: UnsafeMutableRawPointer) {
        Collection(managed).update(from: Persisted<Collection>.unsafeUnmanagedValue(at: wrapper))
    }

    var storage: any WrapperStorage.Type { CollectionStorage<Collection>.self }

    func value(of object: ObjectBase, wrapper: UnsafeMutableRawPointer) -> Any? {
        Persisted<Collection>.unsafeValue(of: object, at: wrapper)
    }

    /// Accepts sequences, collections, dictionaries (for maps), and nil for no elements. Their
    /// items are elements or literals of elements. All are converted before the property changes.
    func setValue(_ value: Any?, of object: ObjectBase, wrapper: UnsafeMutableRawPointer)
        throws(InvalidValueError)
    {
        let collection = Persisted<Collection>.unsafeValue(of: object, at: wrapper)
        do throws(InvalidElementError) {
            collection.assign(prepared: try collection.prepare(value))
        } catch {
            if element.isMapped, object._isManaged, assignStored(value, to: object, wrapper) {
                return
            }
            if element.isMapped, !object._isManaged, assignKnown(value, to: collection) { return }
            switch error {
            case .nested(let error): throw error
            case .refused(let value):
                throw InvalidValueError(refusing: value, of: object, wrapper: wrapper)
            }
        }
    }

    /// Assigns a literal to an unmanaged collection, which cannot hold stored values that no
    /// element represents. As in Realm, they become nil. Where elements cannot be nil, the
    /// collection can be counted, and traps when it is read.
    ///
    /// - Returns: False if the literal has other faults.
    private func assignKnown(_ literal: Any?, to collection: Collection) -> Bool {
        guard let literal = flattened(literal) else { return false }
        func isUnmapped(_ value: Any?) -> Bool {
            flattened(value).map(element.isStorableOnly) ?? false
        }
        let (unmapped, count): (Any?, Int)
        let replaced: Any
        if let keyed = CollectionLiteral.entries(of: literal) {
            (unmapped, count) = (keyed.entries.values.first(where: isUnmapped), keyed.entries.count)
            replaced =
                element.isOptional
                ? keyed.mapValues { isUnmapped($0) ? NSNull() : $0 }
                : keyed.entries.filter { !isUnmapped($0.value) }
        } else if let values = CollectionLiteral.values(of: literal) {
            (unmapped, count) = (values.first(where: isUnmapped) ?? nil, values.count)
            replaced =
                element.isOptional
                ? values.map { isUnmapped($0) ? nil : $0 } : values.filter { !isUnmapped($0) }
        } else {
            return false
        }
        guard let unmapped, let prepared = try? Collection().prepare(replaced) else { return false }
        collection.assign(prepared: prepared)
        if !element.isOptional {
            let error = InvalidValueError(
                message: "Could not convert value '\(unmapped)' to type '\(Collection.Item.self)'.")
            collection.refuse(error, count: count)
        }
        return true
    }

    /// Assigns values of the stored type. As in Realm, a realm stores them even if no element
    /// represents them.
    ///
    /// - Returns: False if the values are not of the stored type.
    private func assignStored(
        _ value: Any?, to object: ObjectBase, _ wrapper: UnsafeMutableRawPointer
    ) -> Bool {
        guard let property = object.property(ofWrapper: wrapper),
            let stored = object.storedCollection(of: property) as? any PersistedCollection
        else { return false }
        return stored.assignIfConverted(value)
    }

    func isStorableOnly(_ value: Any?) -> Bool {
        guard element.isMapped, (try? Collection().prepare(value)) == nil else { return false }
        return element.type.storedScalar.map { canPrepare(value, $0) } ?? false
    }

    private func canPrepare<Value: ScalarValue>(_ value: Any?, _: Value.Type) -> Bool {
        func canPrepare<Element: RealmCollectionValue>(_: Element.Type) -> Bool {
            switch Collection.kind {
            case .list: (try? List<Element>().prepare(value)) != nil
            case .set: (try? MutableSet<Element>().prepare(value)) != nil
            case .map: (try? Map<String, Element>().prepare(value)) != nil
            }
        }
        return element.isOptional ? canPrepare(Value?.self) : canPrepare(Value.self)
    }
}

/// The wrapper of a collection.
enum CollectionStorage<Collection: PersistedCollection>: WrapperStorage {
    /// The property keeps its collection object, which the realm manages from here on.
    static func attach(_ wrapper: UnsafeMutableRawPointer, column: UInt16) {
        let persisted = wrapper.assumingMemoryBound(to: Persisted<Collection>.self)
        let stored = persisted.pointee.unmanaged.flatMap { $0.managed == nil ? nil : $0 }
        Persisted<Collection>.unsafeAttach(wrapper, column: column)
        persisted.pointee.unmanaged = stored
    }
}
