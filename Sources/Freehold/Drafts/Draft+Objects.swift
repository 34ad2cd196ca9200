public extension Draft {
    // Each does in the draft what the function of the same name does in a write transaction of a
    // realm.

    /// All objects of a class; see ``Realm/objects(_:)``.
    ///
    /// - Parameter type: The class.
    func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
        realm.objects(type)
    }

    /// The object with a primary key, or nil; see ``Realm/object(ofType:forPrimaryKey:)``.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - key: The primary key.
    func object<Element: Object, KeyType>(ofType type: Element.Type, forPrimaryKey key: KeyType)
        -> Element?
    { realm.object(ofType: type, forPrimaryKey: key) }

    /// Adds an object; see ``Realm/add(_:update:)-(Object,_)``.
    ///
    /// - Parameters:
    ///   - object: An unmanaged object. It becomes one of the draft.
    ///   - update: What to do if there is an object with its primary key.
    func add(_ object: Object, update: Realm.UpdatePolicy = .error) {
        realm.add(object, update: update)
    }

    /// Adds objects; see ``Realm/add(_:update:)-(S,_)``.
    ///
    /// - Parameters:
    ///   - objects: Unmanaged objects. They become objects of the draft.
    ///   - update: What to do if there are objects with their primary keys.
    func add<S: Sequence>(_ objects: S, update: Realm.UpdatePolicy = .error)
    where S.Iterator.Element: Object { realm.add(objects, update: update) }

    /// Creates an object from values; see ``Realm/create(_:value:update:)``.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - value: The values, by names or in order.
    ///   - update: What to do if there is an object with its primary key.
    /// - Returns: The object.
    @discardableResult
    func create<T: Object>(
        _ type: T.Type, value: Any = [String: Any](), update: Realm.UpdatePolicy = .error
    ) -> T { realm.create(type, value: value, update: update) }

    /// Deletes an object; see ``Realm/delete(_:)-(ObjectBase)``.
    ///
    /// - Parameter object: An object of the draft.
    func delete(_ object: ObjectBase) { realm.delete(object) }

    /// Deletes objects; see ``Realm/delete(_:)-(S)``.
    ///
    /// - Parameter objects: Objects of the draft.
    func delete<S: Sequence>(_ objects: S) where S.Iterator.Element: ObjectBase {
        realm.delete(objects)
    }

    /// Edits as one step of undo, which is undone if the block throws.
    ///
    /// - Parameters:
    ///   - name: What the edits do, for a menu: "Rename".
    ///   - block: Makes the edits.
    /// - Returns: What the block returns.
    /// - Throws: What the block throws.
    /// - Precondition: No other group or write block of the draft is open.
    @discardableResult
    func group<Result>(_ name: String? = nil, _ block: () throws -> Result) rethrows -> Result {
        core.checkConfinement("Draft.group(_:_:)")
        guard let draft = core.draft else { core.refuseEndedDraft() }
        core.beginGroup(of: draft, named: name)
        do {
            let result = try block()
            if draft.group != nil { core.endGroup(of: draft) }
            return result
        } catch {
            if draft.group != nil { core.cancelGroup(of: draft) }
            throw error
        }
    }
}
