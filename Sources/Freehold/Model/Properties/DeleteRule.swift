/// What happens to the targets of an object's links when the object is deleted. Each
/// relationship declares its rule on the property that links:
///
/// ```swift
/// class Order: Object {
///     @Persisted(primaryKey: true, autoIncrement: true) var id: Int
///     @Persisted(deleteRule: .cascade) var invoice: Invoice?     // goes with the order
///     @Persisted(deleteRule: .deny) var shipment: Shipment?      // an order that has one stays
///     @Persisted(deleteRule: .cascade) var lines: List<Line>     // go with the order
///     @Persisted var customer: Customer?                         // stays
/// }
/// ```
///
/// The rules have the same meaning as in Core Data and SwiftData. They apply to every deletion:
/// of single objects, sequences and results, and by another rule. `Realm.deleteAll()` deletes
/// the targets, too, so no rule denies it. Rules belong to the program, not to the file: a
/// program that declares none deletes without them.
///
/// Links *to* a deleted object become nil in any case. Embedded objects are always deleted with
/// their owner.
public enum DeleteRule: Hashable, Sendable {
    /// The targets stay. This is the behavior without a rule, and Realm's.
    case nullify
    /// The targets are deleted as well, and their own rules apply, to any depth. Cycles are
    /// allowed. Other objects that link to a target lose the link.
    case cascade
    /// The object cannot be deleted while the link leads to an object that the same call does
    /// not delete. `Realm.deleteChecked(_:)` then throws; `Realm.delete(_:)`, which cannot
    /// throw, ends the process. Either way nothing is deleted.
    case deny
}

/// A type that `@Persisted(deleteRule:)` accepts: links to objects.
public protocol _Relationship {}

extension Object: _Relationship {}
extension Optional: _Relationship where Wrapped: _Relationship {}
extension List: _Relationship where Element: _Relationship {}
extension MutableSet: _Relationship where Element: _Relationship {}
extension Map: _Relationship where Value: _Relationship {}

extension PersistedRole {
    @usableFromInline
    init(_ rule: DeleteRule) {
        switch rule {
        case .nullify: self = .plain
        case .cascade: self = .cascading
        case .deny: self = .denying
        }
    }
}

extension Persisted where Value: _Relationship {
    /// Declares a link with a rule for deleting its object. Not in Realm.
    @inlinable
    public init(deleteRule: DeleteRule) {
        self.init(unmanaged: Value._rlmInitialValue(), role: PersistedRole(deleteRule))
    }

    /// Declares a link with a rule and an initial object.
    @inlinable
    public init(wrappedValue: Value, deleteRule: DeleteRule) {
        self.init(unmanaged: wrappedValue, role: PersistedRole(deleteRule))
    }
}
