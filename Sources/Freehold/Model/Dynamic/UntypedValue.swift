import Foundation
import FreeholdStorage

/// Values as they leave the library without a type.
enum UntypedValue {
    /// An integer as an `NSNumber`, which casts to any type of number. Everything else as it is.
    static func published(_ value: Any?) -> Any? {
        switch flattened(value) {
        case let value as any UntypedInteger: value.boxed
        case let value: value
        }
    }
}

/// An integer type of properties.
private protocol UntypedInteger {
    var boxed: NSNumber { get }
}

extension Int: UntypedInteger {
    fileprivate var boxed: NSNumber { NSNumber(value: self) }
}

extension Int8: UntypedInteger {
    fileprivate var boxed: NSNumber { NSNumber(value: self) }
}

extension Int16: UntypedInteger {
    fileprivate var boxed: NSNumber { NSNumber(value: self) }
}

extension Int32: UntypedInteger {
    fileprivate var boxed: NSNumber { NSNumber(value: self) }
}

extension Int64: UntypedInteger {
    fileprivate var boxed: NSNumber { NSNumber(value: self) }
}

// MARK: - Collections of dynamic objects

extension ObjectBase {
    /// The collection of values that a managed object has, as dynamic objects have it: with
    /// elements of the type that is stored: integers as `Int`, enums as their raw values. So
    /// what a migration reads of the old object and of the new one has the same type. Nil for
    /// other properties.
    final func storedCollection(of property: PropertyDescriptor) -> Any? {
        guard let shape = property.shape else { return nil }
        func collection<Value: ScalarValue>(_: Value.Type) -> Any {
            property.codec.isOptional ? elements(Value?.self) : elements(Value.self)
        }
        func elements<Element: RealmCollectionValue>(_: Element.Type) -> Any {
            let elements = dynamicCollection(of: property)
            return switch shape {
            case .list: List<Element>(elements)
            case .set: MutableSet<Element>(elements)
            case .map: Map<String, Element>(elements)
            }
        }
        return property.type.storedScalar.map { collection($0) }
    }
}
