import Dispatch
import Foundation
import Freehold
import Synchronization

/// A serial queue and the realm of an upstream's file that is confined to it.
///
/// Tasks suspend while the queue's thread waits for locks and the medium.
final class RealmFileQueue: @unchecked Sendable {
    // @unchecked: `realm` is used on the queue only.

    let queue = DispatchQueue(label: "freehold.upstream")
    private let configuration: Realm.Configuration
    private var realm: Realm?
    private let isClosed = Mutex(false)

    static let closed = SharingError(
        .unreachable, "The connection to the file was closed.", remedy: "Connect again.")

    init(_ configuration: Realm.Configuration) { self.configuration = configuration }

    /// Releases the realm after the calls that are under way.
    func close() {
        isClosed.withLock { $0 = true }
        queue.async { self.realm = nil }
    }

    /// Runs `body` on the queue with the newest version.
    ///
    /// A task that is cancelled before its turn does nothing; one that has begun ends first: it
    /// waits for no network.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Realm) throws -> Value) async throws
        -> Value
    {
        try await run { realm in
            realm.refresh()
            return try body(realm)
        }
    }

    /// Runs `body` on the queue in a write transaction; an error undoes it.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Realm) throws -> Value) async throws
        -> Value
    {
        try await run { realm in try realm.write { try body(realm) } }
    }

    private func run<Value: Sendable>(_ body: @escaping @Sendable (Realm) throws -> Value)
        async throws -> Value
    {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(with: Result { try self.perform(body) })
            }
        }
    }

    /// On the queue.
    func perform<Value>(_ body: (Realm) throws -> Value) throws -> Value {
        if isClosed.withLock({ $0 }) { throw Self.closed }
        do {
            let open = try realm ?? Realm(configuration: configuration, queue: queue)
            realm = open
            return try body(open)
        } catch let error as Realm.Error {
            throw SharingError(error)
        }
    }
}

extension SharingError {
    /// An error of an upstream's file.
    fileprivate init(_ error: Realm.Error) {
        switch error.code {
        case .outOfDiskSpace, .valueTooLarge, .addressSpaceExhausted:
            self.init(
                .serverFull, "The upstream's file has no room.",
                remedy: "Free space on its disk, or trim the log; then everything goes on.",
                cause: error.localizedDescription)
        case .filePermissionDenied:
            self.init(
                .permissionDenied, "The upstream's file may not be used.",
                remedy: "See to the permissions of the file and its directory.",
                cause: error.localizedDescription)
        case .schemaMismatch, .unsupportedFileFormatVersion, .fileFormatUpgradeRequired:
            self.init(
                .unsupportedVersion,
                "The upstream's file is of another program, or of another version of Freehold.",
                remedy: "Give it a file of its own, or build with a newer Freehold.",
                cause: error.localizedDescription)
        default:
            self.init(
                .serverFailed, "The upstream's file failed.",
                remedy: "Check the file with `freehold check`; what waits to be pushed is kept.",
                cause: error.localizedDescription)
        }
    }
}
