import Foundation
import FreeholdStorage

/// Converts values that the library returns without a static type.
enum UntypedValue {
    /// Returns an integer as an `NSNumber`, which casts to any numeric type, and everything else
    /// unchanged.
    static func published(_ value: Any?) -> Any? {
        switch flattened(value) {
        case let value as Int: NSNumber(value: value)
        case let value as Int8: NSNumber(value: value)
        case let value as Int16: NSNumber(value: value)
        case let value as Int32: NSNumber(value: value)
        case let value as Int64: NSNumber(value: value)
        case let value: value
        }
    }
}

// MARK: - Collections of dynamic objects

extension ObjectBase {
    /// The collection of values in a managed object's property, as dynamic objects return it:
    /// elements have the stored type, integers as `Int`, enums as their raw values. So the old
    /// and the new object in a migration give the same type. Nil for other properties.
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
