import FreeholdStorage

extension Violation {
    /// Realm's text on the first line, then the operation and its subject, then the remedy.
    var text: String {
        switch self {
        case .wrongThread(let report):
            return report.description

        case .deletedObject(let object, let position):
            return render(
                "Object has been deleted or invalidated.",
                what: """
                    Using \(object.propertyText(atColumn: position)) of \
                    \(object.identityText)\(place(of: object))
                    """,
                remedy: object.core?.draft?.isOver == true
                    ? "Its draft was discarded: test Draft.isDiscarded, and resolve it in another."
                    : """
                    Test isInvalidated before use, and do not keep objects beyond the \
                    deletion or Realm.invalidate().
                    """)
        case .deletedObjectUsed(let object, let operation):
            return render(
                "Object has been deleted or invalidated.",
                what: "\(operation) of \(object.identityText)\(place(of: object))",
                remedy: """
                    Test isInvalidated before use, and do not keep objects beyond the \
                    deletion or Realm.invalidate().
                    """)
        case .addedInvalidatedObject(let object):
            return render(
                "Adding a deleted or invalidated object to a Realm is not permitted",
                what: "Adding \(object.identityText)\(place(of: object))",
                remedy: "Test isInvalidated first, or make a new object.")

        case .writeOutsideTransaction(let object, let position):
            let what = "Writing \(object.propertyText(atColumn: position))\(place(of: object))"
            if object.core?.isFrozen == true {
                return render(
                    """
                    Attempting to modify a frozen object - call thaw on the Object \
                    instance first.
                    """,
                    what: what,
                    remedy: "thaw() the object and change the result inside a write transaction.")
            }
            if let core = object.core, core.isReadOnly {
                return Violation.transactionOnReadOnlyRealm(core).text
            }
            return render(
                """
                Attempting to modify object outside of a write transaction - call \
                beginWriteTransaction on an RLMRealm instance first.
                """, what: what, remedy: "Put the change inside try realm.write { … }.")
        case .changeOutsideTransaction(let core, let operation):
            if core.isFrozen { return Violation.transactionOnFrozenRealm(core).text }
            if core.isReadOnly { return Violation.transactionOnReadOnlyRealm(core).text }
            return render(
                """
                Can only add, remove, or create objects in a Realm in a write transaction - call \
                beginWriteTransaction on an RLMRealm instance first.
                """,
                what: "\(operation)\(place(of: core))",
                remedy: "Put the call inside try realm.write { … }.")
        case .transactionOnFrozenRealm(let core):
            return render(
                "Can't perform transactions on a frozen Realm",
                what: "Writing to a frozen version\(place(of: core))",
                remedy: "Use thaw(), or open a live realm with Realm(configuration:).")
        case .transactionOnReadOnlyRealm(let core):
            return render(
                "Can't perform transactions on read-only Realms.",
                what: "Writing\(place(of: core))",
                remedy: "Open the realm with a configuration whose readOnly is false.")
        case .alreadyInTransaction(let core):
            return render(
                "The Realm is already in a write transaction",
                what: "Beginning another one\(place(of: core))",
                remedy: """
                    Write transactions do not nest: test isInWriteTransaction, or move the \
                    inner changes into the outer block.
                    """)
        case .commitWithoutTransaction(let core):
            return render(
                "Can't commit a non-existing write transaction",
                what: "Realm.commitWrite()\(place(of: core))",
                remedy: """
                    Call beginWrite() first; inside of write { … } do not commit again \
                    after a cancelWrite().
                    """)
        case .cancelWithoutTransaction(let core):
            return render(
                "Can't cancel a non-existing write transaction",
                what: "Realm.cancelWrite()\(place(of: core))",
                remedy: "Call beginWrite() first, and cancel or commit once.")

        case .foreignObject(let object, let core):
            return render(
                """
                Object is already managed by another Realm. Use create instead to copy it \
                into this Realm.
                """,
                what: """
                    Using \(object.identityText)\(place(of: object)) in a \
                    change\(place(of: core))
                    """,
                remedy: object.core?.draft != nil || core.draft != nil
                    ? """
                    A draft and its realm have objects of their own: use the one that \
                    resolve(_:) of this draft or realm returns, or copy it with create(_:value:).
                    """
                    : """
                    Copy it with realm.create(_:value:), or for the same file resolve it \
                    in this realm first (object(ofType:forPrimaryKey:), thaw()).
                    """)
        case .deletedFromForeignRealm(let object, let core):
            return render(
                "Can only delete an object from the Realm it belongs to.",
                what: """
                    Deleting \
                    \(object.identityText)\(place(of: object))\(place(of: core, "from the realm"))
                    """,
                remedy: """
                    Delete it through object.realm, or resolve it in this realm first: \
                    resolve(_:).
                    """)
        case .deletedSeveralFromForeignRealm(let object, let core):
            return render(
                "Can only delete objects from the Realm they belong to.",
                what: """
                    Deleting \
                    \(object.identityText)\(place(of: object))\(place(of: core, "from the realm"))
                    """,
                remedy: "Delete them through their own realm, or resolve them in this realm first.")

        case .embeddedObjectWithoutOwner(let name, let operation):
            return render(
                "Embedded objects cannot be created directly",
                what: "\(operation) of the embedded class '\(name)'",
                remedy:
                    "Assign an unmanaged '\(name)' to the property of its owner, or add the owner.")
        case .embeddedObjectHasOwner(let object):
            return render(
                "Can't set link to existing managed embedded object",
                what: """
                    Assigning an embedded object of type '\(type(of: object).className())' \
                    that has an owner\(place(of: object))
                    """,
                remedy: """
                    An embedded object has one owner: assign a copy, \
                    \(type(of: object))(value: object).
                    """)
        case .embeddedObjectHasOwnerElsewhere(let object, let collection):
            return render(
                "Cannot add an existing managed embedded object to a \(collection).",
                what: """
                    Adding an embedded object of type '\(type(of: object).className())' \
                    that has an owner\(place(of: object))
                    """,
                remedy: """
                    An embedded object has one owner: add a copy, \
                    \(type(of: object))(value: object).
                    """)
        case .deletionDenied(let core, let operation, let denial):
            return render(
                denial.message,
                what: "\(operation)\(place(of: core)), a function that cannot throw",
                remedy: """
                    Use try realm.deleteChecked(_:), which throws an error then and \
                    deletes nothing.
                    """)

        case .duplicatePrimaryKey(let name, let value):
            return render(
                """
                Attempting to create an object of type '\(name)' with an existing primary key \
                value\(value.map { " '\($0)'" } ?? "").
                """,
                what: "Adding with the update policy .error",
                remedy:
                    "Use update: .modified or .all to change the existing object, or another key.")
        case .noPrimaryKeyToUpdate(let name):
            return render(
                "'\(name)' does not have a primary key and can not be updated",
                what: "Adding with an update policy",
                remedy: "Declare @Persisted(primaryKey: true), or leave update: out.")
        case .noPrimaryKeyDefined(let name):
            return render(
                "'\(name)' does not have a primary key defined",
                what: "Looking an object up by primary key",
                remedy: "Declare @Persisted(primaryKey: true), or use objects(_:).where { … }.")
        case .classNotInSchema(let name):
            return render(
                """
                Object type '\(name)' is not managed by the Realm. If using a custom \
                `objectClasses` / `objectTypes` array in your configuration, add `\(name)` to the \
                list of `objectClasses` / `objectTypes`.
                """,
                what: "Using the class '\(name)'",
                remedy: """
                    Add it to objectTypes; a class that the file of a read-only realm does \
                    not have cannot be used there.
                    """)

        case .frozeUnmanagedObject(let object):
            return render(
                "Unmanaged objects cannot be frozen.",
                what: "Object.freeze() of \(object.identityText)",
                remedy: "Add the object to a realm first.")
        case .thawedUnmanagedObject(let object):
            return render(
                "Unmanaged objects cannot be thawed.",
                what: "Object.thaw() of \(object.identityText)",
                remedy: "An unmanaged object can be changed as it is.")
        case .frozeObjectOfSameTransaction(let object):
            return render(
                "Cannot freeze an object in the same write transaction as it was created in.",
                what: "Object.freeze() of \(object.identityText)",
                remedy: "Freeze it after the transaction was committed.")
        case .autorefreshOnFrozenRealm:
            return render(
                "Auto-refresh cannot be enabled for frozen Realms.",
                what: "Setting Realm.autorefresh", remedy: "Set it on a live realm.")

        case .storageFailed(let core, let operation, let error):
            return render(
                "\(operation) failed: \(error.message)",
                what: "\(operation)\(place(of: core)), a function that cannot throw",
                remedy:
                    "Fix the cause above, or call a throwing form such as write { … }.")
        case .misuse(let text, let remedy):
            return "\(text)\n  Remedy: \(remedy)"
        }
    }

    private func render(_ text: String, what: String, remedy: String) -> String {
        "\(text)\n  What: \(what)\n  Remedy: \(remedy)"
    }

    private func place(of object: ObjectBase) -> String { object.core.map { place(of: $0) } ?? "" }

    private func place(of core: RealmCore, _ preposition: String = "in the realm") -> String {
        let opening = core.confinement.opening
        return
            " \(preposition) at '\(core.store.path)', opened at \(opening.fileID):\(opening.line)"
    }
}
