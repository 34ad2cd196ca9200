/// The executor of a ``ModelActor``: a thread of its own, and a realm that belongs to the thread.
///
/// The first use of the realm opens it, on that thread; it stays open as long as the executor
/// lives. Model actors that share an executor exclude one another and share the realm.
///
/// Any thread may make one and pass it on.
public final class ModelExecutor: @unchecked Sendable {
    // @unchecked: `realm` is confined to the executor's thread; nothing else runs during
    // `deinit`.

    /// The configuration that the actor's realm is opened with.
    public let configuration: Realm.Configuration
    /// The thread. Other actors may run on it, too.
    public let executor: PinnedExecutor
    private var realm: Realm?
    /// Where the executor was made. Reports show it as the place where the realm was opened.
    private let place: (fileID: StaticString, line: UInt)

    /// Makes an executor for a realm, which is not opened yet.
    ///
    /// - Parameters:
    ///   - configuration: The file and how to open it.
    ///   - executor: The thread to run on; nil for a new one, named "model".
    ///   - fileID: Where the executor is made, for reports. Leave it out.
    ///   - line: As `fileID`.
    public init(
        _ configuration: Realm.Configuration = .defaultConfiguration,
        on executor: PinnedExecutor? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        self.configuration = configuration
        place = (fileID, line)
        self.executor = executor ?? PinnedExecutor("model")
    }

    /// Returns the realm, opened if necessary. On the executor's thread only.
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
