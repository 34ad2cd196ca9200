import FreeholdStorage

extension RealmCore {
    /// The gate for everything that is not a property of an object.
    ///
    /// - Parameters:
    ///   - operation: What is tried, for the diagnosis: "count of Results<Dog>".
    ///   - className: The class of the objects that it is about.
    @inline(__always)
    func checkConfinement(
        _ operation: @autoclosure () -> String, of className: @autoclosure () -> String? = nil
    ) {
        if !gate.pointee.admitsCaller {
            checkConfinementSlowly(.operation(operation(), className: className()))
        }
    }

    /// The gate for an operation on a whole object: "Object.freeze()".
    @inline(__always)
    func checkConfinement(of object: ObjectBase, _ operation: @autoclosure () -> String) {
        if !gate.pointee.admitsCaller {
            checkConfinementSlowly(.object(object, operation: operation()))
        }
    }

    /// The gate for what begins a write transaction: "Realm.beginWrite()".
    @inline(__always)
    func checkConfinement(transaction operation: @autoclosure () -> String) {
        if !gate.pointee.admitsCaller { checkConfinementSlowly(.transaction(operation())) }
    }

    /// Called when the gate does not admit the calling thread: returns if it runs on the right
    /// queue or actor, else reports.
    @inline(never)
    func checkConfinementSlowly(_ access: @autoclosure () -> ConfinedAccess) {
        if gate.pointee.admitsActor || allowsCallerElsewhere() { return }
        violation(.wrongThread(report(of: access())))
    }

    /// The gate for functions that can throw.
    @inline(__always)
    func verifyConfinement(_ access: @autoclosure () -> ConfinedAccess) throws(ConfinementViolation)
    {
        if gate.pointee.admitsCaller || gate.pointee.admitsActor || allowsCallerElsewhere() {
            return
        }
        throw report(of: access())
    }

    private func report(of access: ConfinedAccess) -> ConfinementViolation {
        let (opened, accessed) = (confinement.place, ConfinementViolation.Place.here())
        return ConfinementViolation(
            message: "Realm accessed from incorrect thread.", access: access, path: store.path,
            opened: opened,
            confinedTo: confinement.scheduler?.name ?? "", accessed: accessed,
            remedy: ConfinementRemedy(
                owner: confinement.owner, accessed: accessed, need: access.need,
                isOtherInstance: accessed.isOtherInstance(of: opened)
            ).text)
    }
}
