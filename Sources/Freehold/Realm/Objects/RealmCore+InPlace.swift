import FreeholdStorage

/// Changes embedded objects, and objects without a primary key, in place. The policy `.modified`
/// does so: references to them stay valid, and observers are notified only of the properties
/// that differ.
///
/// As in Realm, list elements are matched by position, and embedded values of a map by key.
extension RealmCore {
    /// Whether the policy `.modified` changes a property's objects in place.
    func changesInPlace(_ property: PropertyDescriptor) -> Bool {
        if property.isOwning { return true }
        guard property.shape == nil || property.shape == .list,
            let target = property.objectType.flatMap({ bindingIfManaged(for: $0) })
        else { return false }
        return target.schema.primaryKey == nil
    }

    /// The row key of the object in a row's property.
    func ownedKey(_ key: Int64, _ binding: ClassBinding, _ property: PropertyDescriptor) -> Int64? {
        guard let place = locate(key, of: binding) else { return nil }
        let view = place.cluster.columns[binding.columns[property.ordinal].position]
        return view.isNull(at: place.row) || view.encoding == .absent
            ? nil : view.integer(at: place.row)
    }

    /// The objects in a row's list or map.
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

    /// Changes the embedded objects of a managed object to those of an unmanaged object's
    /// property.
    ///
    /// - Returns: False if there are none to change, so that the caller assigns the value.
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
