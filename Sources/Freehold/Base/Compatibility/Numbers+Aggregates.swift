public import Foundation

// So that untyped aggregates compile: `dogs.max(ofProperty: "age") as NSNumber?`.

extension NSNumber: MinMaxType, AddableType {}
extension NSDate: MinMaxType {}

extension NSNumber: _HasPersistedType {
    /// The type that results have: this class.
    public typealias PersistedType = NSNumber
    /// `.double`: it may be any number.
    public static var _rlmType: PropertyType { .double }
}

extension NSDate: _HasPersistedType {
    /// The type that results have: this class.
    public typealias PersistedType = NSDate
    /// `.date`.
    public static var _rlmType: PropertyType { .date }
}
