public import Foundation

// Lets untyped aggregates compile: `dogs.max(ofProperty: "age") as NSNumber?`.

extension NSNumber: MinMaxType, AddableType {}
extension NSDate: MinMaxType {}

extension NSNumber: _HasPersistedType {
    /// The type of the aggregate: this class.
    public typealias PersistedType = NSNumber
    /// `.double`: it may be any number.
    public static var _rlmType: PropertyType { .double }
}

extension NSDate: _HasPersistedType {
    /// The type of the aggregate: this class.
    public typealias PersistedType = NSDate
    /// `.date`.
    public static var _rlmType: PropertyType { .date }
}
