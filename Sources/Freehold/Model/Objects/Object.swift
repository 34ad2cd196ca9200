/// The base class of models.
///
/// ```swift
/// class Dog: Object {
///     @Persisted(primaryKey: true) var name = ""
///     @Persisted var age = 0
///     @Persisted var owner: Person?
/// }
/// ```
///
/// A new object is unmanaged: an ordinary instance, whose properties are ordinary variables.
/// Adding it to a realm makes it managed in place: from then on its properties read and write
/// the realm.
///
/// Two objects are equal if they are the same instance. They are also equal if they are the same
/// row of the same realm, and the class has a primary key or both are frozen.
///
/// ## Observation
/// `withObservationTracking` and `Observations` of Swift's Observation module work with a class
/// that declares `Observable` (`final class Dog: Object, Observable`). They report changes of
/// the properties that they read, made by any realm, thread or process. They also report the
/// deletion of the object, which `isInvalidated` depends on, too.
///
/// The report comes on the realm's thread, queue or actor, once the realm has moved and the new
/// values can be read. The realm's own changes are reported once they are committed. A
/// collection or backlink counts as its property, read through the object each time. The objects
/// in it count if their class is observable. Reading an observable object takes somewhat longer.
/// Keep the realm or the object: tracking does not.
///
/// ```swift
/// @MainActor final class Screen {
///     let (dog, label): (Dog, Label)
///     init(_ dog: Dog, _ label: Label) { (self.dog, self.label) = (dog, label) }
///
///     func show() {
///         withObservationTracking {
///             label.text = dog.name
///         } onChange: {
///             Task { @MainActor in self.show() }
///         }
///     }
/// }
/// ```
///
/// Thread rule: see ``ObjectBase``.
open class Object: ObjectBase {
    /// Creates an unmanaged object with the defaults of its declaration.
    public required init() { super.init() }

    /// Creates an unmanaged object from a dictionary by property name, an array in order of
    /// declaration, or the properties of another object. Nested literals create the linked
    /// objects. Properties without a value keep their defaults.
    ///
    /// Traps if a value cannot be converted to its property's type, or if an array has more
    /// values than there are properties.
    public convenience init(value: Any) {
        self.init()
        assignOrTrap(value)
    }

    /// Returns the name of the primary key's property. Nil if it is declared with
    /// `@Persisted(primaryKey: true)`, or there is none.
    open class func primaryKey() -> String? { nil }

    /// Returns the names of further properties with an ordered index, besides those declared
    /// with `@Persisted(indexed: true)`.
    open class func indexedProperties() -> [String] { [] }

    /// Returns whether two objects are the same row of the same realm, or the same instance.
    /// O(1).
    public final func isSameObject(as object: Object?) -> Bool {
        guard let object else { return false }
        return isSameRow(as: object)
    }
}
