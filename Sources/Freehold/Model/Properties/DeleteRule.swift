/// What happens to the objects that an object links to when it is deleted. Declared for one
/// relationship at a time, at the side that has the link:
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
/// The meaning is Core Data's and SwiftData's. The rules hold for all that deletes objects: the
/// object itself, sequences, results, what another rule deletes. `Realm.deleteAll()` deletes
/// the targets, too, so it denies nothing. Rules belong to the program, not to the file:
/// another program that declares none deletes without.
///
/// Links *to* a deleted object become nil in any case. Embedded objects are always deleted with
/// their owner.
public enum DeleteRule: Hashable, Sendable {
    /// The targets stay. What links do without a rule, and what Realm does.
    case nullify
    /// The targets are deleted as well, with all that their own rules say, to any depth. Cycles
    /// are no harm. Other objects that link to a target lose it.
    case cascade
    /// The object is not deleted while the link leads to an object that is not deleted by the
    /// same call. `Realm.deleteChecked(_:)` throws then; `Realm.delete(_:)`, which cannot, ends
    /// the process. Either way nothing is deleted.
    case deny
}

/// A type that `@Persisted(deleteRule:)` accepts: what links to objects.
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
    /// A link that says what happens to its target when the object is deleted. An addition to
    /// Realm.
    @inlinable
    public init(deleteRule: DeleteRule) {
        self.init(unmanaged: Value._rlmInitialValue(), role: PersistedRole(deleteRule))
    }

    /// A link with a rule that starts with the given object.
    @inlinable
    public init(wrappedValue: Value, deleteRule: DeleteRule) {
        self.init(unmanaged: wrappedValue, role: PersistedRole(deleteRule))
    }
}
