import FreeholdStorage

/// Embedded objects and those without a primary key that are changed in their places, which the
/// policy `.modified` does: whoever has one keeps a valid object, and its observers are told of
/// the properties that differ.
///
/// As in Realm, the elements of a list are taken one after the other by their positions,
/// embedded ones of a map by their keys.
extension RealmCore {
    /// Whether the policy `.modified` changes the objects that a property has.
    func changesInPlace(_ property: PropertyDescriptor) -> Bool {
        if property.isOwning { return true }
        guard property.shape == nil || property.shape == .list,
            let target = property.objectType.flatMap({ bindingIfManaged(for: $0) })
        else { return false }
        return target.schema.primaryKey == nil
    }

    /// The row of the object that a row's property has.
    func ownedKey(_ key: Int64, _ binding: ClassBinding, _ property: PropertyDescriptor) -> Int64? {
        guard let place = locate(key, of: binding) else { return nil }
        let view = place.cluster.columns[binding.columns[property.ordinal].position]
        return view.isNull(at: place.row) || view.encoding == .absent
            ? nil : view.integer(at: place.row)
    }

    /// The objects of a row's list or map.
    func ownedCollection(_ key: Int64, _ binding: ClassBinding, _ property: PropertyDescriptor)
        -> ManagedCollection?
    {
        let column = binding.columns[property.ordinal]
        guard let descriptor = binding.elementDescriptors[column.position],
            let shape = property.shape
        else { return nil }
        return ManagedCollection(
            core: self, binding: binding, column: column, key: key, descriptor, shape)
    }

    /// Makes the embedded objects of a managed object those of an unmanaged one's property.
    ///
    /// - Returns: False where nothing is there to be changed, so that the value is to be assigned.
    func updateOwned(
        _ property: PropertyDescriptor, of existing: ObjectBase, from draft: ObjectBase
    ) -> Bool {
        guard let target = property.objectType,
            let binding = existing.binding?.takeUnretainedValue()
        else { return false }
        let (targetBinding, wrapper) = (
            self.binding(for: target), draft.unsafeWrapper(of: property)
        )
        func store(_ object: ObjectBase, over old: Int64) {
            let row = ReservedRow(key: old, isNew: false)
            insert(object, targetBinding, requireWrite("Realm.create"), .modified, in: row)
        }
        guard property.shape != nil else {
            guard let old = ownedKey(existing.key, binding, property), let link = property.link,
                let new = link.unmanagedTarget(in: wrapper), !new._isManaged
            else { return false }
            if !(property.isConverted && isStored(new, asRow: old, link)) { store(new, over: old) }
            return true
        }
        guard let elements = ownedCollection(existing.key, binding, property) else { return false }
        if !property.isConverted {
            var objects: [ObjectBase] = []
            property.codec.forEachObject(in: wrapper) { objects.append($0) }
            for (object, old) in zip(objects, property.codec.ownedKeys(in: wrapper, of: elements)) {
                if let old, !object._isManaged { store(object, over: old) }
            }
        }
        property.codec.update(elements, from: wrapper)
        return true
    }
}
