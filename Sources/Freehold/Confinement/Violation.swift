import FreeholdStorage

/// A programmer's error that the library found: what was tried, on what.
///
/// Every case ends the process through ``violation(_:)``, the only place that does.
enum Violation {
    case deletedObject(ObjectBase, columnPosition: Int)
    case writeOutsideTransaction(ObjectBase, columnPosition: Int)
}

/// An access that the gate checks, for the diagnosis when it is refused.
enum ConfinedAccess {
    case read(object: ObjectBase, columnPosition: Int)
    case write(object: ObjectBase, columnPosition: Int)
    /// Anything else: "count of Results<Dog>", "Realm.write".
    case operation(String)
}

/// Reports and ends the process.
@inline(never)
func violation(_ violation: Violation) -> Never {
    fatalError("\(violation)")
}
