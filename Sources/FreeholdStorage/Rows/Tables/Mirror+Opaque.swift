// `dump`, and test libraries that print the values of an expectation that failed, walk into
// everything that a value refers to. From an object that would be its realm and all that is
// known of its file; and what locks protect would be read without them. So the classes that
// everything leads through show nothing.

extension Mirror {
    /// Without children, those of superclasses included.
    package init<Subject: AnyObject>(opaque subject: Subject) {
        self.init(subject, children: [:], displayStyle: .class, ancestorRepresentation: .suppressed)
    }
}

extension ClusterView: CustomReflectable {
    @usableFromInline package final var customMirror: Mirror { Mirror(opaque: self) }
}

extension TableView: CustomReflectable {
    package final var customMirror: Mirror { Mirror(opaque: self) }
}

extension TableSource: CustomReflectable {
    package final var customMirror: Mirror { Mirror(opaque: self) }
}

extension Locked: CustomReflectable {
    package var customMirror: Mirror { Mirror(opaque: self) }
}
