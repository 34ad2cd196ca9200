/// What has properties that can be sorted by key path: objects and projections. Realm's name.
public protocol KeypathSortable {}

extension ObjectBase: KeypathSortable {}
extension Projection: KeypathSortable {}

/// The name that a key path of persisted properties has in predicate strings and sort
/// descriptors: `_name(for: \Person.address?.city)` is "address.city". Empty if it leads
/// through anything else.
///
/// O(1) for a key path literal after its first time. Any thread. Traps if the class's
/// declaration is wrong.
public func _name<Element: ObjectBase>(for keyPath: PartialKeyPath<Element>) -> String {
    KeyPathNames.names(of: keyPath, from: Element.self).joined(separator: ".")
}

/// The name that a key path of a projection has in the class of its object. Traps if it leads
/// to no persisted property.
public func _name<Root: _ProjectionRoot, Element: Projection<Root>>(
    for keyPath: PartialKeyPath<Element>
) -> String {
    Element.persistedNames(of: keyPath).joined(separator: ".")
}
