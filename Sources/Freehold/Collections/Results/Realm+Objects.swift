import FreeholdStorage

extension Realm {
    /// Returns all objects of a class, as a live collection.
    ///
    /// O(1): nothing is read until the collection is used.
    ///
    ///     for dog in realm.objects(Dog.self).where({ $0.age > 5 }) { … }
    ///
    /// - Note: Call it on the realm's thread, queue or actor. Traps if the class is not in the
    ///   realm's schema.
    public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
        core.checkConfinement("Realm.objects(\(Element.self).self)")
        return Results(
            core: core, state: core.allObjects(of: Element._objectClass),
            identity: core.nextResultsIdentity())
    }
}
