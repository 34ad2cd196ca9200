/// A value that belongs to a realm, and so to its thread or queue: an object or a collection.
public protocol ThreadConfined: SendableMetatype {
    /// The realm; nil if the value is not managed. Any thread may read it.
    var realm: Realm? { get }
    /// Whether the object or collection was deleted, or its realm invalidated.
    var isInvalidated: Bool { get }
    /// Whether this is an immutable version, usable on any thread. Any thread may ask.
    var isFrozen: Bool { get }
    /// Returns the version that the realm reads, immutable and usable on any thread. A frozen
    /// value returns itself. O(1), copies nothing.
    func freeze() -> Self
    /// Returns the live counterpart in the calling thread's realm; nil if it was deleted. A live
    /// value returns itself.
    func thaw() -> Self?
}

extension ThreadConfined {
    /// As `freeze()`. The compiler prefers this overload for calls, so ``Realm/versionReport()``
    /// can say where a version was frozen.
    ///
    /// - Parameters:
    ///   - fileID: Where the value is frozen. Leave it out.
    ///   - line: As `fileID`.
    public func freeze(fileID: StaticString = #fileID, line: UInt = #line) -> Self {
        FreezingSite.with(fileID, line) { freeze() }
    }
}
