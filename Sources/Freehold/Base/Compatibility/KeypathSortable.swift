/// A type whose properties can be sorted by key path: objects and projections. Exists for source
/// compatibility with Realm.
public protocol KeypathSortable {}

extension ObjectBase: KeypathSortable {}
extension Projection: KeypathSortable {}

/// Returns the name of a key path of persisted properties in predicate strings and sort
/// descriptors: `_name(for: \Person.address?.city)` is "address.city". Empty if the key path
/// leads through anything else.
///
/// O(1) for a key path literal after its first use. Any thread may call it. Traps if the class's
/// declaration is wrong.
public func _name<Element: ObjectBase>(for keyPath: PartialKeyPath<Element>) -> String {
    KeyPathNames.names(of: keyPath, from: Element.self).joined(separator: ".")
}

/// Returns the name of a projection's key path in the class of its object. Traps if it does not
/// lead to a persisted property.
public func _name<Root: _ProjectionRoot, Element: Projection<Root>>(
    for keyPath: PartialKeyPath<Element>
) -> String { Element.persistedNames(of: keyPath).joined(separator: ".") }
