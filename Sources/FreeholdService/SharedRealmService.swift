public import FreeholdSharing
public import ServiceLifecycle

/// A shared realm as a service of swift-service-lifecycle: it is closed when the program shuts
/// down, after what waits was pushed.
///
/// ```swift
/// let shared = try await SharedRealm(configuration, upstream: .postgres(url), name: "orders")
/// let group = ServiceGroup(
///     services: [SharedRealmService(shared), server], gracefulShutdownSignals: [.sigterm],
///     logger: logger)
/// try await group.run()
/// ```
///
/// Services are shut down in reverse order: put it before the services that write.
///
/// Thread rule: any.
public struct SharedRealmService: Service, CustomStringConvertible {
    private let shared: SharedRealm
    private let patience: Duration

    /// Makes a service of a shared realm.
    ///
    /// - Parameters:
    ///   - shared: The shared realm. The service closes it.
    ///   - patience: How long a shutdown waits for pending commits to be pushed. What is left stays
    ///     in the file, and is pushed when the file is shared again.
    public init(_ shared: SharedRealm, patience: Duration = .seconds(5)) {
        self.shared = shared
        self.patience = patience
    }

    /// Runs until the program shuts down, and closes the shared realm.
    public func run() async throws {
        // Returns when the shutdown begins, and throws when the task is cancelled, which leaves no
        // time to push.
        let isCancelled: Bool
        do {
            try await gracefulShutdown()
            isCancelled = Task.isCancelled
        } catch {
            isCancelled = true
        }
        if !isCancelled { await push() }
        await shared.close()
    }

    private func push() async {
        await withTaskGroup(of: Void.self) { [shared, patience] group in
            // Offline it ends at once; the commits wait in the file.
            group.addTask { try? await shared.synchronize() }
            group.addTask { try? await Task.sleep(for: patience) }
            await group.next()
            group.cancelAll()
        }
    }

    /// The name of the realm.
    public var description: String { "shared realm '\(shared.name)'" }
}
