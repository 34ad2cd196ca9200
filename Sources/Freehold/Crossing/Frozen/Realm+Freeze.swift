extension Realm {
    /// Whether this is an immutable version, usable on any thread. Any thread may ask.
    public var isFrozen: Bool { core.isFrozen }

    /// The version that the realm reads now (in a write transaction: the one before it),
    /// immutable and usable on any thread. O(classes); copies nothing. The file keeps the
    /// version until the last reference to it is gone.
    @_disfavoredOverload  // Calls prefer the one that knows their line.
    public func freeze() -> Realm {
        frozen()
    }

    /// The same as `freeze()`, which the compiler takes for a call of this one: so
    /// ``versionReport()`` can say where a version was frozen.
    ///
    /// - Parameters:
    ///   - fileID: Where the realm is frozen. Leave it out.
    ///   - line: As `fileID`.
    public func freeze(fileID: StaticString = #fileID, line: UInt = #line) -> Realm {
        FreezingSite.with(fileID, line) { frozen() }
    }

    private func frozen() -> Realm {
        core.checkConfinement("Realm.freeze()")
        return Realm(core: core.frozenCore())
    }

    /// The live realm of the calling thread (or of the calling queue, where one is open) for
    /// the same file; itself if it is live.
    public func thaw() -> Realm {
        core.checkConfinement("Realm.thaw()")
        return Realm(core: core.thawedCore())
    }

    /// The same as `obj.freeze()`.
    public func freeze<T: ObjectBase>(_ obj: T, fileID: StaticString = #fileID, line: UInt = #line)
        -> T
    {
        FreezingSite.with(fileID, line) { obj.freeze() }
    }

    /// The same as `obj.thaw()`.
    public func thaw<T: ObjectBase>(_ obj: T) -> T? {
        obj.thaw()
    }

    /// The same as `collection.freeze()`.
    public func freeze<Collection: RealmCollection>(
        _ collection: Collection, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Collection {
        collection.freeze(fileID: fileID, line: line)
    }

    /// The same as `collection.thaw()`.
    public func thaw<Collection: RealmCollection>(_ collection: Collection) -> Collection? {
        collection.thaw()
    }
}
