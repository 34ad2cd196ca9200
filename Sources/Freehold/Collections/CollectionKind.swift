import FreeholdStorage

/// The three kinds of collections that properties can have.
typealias CollectionKind = StoredCollectionKind.Shape

/// What messages call them.
extension CollectionKind {
    /// The name of the public class.
    var className: String { "\(name)" }

    /// The name of the public class, as a constant.
    var name: StaticString {
        switch self {
        case .list: "List"
        case .set: "MutableSet"
        case .map: "Map"
        }
    }

    /// The class name that Realm's texts use.
    var realmName: String {
        switch self {
        case .list: "RLMArray"
        case .set: "RLMSet"
        case .map: "RLMDictionary"
        }
    }

    /// What Realm's texts call a property of this kind.
    var propertyName: String {
        switch self {
        case .list: "array"
        case .set: "set"
        case .map: "dictionary"
        }
    }

    /// Realm's text about a query of values.
    var queryRefusal: String {
        let name = self == .map ? "dictionaries" : propertyName + "s"
        return "Querying is currently only implemented for \(name) of Realm Objects"
    }
}

extension CollectionKind {
    /// Reports something that needs a realm, on a collection that has none.
    @inline(never)
    func refuseUnmanaged(_ operation: String) -> Never {
        misuse(
            "This method may only be called on \(realmName) instances retrieved from an RLMRealm",
            remedy: """
                \(operation) of a \(className) that no realm manages: add the object that \
                has it to a realm first, or turn it into an array and use the functions of \
                that.
                """)
    }

    /// Reports the use of a collection that is gone.
    @inline(never)
    func refuseInvalid(remedy: String) -> Never {
        misuse(
            """
            \(className) is no longer valid. Either the parent object was deleted or \
            the containing Realm has been invalidated or closed.
            """, remedy: remedy)
    }

    /// Reports a change of a frozen collection.
    @inline(never)
    func refuseFrozen(_ operation: String, _ title: String) -> Never {
        misuse(
            """
            Attempting to modify a frozen \(propertyName) - call thaw on the \
            \(className) instance first.
            """,
            remedy: """
                \(operation) of \(title): thaw() it and change the result inside of a \
                write transaction.
                """)
    }

    /// Reports a change outside of a write transaction.
    @inline(never)
    func refuseOutsideTransaction(_ operation: String, _ title: String) -> Never {
        misuse(
            "Cannot modify managed \(realmName) outside of a write transaction.",
            remedy: "\(operation) of \(title): put the change inside of try realm.write { … }.")
    }

    /// Reports that a collection of the open transaction is frozen.
    @inline(never)
    func refuseFreezing(_ title: String) -> Never {
        misuse(
            "Cannot freeze an object in the same write transaction as it was created in.",
            remedy: "freeze() of \(title): call it after the transaction was committed.")
    }

    /// Traps if an index is negative.
    @inline(__always)
    func checkNotNegative(_ index: Int, _ parameter: String = "index") {
        if index < 0 { refuseNegative(index, parameter) }
    }

    @inline(never)
    private func refuseNegative(_ index: Int, _ parameter: String) -> Never {
        misuse(
            "Cannot pass a negative value for '\(parameter)'.",
            remedy: "A \(className) was given \(index). Positions begin at 0.")
    }

    /// Traps if an index is not in `0 ..< limit`.
    @inline(__always)
    func check(_ index: Int, below limit: Int, _ parameter: String = "index") {
        checkNotNegative(index, parameter)
        if index >= limit { refuse(index, limit) }
    }

    @inline(never)
    private func refuse(_ index: Int, _ limit: Int) -> Never {
        misuse(
            "Index \(index) is out of bounds (must be less than \(limit)).",
            remedy: "Compare the index with the count of the \(className) right before.")
    }

    /// Traps if a range does not lie in `0 ... count`.
    @inline(__always)
    func check(_ range: Range<Int>, count: Int) {
        check(range.lowerBound, below: count + 1)
        check(range.upperBound, below: count + 1)
    }

    /// Traps if an object is not of exactly the class of the collection's elements. Subclasses
    /// are refused, too.
    @inline(__always)
    func check(_ object: ObjectBase, isOf target: ObjectBase.Type) {
        if type(of: object) != target { refuse(object, target) }
    }

    @inline(never)
    private func refuse(_ object: ObjectBase, _ target: ObjectBase.Type) -> Never {
        misuse(
            """
            Object of type '\(type(of: object).className())' does not match \
            \(realmName) type '\(target.className())'.
            """,
            remedy: """
                A \(className) holds objects of exactly the class that it declares, \
                not of a subclass.
                """)
    }
}
