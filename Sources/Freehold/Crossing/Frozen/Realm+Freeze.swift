extension Realm {
    /// Whether this is an immutable version, usable on any thread. Any thread may ask.
    public var isFrozen: Bool { core.isFrozen }

    /// Returns the version that the realm reads, immutable and usable on any thread; in a write
    /// transaction, the version before it. O(classes); copies nothing. The file keeps the version
    /// until the last reference to it is gone.
    @_disfavoredOverload  // Calls prefer the one that knows their line.
    public func freeze() -> Realm { frozen() }

    /// As `freeze()`. The compiler prefers this overload for calls, so ``versionReport()`` can
    /// say where a version was frozen.
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

    /// Returns the live realm for the same file of the calling thread, or of the calling queue if
    /// one is open there. A live realm returns itself.
    public func thaw() -> Realm {
        core.checkConfinement("Realm.thaw()")
        return Realm(core: core.thawedCore())
    }

    /// Returns `obj.freeze()`.
    public func freeze<T: ObjectBase>(_ obj: T, fileID: StaticString = #fileID, line: UInt = #line)
        -> T
    { FreezingSite.with(fileID, line) { obj.freeze() } }

    /// Returns `obj.thaw()`.
    public func thaw<T: ObjectBase>(_ obj: T) -> T? { obj.thaw() }

    /// Returns `collection.freeze()`.
    public func freeze<Collection: RealmCollection>(
        _ collection: Collection, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Collection { collection.freeze(fileID: fileID, line: line) }

    /// Returns `collection.thaw()`.
    public func thaw<Collection: RealmCollection>(_ collection: Collection) -> Collection? {
        collection.thaw()
    }
}
