/// What belongs to a realm, and so to its thread or queue: objects and collections.
public protocol ThreadConfined: SendableMetatype {
    /// The realm; nil for what is not managed. Any thread.
    var realm: Realm? { get }
    /// Whether the object or collection was deleted, or its realm invalidated.
    var isInvalidated: Bool { get }
    /// Whether this is an immutable version, usable on any thread. Any thread may ask.
    var isFrozen: Bool { get }
    /// The version that the realm reads now, immutable and usable on any thread; itself if it
    /// is frozen already. O(1), copies nothing.
    func freeze() -> Self
    /// The live counterpart in the calling thread's realm; nil if it was deleted since. Itself
    /// if it is live already.
    func thaw() -> Self?
}

extension ThreadConfined {
    /// The same as `freeze()`, which the compiler takes for a call of this one: so
    /// ``Realm/versionReport()`` can say where a version was frozen.
    ///
    /// - Parameters:
    ///   - fileID: Where the value is frozen. Leave it out.
    ///   - line: As `fileID`.
    public func freeze(fileID: StaticString = #fileID, line: UInt = #line) -> Self {
        FreezingSite.with(fileID, line) { freeze() }
    }
}
