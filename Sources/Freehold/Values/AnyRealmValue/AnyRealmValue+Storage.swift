import Foundation
import FreeholdStorage

// Conversions between values and their stored form.

extension AnyRealmValue {
    /// Makes the value that is stored as given bytes. Nested collections are not decoded:
    /// `nested` makes their places.
    ///
    /// Damage reads as none and is recorded. Traps if an object is of a class that the realm's
    /// schema lacks.
    ///
    /// - Parameter binding: The class whose object has the value. If the class is referred to
    ///   dynamically, objects are dynamic, too.
    init(
        storedBytes bytes: UnsafeRawBufferPointer, of binding: ClassBinding,
        nested: (UInt64, CollectionKind) -> NestedCollection
    ) {
        if let identity = MixedValue.identity(in: bytes) {
            self =
                bytes[0] == MixedValue.listTag
                ? .list(List(nested: nested(identity, .list)))
                : .dictionary(Map(nested: nested(identity, .map)))
        } else if let stored = MixedValue(decoding: bytes) {
            self.init(stored, of: binding) { preconditionFailure("'\($0)' is no collection.") }
        } else {
            binding.core.noteDamagedMixedValue()
            self = .none
        }
    }

    /// Makes the value from its stored form. As ``init(storedBytes:of:nested:)``.
    init(_ stored: MixedValue?, of binding: ClassBinding, nested: (MixedValue) -> NestedCollection)
    {
        switch stored {
        case nil: self = .none
        case .boolean(let value): self = .bool(value)
        case .integer(let value): self = .int(Int(value))
        case .float(let value): self = .float(value)
        case .double(let value): self = .double(value)
        case .decimal(let low, let high): self = .decimal128(Decimal128(storedWords: (low, high)))
        case .text(let bytes): self = .string(bytes.withUnsafeBytes { String(storedBytes: $0) })
        case .bytes(let bytes): self = .data(Data(bytes))
        case .timestamp(let value): self = .date(Date(timeIntervalSinceReferenceDate: value))
        case .fixed(let value): self.init(value)
        case .link(let target):
            self =
                binding.core.object(target, isDynamic: binding.isDynamic).map { .object($0) }
                ?? .none
        case .list?: self = .list(List(nested: nested(stored.unsafelyUnwrapped)))
        case .map?: self = .dictionary(Map(nested: nested(stored.unsafelyUnwrapped)))
        }
    }

    /// Calls `body` with each object that the value holds, also inside of nested collections.
    /// Traps if these are nested too deep.
    func forEachObject(level: Int = 0, _ body: (Object) -> Void) {
        switch self {
        case .object(let object): body(object)
        case .list(let list):
            AnyRealmValue.checkNesting(level)
            for value in list.contents { value.forEachObject(level: level + 1, body) }
        case .dictionary(let map):
            AnyRealmValue.checkNesting(level)
            for entry in map.sortedEntries { entry.value.forEachObject(level: level + 1, body) }
        default: break
        }
    }

    /// Traps if a collection at this nesting level is too deep.
    static func checkNesting(_ level: Int) {
        if level < maximumDepth { return }
        misuse(
            "Max nesting level reached",
            remedy: """
                Lists and dictionaries nest at most \(maximumDepth) deep in an \
                AnyRealmValue. Flatten the value, move a part of it into an object of its \
                own, and make sure that no collection contains itself.
                """)
    }

    /// Whether the value is the collection with an identity in the current state of the realm.
    func isNested(_ identity: UInt64?, in core: RealmCore) -> Bool {
        let place: NestedCollection? =
            switch self {
            case .list(let list): list.nested
            case .dictionary(let map): map.nested
            default: nil
            }
        guard let place, let identity else { return false }
        return place.core === core && place.identity == identity
    }
}

/// The reason why a realm cannot hold a value as it is.
private enum AbsentValueError: Error {
    /// It holds an object that is not in the realm.
    case object
    /// It is nested deeper than stored values may be.
    case tooDeep
}

extension RealmCore {
    /// Returns the class binding of an object that a value holds; for a dynamic object, that of
    /// its row. Traps if neither the realm's schema nor the file has the class.
    func binding(ofHeld object: ObjectBase) -> ClassBinding {
        bindingOfTable(for: object.classOfRow)
    }

    /// Returns the stored form of a value at a nesting level. Adds unmanaged objects, so rows
    /// looked up earlier may be stale afterwards.
    ///
    /// Nested collections get new identities. Traps if they are nested too deep, and as adding
    /// objects does.
    func stored(_ value: AnyRealmValue, level: Int = 0) -> MixedValue? {
        // All objects first, so that refused objects and values nested too deep are found before
        // any object is added.
        value.forEachObject(level: level) { _ = binding(ofHeld: $0) }
        value.forEachObject(level: level) { _ = linkTargetKey(for: $0) }
        do throws(AbsentValueError) {
            return try mixed(value, level: level) { object in
                LinkTarget(table: binding(ofHeld: object).table, key: object.key)
            }
        } catch {
            preconditionFailure("Every object was added: \(error).")
        }
    }

