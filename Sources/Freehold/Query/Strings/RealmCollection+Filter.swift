public import Foundation

// Predicates as strings, and as Foundation's NSPredicate. Each collection implements them by its
// own `filter(_: RealmPredicate)` and `index(matching: RealmPredicate)`.

extension RealmCollection {
    /// Returns the elements that satisfy a condition, as a live collection in the same order.
    ///
    ///     let puppies = realm.objects(Dog.self)
    ///         .filter("age < %@ AND owner.name CONTAINS[c] %@", 2, "ann")
    ///
    /// O(length of the string); evaluated when it is used. <doc:PredicateStrings> describes the
    /// language.
    ///
    /// - Parameters:
    ///   - predicateFormat: The condition. It may end with `SORT(age DESC, name ASC)`.
    ///   - args: The values of the placeholders: see ``RealmPredicate/init(_:_:)``.
    /// - Note: Traps if the string is wrong or does not fit the class, with a message that shows
    ///   the place. For strings that users type, use ``RealmPredicate``, which throws.
    public func filter(_ predicateFormat: String, _ args: Any?...) -> Results<Element> {
        filter(unwrapPredicate(try RealmPredicate(parsing: predicateFormat, arguments: args)))
    }

    /// Returns the elements that satisfy a predicate, as a live collection in the same order.
    ///
    /// Traps if it is a predicate of a closure, or does not fit the class: see
    /// ``RealmPredicate/init(_:)-(NSPredicate)``.
    public func filter(_ predicate: NSPredicate) -> Results<Element> {
        filter(unwrapPredicate(try RealmPredicate(predicate)))
    }

    /// Returns the position of the first element that satisfies a condition, nil if none does:
    /// `dogs.index(matching: "name == %@", "Rex")`.
    ///
    /// Traps if the string is wrong, does not fit the class, or has a SORT, DISTINCT or LIMIT,
    /// which are for `filter`.
    public func index(matching predicateFormat: String, _ args: Any?...) -> Int? {
        index(
            matching: unwrapPredicate(try RealmPredicate(parsing: predicateFormat, arguments: args))
        )
    }

    /// Returns the position of the first element that satisfies a predicate, nil if none does.
    ///
    /// Traps if it is a predicate of a closure, does not fit the class, or has a SORT, DISTINCT
    /// or LIMIT.
    public func index(matching predicate: NSPredicate) -> Int? {
        index(matching: unwrapPredicate(try RealmPredicate(predicate)))
    }
}

extension RealmKeyedCollection {
    /// Returns the values that satisfy a condition, as a live collection:
    /// `map.filter("age > %@", 5)`. Traps if the string is wrong or does not fit the class.
    public func filter(_ predicateFormat: String, _ args: Any?...) -> Results<Value> {
        filter(unwrapPredicate(try RealmPredicate(parsing: predicateFormat, arguments: args)))
    }

    /// Returns the values that satisfy a predicate, as a live collection. Traps if it is a
    /// predicate of a closure, or does not fit the class.
    public func filter(_ predicate: NSPredicate) -> Results<Value> {
        filter(unwrapPredicate(try RealmPredicate(predicate)))
    }
}
