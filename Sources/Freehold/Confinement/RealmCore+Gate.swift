import FreeholdStorage

extension RealmCore {
    /// Checks confinement for everything that is not a property of an object.
    ///
    /// - Parameters:
    ///   - operation: The operation, for the report: "count of Results<Dog>".
    ///   - className: The class of the objects concerned.
    @inline(__always)
    func checkConfinement(
        _ operation: @autoclosure () -> String, of className: @autoclosure () -> String? = nil
    ) {
        if !gate.pointee.admitsCaller {
            checkConfinementSlowly(.operation(operation(), className: className()))
        }
    }

    /// Checks confinement for an operation on a whole object: "Object.freeze()".
    @inline(__always)
    func checkConfinement(of object: ObjectBase, _ operation: @autoclosure () -> String) {
        if !gate.pointee.admitsCaller {
            checkConfinementSlowly(.object(object, operation: operation()))
        }
    }

    /// Checks confinement for an operation that begins a write transaction: "Realm.beginWrite()".
    @inline(__always)
    func checkConfinement(transaction operation: @autoclosure () -> String) {
        if !gate.pointee.admitsCaller { checkConfinementSlowly(.transaction(operation())) }
    }

    /// Called if the gate does not admit the calling thread. Returns if the thread runs on the
    /// right queue or actor, else reports the violation.
    @inline(never)
    func checkConfinementSlowly(_ access: @autoclosure () -> ConfinedAccess) {
        if gate.pointee.admitsActor || allowsCallerElsewhere() { return }
        violation(.wrongThread(report(of: access())))
    }

    /// Checks confinement for functions that can throw.
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
            opened: opened, confinedTo: confinement.scheduler?.name ?? "", accessed: accessed,
            remedy: ConfinementRemedy(
                owner: confinement.owner, accessed: accessed, need: access.need,
                isOtherInstance: accessed.isOtherInstance(of: opened)
            ).text)
    }
}
