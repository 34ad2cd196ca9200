import FreeholdStorage

// Creates broadcasts for each kind of collection. The observer begins silently, with the state
// frozen here, and follows every version.

extension BroadcastHub {
    /// - Parameter observer: Creates the observer of the collection, which calls a block with
    ///   events.
    static func broadcast(
        _ subject: Subject, _ fileID: StaticString, _ line: UInt,
        _ keys: @escaping @Sendable (Frozen<Subject>) -> [ObjectKey],
        _ makeObserver: (@escaping (ChangeEvent) -> Void) -> (core: RealmCore, observer: Observer)
    ) -> ChangeBroadcast<Subject> {
        // First, because this passes the gate, and traps if the collection cannot be observed.
        let late = LateHub<Subject>()
        let (core, observer) = makeObserver { event in
            guard let hub = late.hub else { return }
            if subject.isInvalidated {
                hub.finish()
            } else {
                hub.publish(event, Frozen(subject, fileID: fileID, line: line))
            }
        }
        let hub = BroadcastHub(Frozen(subject, fileID: fileID, line: line), keys)
        late.hub = hub
        // Keeps the version of the observer's last notification, not an older one.
        observer.passed = { _, _ in
            // The end of an empty collection causes no event.
            if subject.isInvalidated {
                hub.finish()
            } else {
                hub.move(to: Frozen(subject, fileID: fileID, line: line))
            }
        }
        let ending = EndingObserver(observer) { hub.finish() }
        return ChangeBroadcast(hub, core.register(ending))
    }
}

/// The hub of a broadcast that is being created. Used on the realm's scheduler.
private final class LateHub<Subject: ThreadConfined> {
    var hub: BroadcastHub<Subject>?
}

/// An observer with a callback for when its registration ends by itself.
private final class EndingObserver: WrappingObserver, @unchecked Sendable {
    // @unchecked: see the superclass.

    private let ended: @Sendable () -> Void

    init(_ inner: Observer, _ ended: @escaping @Sendable () -> Void) {
        self.ended = ended
        super.init(inner)
    }

    override func end() { ended() }
}

extension RealmCollection where Element: ObjectBase {
    /// Observes the collection once for any number of streams, on any threads. See
    /// ``ChangeBroadcast``.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties whose changes count; nil for all. See
    ///     `observe(keyPaths:_:)`.
    ///   - fileID: The source file of the call, for ``Realm/versionReport()``. Omit it.
    ///   - line: The source line of the call, for ``Realm/versionReport()``. Omit it.
    /// - Precondition: As for `observe(keyPaths:_:)`.
    public func broadcast(
        keyPaths: [String]? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ChangeBroadcast<Self> {
        BroadcastHub.broadcast(self, fileID, line, { $0.value.allObjectKeys() }) { call in
            self.makeIdentifiedObserver(keyPaths, "broadcast(keyPaths:)", first: nil, call)
        }
    }

    /// Does the same as ``broadcast(keyPaths:fileID:line:)``, with Swift key paths.
    public func broadcast(
        keyPaths: [PartialKeyPath<Element>], fileID: StaticString = #fileID, line: UInt = #line
    ) -> ChangeBroadcast<Self> {
        broadcast(keyPaths: names(of: keyPaths, from: Element.self), fileID: fileID, line: line)
    }
}

extension Map {
    /// Observes the map once for any number of streams, on any threads. See ``ChangeBroadcast``.
    /// The events contain the keys of the entries.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties whose changes count, if the values are objects; nil for all.
    ///   - fileID: The source file of the call, for ``Realm/versionReport()``. Omit it.
    ///   - line: The source line of the call, for ``Realm/versionReport()``. Omit it.
    /// - Precondition: As for `observe(keyPaths:_:)`.
    public func broadcast(
        keyPaths: [String]? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ChangeBroadcast<Map> {
        BroadcastHub.broadcast(self, fileID, line, { $0.value.allObjectKeys() }) { call in
            self.makeIdentifiedObserver(keyPaths, "broadcast(keyPaths:)", first: nil, call)
        }
    }
}

extension SectionedResults where SectionElement: ObjectBase {
    /// Observes the sections once for any number of streams, on any threads. See
    /// ``ChangeBroadcast``.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties whose changes count; nil for all.
    ///   - fileID: The source file of the call, for ``Realm/versionReport()``. Omit it.
    ///   - line: The source line of the call, for ``Realm/versionReport()``. Omit it.
    /// - Precondition: As for `observe(keyPaths:_:)`.
    public func broadcast(
        keyPaths: [String]? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ChangeBroadcast<SectionedResults> {
        BroadcastHub.broadcast(self, fileID, line, { $0.value.allObjectKeys() }) { call in
            self.makeIdentifiedObserver(keyPaths, "broadcast(keyPaths:)", first: nil, call)
        }
    }
}

// MARK: - The objects of an update

extension ChangeBroadcast.Update
where Subject: RealmCollection, Subject.Element: ObjectBase & ThreadConfined {
    /// Returns the frozen object with a key, as it is after the event; nil if there is none.
    /// O(log objects).
    ///
    ///     let keys = update.event.insertions + update.event.modifications
    ///     let changed = keys.compactMap { update.object(for: $0) }
    public func object(for key: ObjectKey) -> Frozen<Subject.Element>? {
        collection.object(for: key)
    }
}

extension Frozen where Value: RealmCollection, Value.Element: ObjectBase & ThreadConfined {
    /// Returns the object of the element class with a key, in the same version; nil if there is
    /// none. O(log objects). The object need not be in the collection.
    public func object(for key: ObjectKey) -> Frozen<Value.Element>? {
        guard let core = referable(value).referableCore else { return nil }
        return (core.binding(for: Value.Element.self).object(for: key) as? Value.Element).map {
            Frozen<Value.Element>(frozen: $0)
        }
    }
}
