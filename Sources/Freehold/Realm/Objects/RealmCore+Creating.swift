import Foundation
import FreeholdStorage

/// Creates objects from values: dictionaries, arrays, and other objects.
///
/// A value for a new object becomes an unmanaged object, which is then added, so conversion and
/// storage are those of unmanaged objects. A value for an existing object sets only the
/// properties that it names.
///
/// Nested literals recurse, because their depth is limited by the text of a program or document.
/// Copying a graph of objects uses a work list, because a chain of objects has any length.
extension RealmCore {
    /// Creates or updates the object of a class from `value`. Returns the managed object.
    func create(_ type: ObjectBase.Type, from value: Any, update policy: Realm.UpdatePolicy)
        -> ObjectBase
    {
        _ = requireWrite("Realm.create")
        let binding = binding(for: type)
        if binding.schema.isEmbedded {
            violation(
                .embeddedObjectWithoutOwner(
                    className: binding.schema.className, operation: "Realm.create"))
        }
        if policy != .error, binding.schema.primaryKey == nil {
            violation(.noPrimaryKeyToUpdate(className: binding.schema.className))
        }
        return create(binding, from: value, policy)
    }

    /// - Parameter old: An object without a primary key to overwrite with this one.
    private func create(
        _ binding: ClassBinding, from value: Any, _ policy: Realm.UpdatePolicy,
        over old: ObjectBase? = nil
    ) -> ObjectBase {
        if let source = value as? ObjectBase {
            let copy = copyGraph(from: source, as: binding)
            let row = old.map { ReservedRow(key: $0.key, isNew: false) }
            insert(copy, binding, requireWrite("Realm.create"), policy, in: row)
            return copy
        }
        let values = values(from: value, for: binding)
        let draft = binding.schema.type.init()
        if let old {
            update(old, binding, values, draft, policy)
            return old
        }
        // The primary key comes first: it decides whether the object exists.
        if let primaryKey = binding.schema.primaryKeyProperty,
            let given = values.first(where: { $0.ordinal == primaryKey.ordinal })
        {
            assign(given.value, to: primaryKey, of: draft, policy)
            if policy != .error, let existing = existingObject(withPrimaryKeyOf: draft, binding) {
                update(existing, binding, values, draft, policy)
                return existing
            }
        }
        // As in Realm, an object gets its row before the objects that it links to.
        let row = reserveRow(for: draft, binding, policy)
        var unmapped: [(property: PropertyDescriptor, value: Any?)] = []
        for (ordinal, given) in values where ordinal != binding.schema.primaryKey {
            let property = binding.schema.properties[ordinal]
            if property.codec.isStorableOnly(given) {
                unmapped.append((property, given))
            } else {
                assign(given, to: property, of: draft, policy)
            }
        }
        addReserved(draft, binding, row, policy)
        for (property, value) in unmapped { assign(value, to: property, of: draft) }
        return draft
    }

    // MARK: Literals

    private func values(from literal: Any, for binding: ClassBinding) -> [(
        ordinal: Int, value: Any?
    )] {
        do throws(InvalidValueError) {
            return try binding.schema.values(inLiteral: literal)
        } catch {
            misuse(
                error.message,
                remedy: """
                    Pass a dictionary, an array in the order of the properties of \
                    '\(binding.schema.className)', or an object.
                    """)
        }
    }

    /// Assigns a property of an unmanaged or managed object. A literal for a link creates the
    /// target; so does an object of another realm.
    ///
    /// - Parameter existing: An object whose linked objects without a primary key keep the
    ///   properties that their literals do not name.
    private func assign(
        _ given: Any?, to property: PropertyDescriptor, of object: ObjectBase,
        _ policy: Realm.UpdatePolicy, over existing: ObjectBase? = nil
    ) {
        var given = flattened(given)
        let existing = existing.flatMap { changesInPlace(property) ? $0 : nil }
        if property.shape != nil,
            let target = property.objectType.flatMap({ bindingIfManaged(for: $0) }),
            let literal = given
        {
            given = managedCollection(
                of: literal, target, policy, over: existing?.value(of: property))
        } else if let target = property.targetClassName.flatMap({ binding(named: $0) }),
            let value = given, !property.isConverted || isLiteralOfObject(value),
            !isOfAnotherClass(value, than: target.schema.type)
        {
            given = managedObject(
                for: value, target, policy, over: existing?.value(of: property) as? ObjectBase)
        } else if property.type == .any {
            given = mapObjects(in: given, of: property) { object in
                guard object._isManaged, object.core !== self else { return object }
                return managedObject(for: object, binding(ofHeld: object), policy)
            }
        }
        assign(given, to: property, of: object)
    }

