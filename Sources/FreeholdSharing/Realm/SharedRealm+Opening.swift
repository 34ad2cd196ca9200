public import Dispatch
public import Freehold

extension SharedRealm {
    /// Opens the realm for the calling thread, or for a queue; the same as
    /// `Realm(configuration: shared.configuration)`.
    ///
    /// An actor, or a task, opens it with ``openRealm(_isolation:fileID:line:)``.
    ///
    /// - Parameters:
    ///   - queue: The serial queue that the realm belongs to; nil for the calling thread, or the
    ///     main actor.
    ///   - fileID: The source file of the call, for reports. Omit it.
    ///   - line: The source line of the call, for reports. Omit it.
    /// - Throws: As `Realm(configuration:queue:)`.
    public func realm(
        queue: DispatchQueue? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) throws -> Realm {
        try Realm(configuration: configuration, queue: queue, fileID: fileID, line: line)
    }

    /// Opens the realm for the caller's actor, or, without one, for the task; the same as
    /// `Realm.open(configuration: shared.configuration)`.
    ///
    /// ```swift
    /// actor Orders {
    ///     let realm: Realm
    ///     init(_ shared: SharedRealm) async throws { realm = try await shared.openRealm() }
    ///     func pack(_ id: ObjectId) async throws {
    ///         try await realm.asyncWrite {
    ///             realm.object(ofType: Order.self, forPrimaryKey: id)?.state = "packed"
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - actor: The caller's actor. Omit it.
    ///   - fileID: The source file of the call, for reports. Omit it.
    ///   - line: The source line of the call, for reports. Omit it.
    /// - Throws: As `Realm.open(configuration:)`.
    public func openRealm(
        _isolation actor: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Realm {
        try await Realm.open(
            configuration: configuration, _isolation: actor, fileID: fileID, line: line)
    }
}
