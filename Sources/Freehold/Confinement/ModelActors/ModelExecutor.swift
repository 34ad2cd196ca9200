import FreeholdStorage

/// What a ``ModelActor`` runs on: a thread of its own, and a realm that belongs to it.
///
/// The realm is opened when it is first used, on that thread, and stays open as long as the
/// executor. Model actors that share one exclude one another and share the realm.
///
/// Any thread may make one and pass it on.
public final class ModelExecutor: @unchecked Sendable {
    // @unchecked: `realm` is confined to the executor's thread; `deinit` has no competitor.

    /// The configuration that the actor's realm is opened with.
    public let configuration: Realm.Configuration
    /// The thread. Other actors may run on it, too.
    public let executor: PinnedExecutor
    private var realm: Realm?
    /// Where the executor was made, which diagnoses show as the place where the realm was opened.
    private let place: (fileID: StaticString, line: UInt)

    /// An executor for a realm, which is not opened yet.
    ///
    /// - Parameters:
    ///   - configuration: Which file, and how.
    ///   - executor: The thread to run on; nil for a new one, named "model".
    ///   - fileID: Where the executor is made, for diagnoses. Leave it out.
    ///   - line: As `fileID`.
    public init(
        _ configuration: Realm.Configuration = .defaultConfiguration,
        on executor: PinnedExecutor? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.configuration = configuration
        place = (fileID, line)
        self.executor = executor ?? PinnedExecutor("model")
    }

    /// The realm. On the executor's thread only.
    func openedRealm(on actor: any Actor) throws -> Realm {
        // The compiler cannot know which actor the executor runs.
        try Confinement.verifyCaller(on: actor, place.fileID, place.line)
        if let realm { return realm }
        let opened = Realm(
            core: try RealmCore.open(
                configuration, .unsafeHere(actor: actor, fileID: place.fileID, line: place.line)))
        realm = opened
        return opened
    }
}
