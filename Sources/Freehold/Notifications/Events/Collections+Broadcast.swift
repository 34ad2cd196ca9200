import FreeholdStorage

// How a broadcast is made of each kind of collection: its observer begins silently, with the
// state that is frozen here, and follows every version.

extension BroadcastHub {
    /// - Parameter observer: Makes the observer of the collection, which calls a block with events.
    static func broadcast(
        _ subject: Subject, _ fileID: StaticString, _ line: UInt,
        _ keys: @escaping @Sendable (Frozen<Subject>) -> [ObjectKey],
        _ makeObserver: (@escaping (ChangeEvent) -> Void) -> (core: RealmCore, observer: Observer)
    ) -> ChangeBroadcast<Subject> {
        // Passes the gate first, and traps where nothing can be observed.
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
        // The version that is kept is the one that the observer was told of, not an older one.
        observer.passed = { _, _ in
            // One that was empty has nothing to tell of its end.
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

/// The hub of a broadcast that is being made. Used on the realm's scheduler.
private final class LateHub<Subject: ThreadConfined> {
    var hub: BroadcastHub<Subject>?
}

/// An observer that says when its registration ended by itself.
private final class EndingObserver: WrappingObserver, @unchecked Sendable {
    // @unchecked: as the superclass.

    private let ended: @Sendable () -> Void

    init(_ inner: Observer, _ ended: @escaping @Sendable () -> Void) {
        self.ended = ended
        super.init(inner)
    }

    override func end() { ended() }
}

extension RealmCollection where Element: ObjectBase {
    /// One observation of the collection for any number of streams, on any threads. See
    /// ``ChangeBroadcast``.
    ///
    /// - Parameters:
    ///   - keyPaths: What counts as a change of an object; nil for everything. As for
    ///     `observe(keyPaths:_:)`.
    ///   - fileID: Where the version is frozen that the broadcast keeps, for
    ///     ``Realm/versionReport()``. Leave it out.
    ///   - line: As `fileID`.
    /// - Note: Traps as `observe(keyPaths:_:)`.
    public func broadcast(
        keyPaths: [String]? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ChangeBroadcast<Self> {
        BroadcastHub.broadcast(self, fileID, line, { $0.value.allObjectKeys() }) { call in
            self.makeIdentifiedObserver(keyPaths, "broadcast(keyPaths:)", first: nil, call)
        }
    }

    /// As ``broadcast(keyPaths:fileID:line:)``, with key paths of Swift.
    public func broadcast(
        keyPaths: [PartialKeyPath<Element>], fileID: StaticString = #fileID, line: UInt = #line
    ) -> ChangeBroadcast<Self> {
        broadcast(keyPaths: names(of: keyPaths, from: Element.self), fileID: fileID, line: line)
    }
}

extension Map {
    /// One observation of the map for any number of streams, on any threads. See
    /// ``ChangeBroadcast``; keys are those of the entries.
    ///
    /// - Parameters:
    ///   - keyPaths: What counts as a change of a value that is an object; nil for everything.
    ///   - fileID: Where the version is frozen that the broadcast keeps, for
    ///     ``Realm/versionReport()``. Leave it out.
    ///   - line: As `fileID`.
    /// - Note: Traps as `observe(keyPaths:_:)`.
    public func broadcast(
        keyPaths: [String]? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ChangeBroadcast<Map> {
        BroadcastHub.broadcast(self, fileID, line, { $0.value.allObjectKeys() }) { call in
            self.makeIdentifiedObserver(keyPaths, "broadcast(keyPaths:)", first: nil, call)
        }
    }
}

extension SectionedResults where SectionElement: ObjectBase {
    /// One observation of the sections for any number of streams, on any threads. See
    /// ``ChangeBroadcast``.
    ///
    /// - Parameters:
    ///   - keyPaths: What counts as a change of an object; nil for everything.
    ///   - fileID: Where the version is frozen that the broadcast keeps, for
    ///     ``Realm/versionReport()``. Leave it out.
    ///   - line: As `fileID`.
    /// - Note: Traps as `observe(keyPaths:_:)`.
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
    /// The object that a key names, frozen as it is after the event; nil if there is none.
    /// O(log objects).
    ///
    ///     let changed = (update.event.insertions + update.event.modifications).compactMap { update.object(for: $0) }
    public func object(for key: ObjectKey) -> Frozen<Subject.Element>? {
        collection.object(for: key)
    }
}

extension Frozen where Value: RealmCollection, Value.Element: ObjectBase & ThreadConfined {
    /// The object of the class that a key names, in the same version; nil if there is none.
    /// O(log objects). It need not be in the collection.
    public func object(for key: ObjectKey) -> Frozen<Value.Element>? {
        guard let core = referable(value).referableCore else { return nil }
        return (core.binding(for: Value.Element.self).object(for: key) as? Value.Element).map {
            Frozen<Value.Element>(frozen: $0)
        }
    }
}
