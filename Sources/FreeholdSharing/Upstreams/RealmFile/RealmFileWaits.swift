import Foundation
import Freehold

/// Tasks that wait for commits in an upstream's file.
///
/// Any thread makes and cancels waits; all state is used on the connection's queue.
final class RealmFileWaits: @unchecked Sendable {
    // @unchecked: used on the queue only, but for `file` and `name`, which do not change.

    private struct Wait {
        let sequence: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private let file: RealmFileQueue
    private let name: String
    private var waits: [UUID: Wait] = [:]
    /// Cancelled before they began.
    private var cancelled: Set<UUID> = []
    private var token: NotificationToken?
    private var epoch = 0
    private var isOver = false

    init(_ file: RealmFileQueue, name: String) {
        self.file = file
        self.name = name
    }

    func wait(above sequence: Int) async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                file.queue.async { self.begin(id, sequence, continuation) }
                file.queue.asyncAfter(deadline: .now() + 1) { self.finish(id, .success(())) }
            }
        } onCancel: {
            file.queue.async {
                if self.waits[id] == nil { self.cancelled.insert(id) }
                self.finish(id, .failure(CancellationError()))
            }
        }
        file.queue.async { self.cancelled.remove(id) }
    }

    /// Ends all waits, and those that come.
    func end() {
        file.queue.async {
            self.isOver = true
            self.token?.invalidate()
            self.token = nil
            for id in self.waits.keys { self.finish(id, .failure(RealmFileQueue.closed)) }
        }
    }

    private func begin(
        _ id: UUID, _ sequence: Int, _ continuation: CheckedContinuation<Void, any Error>
    ) {
        if cancelled.remove(id) != nil {
            return continuation.resume(throwing: CancellationError())
        }
        if isOver { return continuation.resume(throwing: RealmFileQueue.closed) }
        waits[id] = Wait(sequence: sequence, continuation: continuation)
        do {
            try file.perform { realm in
                if token == nil {
                    token = realm.observe { [weak self] _, realm in self?.look(realm) }
                    epoch = try realm.upstreamRealm(name).epoch
                }
                realm.refresh()
                look(realm)
            }
        } catch {
            finish(id, .failure(error))
        }
    }

    /// Ends the waits that the newest version fulfils; all of them if an epoch began.
    private func look(_ realm: Realm) {
        guard let found = try? realm.upstreamRealm(name) else { return }
        let isNewEpoch = found.epoch != epoch
        epoch = found.epoch
        for (id, wait) in waits where isNewEpoch || found.head > wait.sequence {
            finish(id, .success(()))
        }
    }

    private func finish(_ id: UUID, _ result: Result<Void, any Error>) {
        waits.removeValue(forKey: id)?.continuation.resume(with: result)
    }
}
