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
/// Two objects are equal if they are the same instance, or, where the class has a primary key
/// or both are frozen, if they are the same row of the same realm.
///
/// A class that declares `Observable` (`final class Dog: Object, Observable`) is seen by
/// `withObservationTracking` and `Observations` of Swift's Observation module: what these read
/// of its managed objects is reported when it changed, by whichever realm, thread or process,
/// or when the object was deleted (which `isInvalidated` is about, too). They are told on the
/// realm's thread, queue or actor, when the realm has moved and the new values can be read; of
/// own changes when they were committed. Collections and links back count as their property,
/// read through the object each time; what the objects in them have counts if their class is
/// observable. Reading such an object takes somewhat longer. Keep the realm or the object:
/// tracking does not.
///
/// ```swift
/// @MainActor final class Screen {
///     let (dog, label): (Dog, Label)
///     init(_ dog: Dog, _ label: Label) { (self.dog, self.label) = (dog, label) }
///
///     func show() {
///         withObservationTracking { label.text = dog.name } onChange: { Task { @MainActor in self.show() } }
///     }
/// }
/// ```
///
/// Thread rule: see ``ObjectBase``.
open class Object: ObjectBase {
    /// Makes an unmanaged object with the defaults of its declaration.
    public required init() { super.init() }

    /// Makes an unmanaged object from a dictionary by property name, from an array in order of
    /// declaration, or from the properties of another object. Nested literals make the linked
    /// objects. Properties without a value keep their defaults.
    ///
    /// Traps if a value cannot be converted to its property's type, or if an array has more
    /// values than there are properties.
    public convenience init(value: Any) {
        self.init()
        assignOrTrap(value)
    }

    /// The name of the primary key's property: the one declared with
    /// `@Persisted(primaryKey: true)` if nil.
    open class func primaryKey() -> String? { nil }

    /// Names of properties that get an ordered index, besides those declared with
    /// `@Persisted(indexed: true)`.
    open class func indexedProperties() -> [String] { [] }

    /// Whether two objects are the same row of the same realm, or the same instance. O(1).
    public final func isSameObject(as object: Object?) -> Bool {
        guard let object else { return false }
        return isSameRow(as: object)
    }
}
