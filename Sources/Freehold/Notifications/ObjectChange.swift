public import Foundation

/// What an object's observer is told.
///
/// ```swift
/// let token = dog.observe { change in
///     switch change {
///     case .change(let dog, let properties): for property in properties { print(dog.name, property.name, property.newValue ?? "nil") }
///     case .deleted: print("gone")
///     case .error: break
///     }
/// }
/// ```
@frozen public enum ObjectChange<T> {
    /// Never sent for an object that is observed where it is. On another queue or actor: the
    /// realm cannot be opened there.
    case error(_ error: NSError)
    /// Properties of the object changed; of those that are observed, if they were named.
    case change(_: T, _: [PropertyChange])
    /// The object was deleted, which is the last that is heard of it.
    case deleted
}

/// A property that changed.
@frozen public struct PropertyChange {
    /// The name of the property in the program.
    public let name: String
    /// The value that the observer knew, where another realm changed it: one of another thread,
    /// queue, actor or process.
    ///
    /// Nil for changes that the observing realm wrote by itself, for null, and for collections,
    /// which say nothing of what happened in them. Of a link, the live object; nil if that is
    /// gone.
    public let oldValue: Any?
    /// The value now. Nil for null, and for collections; of a projection the projected collection.
    public let newValue: Any?

    package init(name: String, oldValue: Any?, newValue: Any?) {
        self.name = name
        self.oldValue = oldValue
        self.newValue = newValue
    }
}

@available(*, unavailable, message: "A change's object belongs to where it was delivered.")
extension PropertyChange: Sendable {}