    private func isLiteralOfObject(_ value: Any) -> Bool {
        value is ObjectBase || value is [String: Any] || value is [Any]
    }

    /// Makes a new unmanaged embedded object. The objects that its literal links to are created,
    /// or found by their primary keys.
    ///
    /// - Parameter existing: The object that will be overwritten; properties that the literal
    ///   does not name keep its values.
    private func embedded(
        _ binding: ClassBinding, from value: Any, _ policy: Realm.UpdatePolicy,
        over existing: ObjectBase?
    ) -> ObjectBase {
        if let source = value as? ObjectBase { return copyGraph(from: source, as: binding) }
        let made =
            existing.map { EmbeddedObject.unmanagedCopy(of: $0) } ?? binding.schema.type.init()
        for (ordinal, given) in values(from: value, for: binding) {
            assign(given, to: binding.schema.properties[ordinal], of: made, policy, over: existing)
        }
        return made
    }

    /// Returns the object itself if this realm manages it, otherwise an object created or
    /// updated from it. An embedded object gives a new unmanaged one.
    private func managedObject(
        for value: Any, _ target: ClassBinding, _ policy: Realm.UpdatePolicy,
        over existing: ObjectBase? = nil
    ) -> ObjectBase {
        if target.schema.isEmbedded { return embedded(target, from: value, policy, over: existing) }
        if let object = value as? ObjectBase, object._isManaged, object.core === self {
            return object
        }
        // An object without a primary key is created anew, unless it overwrites another one; the
        // policy applies to the objects that it links to.
        return create(
            target, from: value, policy, over: target.schema.primaryKey == nil ? existing : nil)
    }

    /// A collection's literal with objects of this realm in place of literals of objects.
    /// Elements of other kinds stay, and the conversion rejects them.
    ///
    /// - Parameter existing: The collection whose objects without a primary key will be
    ///   overwritten.
    private func managedCollection(
        of literal: Any, _ target: ClassBinding, _ policy: Realm.UpdatePolicy, over existing: Any?
    ) -> Any {
        // Values of a realm's collection may link to objects of that realm; the program's own
        // values are taken unchanged.
        let isManaged = (literal as? any PersistedCollection)?.managed != nil
        func element(_ value: Any?, _ old: Any? = nil) -> Any {
            guard let value = flattened(value) else { return NSNull() }
            let old = flattened(old).flatMap { $0 as? ObjectBase ?? storedObject(for: $0) }
            if isManaged, let stored = storedObject(for: value) {
                return managedObject(for: stored, target, policy, over: old)
            }
            guard isLiteralOfObject(value), !isOfAnotherClass(value, than: target.schema.type)
            else { return value }
            return managedObject(for: value, target, policy, over: old)
        }
        if (try? CollectionLiteral.check(literal)) == nil { return literal }
        if let entries = CollectionLiteral.entries(of: literal) {
            guard let old = existing.flatMap({ CollectionLiteral.entries(of: $0) })?.entries else {
                return entries.mapValues { element($0) }
            }
            return entries.mapEntries { element($1, old[$0]) }
        }
        if let values = CollectionLiteral.values(of: literal) {
            let old = existing.flatMap { CollectionLiteral.values(of: $0) } ?? []
            return values.enumerated().map {
                element($0.element, $0.offset < old.count ? old[$0.offset] : nil)
            }
        }
        return literal
    }

    private func assign(_ value: Any?, to property: PropertyDescriptor, of object: ObjectBase) {
        do throws(InvalidValueError) {
            try object.assign(value, to: property)
        } catch {
            misuse(
                error.message,
                remedy: "Pass a value of the property's type for '\(property.name)'.")
        }
    }

    // MARK: Existing objects

    private func existingObject(withPrimaryKeyOf draft: ObjectBase, _ binding: ClassBinding)
        -> ObjectBase?
    {
        guard let value = binding.primaryKeyValue(of: draft), let key = rowKey(of: value, binding)
        else { return nil }
        return accessor(key, of: binding)
    }

