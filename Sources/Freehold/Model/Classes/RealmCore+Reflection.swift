import FreeholdStorage

/// A class without a reflection, see `Mirror.init(opaque:)`: it leads to everything of a realm, or
/// holds as much as there are rows or elements.
@usableFromInline
protocol OpaquelyReflected: AnyObject, CustomReflectable {}

extension OpaquelyReflected {
    @usableFromInline var customMirror: Mirror { Mirror(opaque: self) }
}

extension RealmCore: OpaquelyReflected {}
extension RealmCoordinator: OpaquelyReflected {}
extension ClassBinding: OpaquelyReflected {}
extension ResultsState: OpaquelyReflected {}
extension SectionsState: OpaquelyReflected {}
extension ManagedCollection: OpaquelyReflected {}
extension NestedCollection: OpaquelyReflected {}
extension ElementCursor: OpaquelyReflected {}
extension ReaderPin: OpaquelyReflected {}
