import FreeholdStorage

/// A programming error that the library found: the operation and its subject.
///
/// Every case ends the process through ``violation(_:)``, the only place that does. The first
/// line of each text is Realm's; `Violation+Text.swift` has the texts.
enum Violation {
    // Confinement.
    case wrongThread(ConfinementViolation)

    // Objects and realms that are gone.
    case deletedObject(ObjectBase, columnPosition: Int)
    /// As `deletedObject`, for an operation on the whole object: "Object.freeze()".
    case deletedObjectUsed(ObjectBase, operation: String)
    case addedInvalidatedObject(ObjectBase)

    // Write transactions.
    case writeOutsideTransaction(ObjectBase, columnPosition: Int)
    /// Adding, creating or deleting objects: "Realm.add".
    case changeOutsideTransaction(RealmCore, operation: String)
    case transactionOnFrozenRealm(RealmCore)
    case transactionOnReadOnlyRealm(RealmCore)
    case alreadyInTransaction(RealmCore)
    case commitWithoutTransaction(RealmCore)
    case cancelWithoutTransaction(RealmCore)

    // Ownership.
    case foreignObject(ObjectBase, RealmCore)
    case deletedFromForeignRealm(ObjectBase, RealmCore)
    case deletedSeveralFromForeignRealm(ObjectBase, RealmCore)

    // Embedded objects and delete rules.
    case embeddedObjectWithoutOwner(className: String, operation: String)
    case embeddedObjectHasOwner(ObjectBase)
    /// As `embeddedObjectHasOwner`, for a "List" or a "Dictionary" as the second owner.
    case embeddedObjectHasOwnerElsewhere(ObjectBase, collection: String)
    case deletionDenied(RealmCore, operation: String, DeletionDenial)

    // Primary keys and classes.
    /// The value is nil in an encrypted realm.
    case duplicatePrimaryKey(className: String, value: String?)
    case noPrimaryKeyToUpdate(className: String)
    case noPrimaryKeyDefined(className: String)
    case classNotInSchema(className: String)

    // Frozen.
    case frozeUnmanagedObject(ObjectBase)
    case thawedUnmanagedObject(ObjectBase)
    case frozeObjectOfSameTransaction(ObjectBase)
    case autorefreshOnFrozenRealm

    /// The file failed in a function that cannot throw.
    case storageFailed(RealmCore, operation: String, StorageError)

    /// Any other misuse of the API: Realm's text, and what to do instead.
    case misuse(text: String, remedy: String)
}

/// Reports and ends the process.
@inline(never)
func violation(_ violation: Violation) -> Never {
    if case .wrongThread(let report) = violation { ConfinementReports.deliver(report) }
    fatalError(violation.text)
}

/// Reports any other misuse of the API, with Realm's text and what to do instead, and ends the
/// process.
func misuse(_ text: String, remedy: String) -> Never {
    violation(.misuse(text: text, remedy: remedy))
}
