/// An expression over the properties of a class, for `where`.
///
/// The closure gets the query's object and gives a condition; members are the class's persisted
/// properties:
///
///     realm.objects(Dog.self).where { $0.age > 5 && $0.owner.name.starts(with: "A", options: .caseInsensitive) }
///
/// | on | operators |
/// |---|---|
/// | all properties | `==`, `!=` (a value, nil, or another property), `in(_:)` |
/// | numbers, dates, text | `>`, `>=`, `<`, `<=`, `contains(0 ..< 10)`, `contains(0 ... 10)` |
/// | text and data | `contains`, `starts(with:)`, `ends(with:)`, `equals`, `notEquals`, each with ``StringOptions`` |
/// | text | `like`: `*` stands for any text, `?` for one character |
/// | booleans and conditions | `!`, `&&`, `||`; a boolean property is a condition by itself |
/// | links | members of the linked object, to any depth; comparison with an object or nil |
/// | lists, sets, linking objects | `count`; `contains` of an element, `containsAny(in:)`; `==`, `<` and so on with an element, which ask for any of them |
/// | collections of objects | members: any object's, as in `$0.dogs.age > 5` |
/// | collections of numbers and dates, and numbers behind collections | `min`, `max`, `sum`, `avg`; `contains(0 ... 10)`: all of them lie in the range |
/// | maps | the same for the values; `keys`, `values`, `$0.scores["a"]` |
/// | conditions on a collection's objects | `count`: how many satisfy it, as in `($0.dogs.age > 5 && $0.dogs.name == "Rex").count > 1` |
/// | any values | all of the above with any value; `$0.any["key"]`, `$0.any[0]`, `$0.any.any` go into lists and dictionaries |
/// | enums, and types that are stored as others | all of the stored type's by `rawValue` and `persistableValue` |
///
/// Nil equals nil only, and is neither smaller nor greater than anything, but texts and data
/// are greater than `nil` itself; it is at least and at most nil. What a nil link leads to is
/// nil. An object that no realm manages equals nothing. Text operators with nil or an empty
/// text on the right are false.
///
/// Each condition on a collection is about any element on its own:
/// `$0.dogs.age > 5 && $0.dogs.name == "Rex"` may be two dogs. That one dog satisfies both is
/// what a subquery says: `($0.dogs.age > 5 && $0.dogs.name == "Rex").count > 0`. That all do:
/// `($0.dogs.age <= 5).count == 0`.
///
/// Thread rule: an expression is used where it is made, inside of the closure.
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

    /// The property with a name.
    ///
    /// - Parameter type: What the caller takes the property for; nil where the types of the
    ///   program say so.
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
    /// A property of the linked object; nil where the link is nil.
    public subscript<V>(dynamicMember member: KeyPath<T.Wrapped, V>) -> Query<V>
    where T.Wrapped: ObjectBase {
        appending(member, of: T.Wrapped.self)
    }
}
