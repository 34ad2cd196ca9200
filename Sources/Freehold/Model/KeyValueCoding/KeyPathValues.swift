// Values by paths of names. Realm inherits these functions from Objective-C's key-value coding;
// here they are ordinary methods.

extension ObjectBase {
    /// Returns the value at the end of a path of names:
    /// `person.value(forKeyPath: "dogs.@avg.age")`.
    ///
    /// A name is a property, or a key of a map. After a collection it gives that property of all
    /// elements (`[Any?]`). A path continued from nil gives nil. The collection operators are
    /// those of ``RealmCollection/value(forKeyPath:)``.
    ///
    /// O(values read). Traps if there is no such property or operator, and where the properties
    /// themselves would.
    public final func value(forKeyPath keyPath: String) -> Any? {
        KeyPathReading.value(at: keyPath, of: self)
    }

    /// Sets the property at the end of a path of names:
    /// `person.setValue("Rex", forKeyPath: "dog.name")`. Does nothing if a link on the path is
    /// nil.
    ///
    /// After a collection, sets the property of all its elements. Traps outside of a write
    /// transaction, if there is no such property, and if the value does not fit.
    public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
        KeyPathReading.setValue(value, at: keyPath, of: self)
    }
}

extension RealmCollection {
    /// Returns the result of a path of names or a collection operator for the elements.
    ///
    /// ```swift
    /// dogs.value(forKeyPath: "@count")                         // Int
    /// dogs.value(forKeyPath: "@avg.age")                       // Double
    /// dogs.value(forKeyPath: "owner.name")                     // [Any?], a value for each dog
    /// dogs.value(forKeyPath: "@distinctUnionOfObjects.name")   // [Any?], each value once
    /// ```
    ///
    /// | operator | gives |
    /// |---|---|
    /// | `@count` | how many elements there are, as an `Int` |
    /// | `@sum.x`, `@avg.x` | the sum, 0 without values; the mean, nil without values |
    /// | `@min.x`, `@max.x` | the least and the greatest value; nil without values |
    /// | `@unionOfObjects.x` | the values of all elements, nil included |
    /// | `@distinctUnionOfObjects.x` | each of these values once, where it first occurs |
    /// | `@unionOfArrays.x` | the elements of all collections that `x` stands for, in one array |
    /// | `@distinctUnionOfArrays.x` | each of these elements once |
    ///
    /// `x` is a name, a path, or `self` for the elements. A path is read from left to right:
    /// "dogs.@count" of a collection of people counts the people, because "dogs" gives one
    /// collection for each. Numbers have the property's type; sums of floating-point numbers and
    /// averages are `Double`.
    ///
    /// O(elements); for results, aggregates of a property create no objects. Traps if there is
    /// no such property or operator.
    public func value(forKeyPath keyPath: String) -> Any? {
        KeyPathReading.value(at: keyPath, of: self)
    }

    /// Sets the property at the end of a path of names in all objects that the path leads to:
    /// `people.setValue(0, forKeyPath: "dog.age")`.
    ///
    /// Traps outside of a write transaction, if there is no such property, and if the value
    /// does not fit.
    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        KeyPathReading.setValue(value, at: keyPath, of: self)
    }
}

extension RealmKeyedCollection {
    /// Returns the result of a path whose first name is a key of the map, or a collection
    /// operator over its values: `scores.value(forKeyPath: "@max.self")`.
    ///
    /// The operators are those of ``RealmCollection/value(forKeyPath:)``, and `@allKeys` and
    /// `@allValues`. O(values read).
    public func value(forKeyPath keyPath: String) -> Any? {
        KeyPathReading.value(at: keyPath, of: self)
    }

    /// Sets the last name of a path: the value of a key, or a property of the object that the
    /// path leads to.
    ///
    /// Traps outside of a write transaction, and if the value does not fit.
    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        KeyPathReading.setValue(value, at: keyPath, of: self)
    }
}