    private func update(
        _ existing: ObjectBase, _ binding: ClassBinding, _ values: [(ordinal: Int, value: Any?)],
        _ draft: ObjectBase, _ policy: Realm.UpdatePolicy
    ) {
        // Embedded objects are added when they are assigned, with the objects that they link to.
        let outerPolicy = storingPolicy
        storingPolicy = policy
        defer { storingPolicy = outerPolicy }
        for (ordinal, given) in values where ordinal != binding.schema.primaryKey {
            // Assigned through the draft, so that the comparison sees converted values.
            let property = binding.schema.properties[ordinal]
            if property.codec.isStorableOnly(given) {
                assign(given, to: property, of: existing)
                continue
            }
            let changesInPlace = policy == .modified && changesInPlace(property)
            assign(given, to: property, of: draft, policy, over: changesInPlace ? existing : nil)
            if changesInPlace, property.isOwning, updateOwned(property, of: existing, from: draft) {
                continue
            }
            if property.type == .any, property.shape == nil {
                let value = Persisted<AnyRealmValue>.unsafeUnmanagedValue(
                    at: draft.unsafeWrapper(of: property))
                let position = binding.columns[ordinal].position
                binding.store(
                    value, in: existing.rowForWriting(position), binding.columns[ordinal],
                    onlyIfDifferent: policy == .modified)
                noteLayoutChanges()
                continue
            }
            let new = property.codec.value(of: draft, wrapper: draft.unsafeWrapper(of: property))
            if policy == .modified {
                let old = existing.value(of: property)
                if property.isConverted, let link = property.link, let old = old as? ObjectBase,
                    let new = new as? ObjectBase, link.isSameValue(old, new)
                {
                    continue
                }
                if isSameValue(old, new) { continue }
            }
            assign(new, to: property, of: existing)
        }
    }

    private func isSameValue(_ a: Any?, _ b: Any?) -> Bool {
        switch (flattened(a), flattened(b)) {
        case (nil, nil): true
        case (let a as ObjectBase, let b as ObjectBase):
            a.core === b.core && a.key == b.key && type(of: a) == type(of: b)
        case (let a as any PersistedCollection, let b as any PersistedCollection):
            isSameCollection(a, b)
        case (let a as AnyHashable, let b as AnyHashable): a == b
        default: false
        }
    }

    private func isSameCollection<Collection: PersistedCollection>(
        _ a: Collection, _ b: any PersistedCollection
    ) -> Bool { (b as? Collection).map { a.hasSameContents(as: $0) } ?? false }

    // MARK: Objects

    /// Makes an unmanaged copy of an object and everything that it links to. Objects that this
    /// realm manages are not copied: the copies link to them. Embedded objects are always
    /// copied.
    private func copyGraph(from source: ObjectBase, as binding: ClassBinding) -> ObjectBase {
        var copies: [CopyIdentity: ObjectBase] = [:]
        return copyGraph(from: source, as: binding, &copies)
    }

    /// - Parameter copies: The copies so far, some of them without all of their values yet.
    private func copyGraph(
        from source: ObjectBase, as binding: ClassBinding,
        _ copies: inout [CopyIdentity: ObjectBase]
    ) -> ObjectBase {
        let root = binding.schema.type.init()
        copies[CopyIdentity(source, as: binding)] = root
        // The work list keeps the sources alive, so that an address identifies one object
        // throughout.
        var work = [(source: source, copy: root)]
        func copied(_ target: ObjectBase, for property: PropertyDescriptor) -> ObjectBase {
            if !property.isOwning, target._isManaged, target.core === self { return target }
            guard let type = property.type == .any ? target.classOfRow : property.objectType,
                let binding = bindingIfManaged(for: type)
            else { return target }
            let identity = CopyIdentity(target, as: binding)
            if let known = copies[identity] { return known }
            let created = binding.schema.type.init()
            copies[identity] = created
            work.append((target, created))
            return created
        }
        var next = 0
        while next < work.count {
            let (source, copy) = work[next]
            next += 1
            for property in self.binding(for: type(of: copy)).schema.properties {
                // A property that the source lacks keeps its default.
                guard let sourceProperty = source.reflectedSchema?.property(named: property.name),
                    !source.lacksValue(of: sourceProperty)
                else { continue }
                let value = source.value(of: sourceProperty)
                if property.isConverted, let target = property.objectType {
                    // The conversion reads the object, so its copy must be complete.
                    let complete = mapObjects(
                        in: value, of: property, includesValues: source._isManaged
                    ) { copyGraph(from: $0, as: self.binding(for: target), &copies) }
                    assign(complete, to: property, of: copy)
                    continue
                }
                assign(
                    mapObjects(in: value, of: property, includesValues: true) {
                        copied($0, for: property)
                    }, to: property, of: copy)
            }
        }
        return root
    }
}

/// The source and class of a copy: links of several classes that share a table may lead to one
/// object, and each class needs its own copy.
private struct CopyIdentity: Hashable {
    let source: ObjectIdentity
    let type: ObjectIdentifier

    init(_ source: ObjectBase, as binding: ClassBinding) {
        self.source = ObjectIdentity(source)
        type = ObjectIdentifier(binding.schema.type)
    }
}