    /// Returns the stored form of a value, if the realm can hold it as it is; else nil for the
    /// outer optional.
    func known(_ value: AnyRealmValue) -> MixedValue?? {
        do throws(AbsentValueError) {
            return .some(
                try mixed(value, level: 0) { object in
                    // An object that is being added has its row already, but is not managed yet.
                    guard object.core === self, !(object._isManaged && isDeleted(object)) else {
                        return nil
                    }
                    return LinkTarget(table: binding(ofHeld: object).table, key: object.key)
                })
        } catch {
            return nil
        }
    }

    private func mixed(_ value: AnyRealmValue, level: Int, _ target: (Object) -> LinkTarget?)
        throws(AbsentValueError) -> MixedValue?
    {
        switch value {
        case .none: return nil
        case .int(let value): return .integer(Int64(value))
        case .bool(let value): return .boolean(value)
        case .float(let value): return .float(value)
        case .double(let value): return .double(value)
        case .string(var value): return .text(value.withUTF8 { ContiguousArray($0) })
        case .data(let value): return .bytes(ContiguousArray(value))
        case .date(let value): return .timestamp(value.timeIntervalSinceReferenceDate)
        case .decimal128(let value): return .decimal(value.lowBits, value.highBits)
        case .object(let object):
            guard let target = target(object) else { throw .object }
            return .link(target)
        case .list(let list):
            if level >= AnyRealmValue.maximumDepth { throw .tooDeep }
            var values = ContiguousArray<MixedValue?>()
            for value in list.contents { values.append(try mixed(value, level: level + 1, target)) }
            return .list(values, identity: MixedValue.newIdentity())
        case .dictionary(let map):
            if level >= AnyRealmValue.maximumDepth { throw .tooDeep }
            var entries = ContiguousArray<(key: ContiguousArray<UInt8>, value: MixedValue?)>()
            for entry in map.sortedEntries {
                entries.append(
                    (
                        ContiguousArray(entry.key.utf8),
                        try mixed(entry.value, level: level + 1, target)
                    ))
            }
            return .map(entries, identity: MixedValue.newIdentity())
        default: return value.fixedValue.map { .fixed($0) }
        }
    }

    /// Returns the object that a link of a value points to; nil, which is damage, if there is
    /// none. The object is dynamic if the realm's schema lacks its class.
    fileprivate func object(_ target: LinkTarget, isDynamic: Bool) -> Object? {
        guard let binding = binding(ofLinked: target.table, isDynamic: isDynamic) else {
            noteDamagedMixedValue()
            return nil
        }
        guard let object = accessor(target.key, of: binding) else {
            noteMissingRow(target.key, of: binding)
            return nil
        }
        return unsafeDowncast(object, to: Object.self)
    }

    func noteDamagedMixedValue() {
        store.noteDamage("A value of a property of type AnyRealmValue is damaged.")
    }
}

/// Calls `body` with the stored bytes of a value, nil for none.
func withEncoded<Result>(_ value: MixedValue?, _ body: (UnsafeRawBufferPointer?) -> Result)
    -> Result
{
    guard let value else { return body(nil) }
    return value.encoded.withUnsafeBytes { body($0) }
}

extension AnyRealmValue {
    /// Returns the value with its objects replaced. Collections are copied only if one of their
    /// objects is replaced. Traps if they are nested too deep.
    func replacingObjects(level: Int = 0, by replacement: (Object) -> Object) -> AnyRealmValue {
        var isSame = true
        func replaced(_ value: AnyRealmValue) -> AnyRealmValue {
            let new = value.replacingObjects(level: level + 1, by: replacement)
            if !new.isInstance(of: value) { isSame = false }
            return new
        }
        switch self {
        case .object(let object): return .object(replacement(object))
        case .list(let list):
            AnyRealmValue.checkNesting(level)
            let values = list.contents.map(replaced)
            return isSame ? self : .fromArray(values)
        case .dictionary(let map):
            AnyRealmValue.checkNesting(level)
            let values = map.entries.mapValues(replaced)
            return isSame ? self : .fromDictionary(values, areKnown: true)
        default: return self
        }
    }

    /// Whether both have the same instance; true for values that are not instances.
    private func isInstance(of other: AnyRealmValue) -> Bool {
        switch (self, other) {
        case (.object(let a), .object(let b)): a === b
        case (.list(let a), .list(let b)): a === b
        case (.dictionary(let a), .dictionary(let b)): a === b
        default: true
        }
    }
}
