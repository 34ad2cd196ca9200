/// An expression over the properties of a class, for `where`.
///
/// The closure receives the query's object and returns a condition. Its members are the class's
/// persisted properties:
///
///     realm.objects(Dog.self).where {
///         $0.age > 5 && $0.owner.name.starts(with: "A", options: .caseInsensitive)
///     }
///
/// - All properties: `==`, `!=` (a value, nil, or another property), `in(_:)`.
/// - Numbers, dates, text: `>`, `>=`, `<`, `<=`, `contains(0 ..< 10)`, `contains(0 ... 10)`.
/// - Text and data: `contains`, `starts(with:)`, `ends(with:)`, `equals`, `notEquals`, each with
///   ``StringOptions``.
/// - Text: `like`, in which `*` matches any text, and `?` one character.
/// - Booleans and conditions: `!`, `&&`, `||`. A boolean property is a condition by itself.
/// - Links: members of the linked object, to any depth; comparison with an object or nil.
/// - Lists, sets, linking objects: `count`; `contains` of an element, `containsAny(in:)`; `==`, `<`
///   and so on with an element: any of them.
/// - Collections of objects: members, of any of the objects, as in `$0.dogs.age > 5`.
/// - Collections of numbers and dates, and numbers behind collections: `min`, `max`, `sum`, `avg`;
///   `contains(0 ... 10)`: all of them lie in the range.
/// - Maps: the same for the values; `keys`, `values`, `$0.scores["a"]`.
/// - Conditions on a collection's objects: `count`, how many satisfy it, as in
///   `($0.dogs.age > 5 && $0.dogs.name == "Rex").count > 1`.
/// - ``AnyRealmValue``: all of the above with any value; `$0.any["key"]`, `$0.any[0]`,
///   `$0.any.any` for lists and dictionaries.
/// - Enums, and types that are stored as others: those of the stored type, by `rawValue` and
///   `persistableValue`.
///
/// Nil equals only nil. It is neither smaller nor greater than any value, and it is at least and
/// at most nil. One exception: texts and data are greater than the constant `nil`. The properties
/// behind a nil link are nil. An object that no realm manages equals nothing. Text operators with
/// nil or an empty text on the right are false.
///
/// Each condition on a collection may be satisfied by another element:
/// `$0.dogs.age > 5 && $0.dogs.name == "Rex"` holds for two different dogs. A subquery requires
/// one dog that satisfies both: `($0.dogs.age > 5 && $0.dogs.name == "Rex").count >
/// 0`. To require a condition for all dogs, count the others: `($0.dogs.age <= 5).count == 0`.
///
/// Thread rule: use an expression only where it is made, inside of the closure.
@dynamicMemberLookup
public struct Query<T> {
    let form: QueryForm

    init(_ form: QueryForm) { self.form = form }

    init() { form = .object }

    @inline(__always)
    func appending<V>(_ keyPath: AnyKeyPath, of root: ObjectBase.Type) -> Query<V> {
        let member = PredicateMember(keyPath: keyPath, root: root)
        if case .object = form { return Query<V>(.member(member)) }
        return Query<V>(form.appendingMembers(member.knownSteps))
    }

    /// Returns the property with a name.
    ///
    /// - Parameter type: The type that the caller claims for the property; nil if the program's
    ///   types determine it.
    func appending<V>(_ name: String, type: PropertyType?) -> Query<V> {
        Query<V>(
            form.appendingMembers([
                .property(name, isCollection: isCollection(V.self), claim: type)
            ]))
    }
}

@available(
    *, unavailable, message: "A query expression is used inside of the closure that gets it."
)
extension Query: Sendable {}

// MARK: - Members

extension Query where T: ObjectBase {
    /// A property of the object.
    public subscript<V>(dynamicMember member: KeyPath<T, V>) -> Query<V> {
        appending(member, of: T.self)
    }
}

extension Query where T: OptionalProtocol {
    /// A property of the linked object; nil if the link is nil.
    public subscript<V>(dynamicMember member: KeyPath<T.Wrapped, V>) -> Query<V>
    where T.Wrapped: ObjectBase { appending(member, of: T.Wrapped.self) }
}
