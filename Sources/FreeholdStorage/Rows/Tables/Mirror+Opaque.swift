// `dump`, and test libraries that print the values of a failed expectation, visit everything
// that a value refers to. From an object, that would be its realm and all state of its file,
// and lock-protected state would be read without locks. So the central classes show nothing.

extension Mirror {
    /// Creates a mirror without children, including those of superclasses.
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
