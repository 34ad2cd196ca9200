import FreeholdStorage

// See `Mirror.init(opaque:)`. These classes lead to everything of a realm, or hold as much as
// there are rows or elements.

extension RealmCore: CustomReflectable {
    @usableFromInline var customMirror: Mirror { Mirror(opaque: self) }
}

extension RealmCoordinator: CustomReflectable {
    var customMirror: Mirror { Mirror(opaque: self) }
}

extension ClassBinding: CustomReflectable {
    var customMirror: Mirror { Mirror(opaque: self) }
}

extension ResultsState: CustomReflectable {
    @usableFromInline var customMirror: Mirror { Mirror(opaque: self) }
}

extension SectionsState: CustomReflectable {
    var customMirror: Mirror { Mirror(opaque: self) }
}

extension ManagedCollection: CustomReflectable {
    @usableFromInline var customMirror: Mirror { Mirror(opaque: self) }
}

extension NestedCollection: CustomReflectable {
    var customMirror: Mirror { Mirror(opaque: self) }
}

extension ElementCursor: CustomReflectable {
    @usableFromInline var customMirror: Mirror { Mirror(opaque: self) }
}

extension ReaderPin: CustomReflectable {
    var customMirror: Mirror { Mirror(opaque: self) }
}
