public import Foundation

/// A change of an object, as an observer receives it.
///
/// ```swift
/// let token = dog.observe { change in
///     switch change {
///     case .change(let dog, let properties):
///         for property in properties {
///             print(dog.name, property.name, property.newValue ?? "nil")
///         }
///     case .deleted: print("gone")
///     case .error: break
///     }
/// }
/// ```
@frozen public enum ObjectChange<T> {
    /// The realm cannot be opened on the queue or actor passed to `observe`. Never sent to an
    /// observer in the object's own realm.
    case error(_ error: NSError)
    /// Properties of the object changed. If key paths were given, includes only those
    /// properties.
    case change(_: T, _: [PropertyChange])
    /// The object was deleted. This is the last change.
    case deleted
}

/// A property that changed.
@frozen public struct PropertyChange {
    /// The name of the property in the program.
    public let name: String
    /// The old value, if a realm of another thread, queue, actor or process changed the
    /// property.
    ///
    /// Nil for changes that the observing realm made itself, for null, and for collections,
    /// whose changes are not described. For a link, the live object; nil if that is deleted.
    public let oldValue: Any?
    /// The new value. Nil for null, and for collections; in a projection, the projected
    /// collection.
    public let newValue: Any?

    package init(name: String, oldValue: Any?, newValue: Any?) {
        self.name = name
        self.oldValue = oldValue
        self.newValue = newValue
    }
}

@available(*, unavailable, message: "A change's object belongs to where it was delivered.")
extension PropertyChange: Sendable {}
