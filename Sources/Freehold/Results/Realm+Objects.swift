import FreeholdStorage

extension Realm {
    /// All objects of a class, as a live collection.
    ///
    /// O(1): nothing is read until the collection is used.
    ///
    ///     for dog in realm.objects(Dog.self).where({ $0.age > 5 }) { … }
    ///
    /// - Note: Call it on the realm's thread, queue or actor. Traps if the class is not in the realm's schema.
    public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
        core.checkConfinement("Realm.objects(\(Element.self).self)")
        return Results(core: core, state: core.allObjects(of: Element._objectClass))
    }

    /// Deletes all objects that a collection holds now. Links to them become nil.
    ///
    /// O(objects). The collection is empty afterwards, unless it is a frozen one, which cannot be deleted.
    ///
    /// - Note: Traps outside of a write transaction, and if the collection belongs to another realm.
    public func delete<Element: ObjectBase>(_ objects: Results<Element>) {
        core.checkConfinement("Realm.delete(Results<\(Element.self)>)")
        guard objects.state.core === core else {
            violation(.misuse(
                text: "Can only delete objects from the Realm they belong to.",
                remedy: "Pass the collection to the delete(_:) of its own realm (results.realm), or query this realm for it."
            ))
        }
        objects.state.checkValid()
        core.delete(keys: Array(objects.state.keys()), of: objects.state.binding)
    }
}
