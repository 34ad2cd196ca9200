import Dispatch
import Foundation
import Freehold
import FreeholdStorage
import FreeholdTestSupport
import Observation

/// One thread, queue or actor that is kept busy for the whole run, so that nothing else ever
/// runs there, with a realm that it moves by hand when it is told to.
final class PinParticipant: Sendable {
    let name: String
    private let mayGo = DispatchSemaphore(value: 0)
    private let hasMoved = DispatchSemaphore(value: 0)
    private let state = Locked(State())

    private struct State {
        var round = 0
        var isOver = false
        var failures: [String] = []
    }

    /// What a participant does to its realm in a round.
    private enum Move: CaseIterable {
        case refresh, emptyWrite, invalidate, write, refreshWithoutAutorefresh
    }

    /// What it has beside the realm.
    private enum Luggage: CaseIterable {
        case nothing, observers, listController, frozen, iterator, reference, collection, tracking,
            visitor
    }

    private init(_ name: String) { self.name = name }

    // MARK: For the writer

    func go(_ round: Int) {
        state.withLock { $0.round = round }
        mayGo.signal()
    }

    func waitUntilMoved() -> Bool { hasMoved.wait(timeout: .now() + 60) == .success }

    func takeFailures() -> [String] {
        state.withLock { state in
            defer { state.failures = [] }
            return state.failures
        }
    }

    func end() {
        state.withLock { $0.isOver = true }
        mayGo.signal()
        _ = hasMoved.wait(timeout: .now() + 60)
    }

    // MARK: The participants

    private actor Busy {
        func run(_ participant: PinParticipant, _ configuration: Realm.Configuration) async {
            guard let realm = try? await Realm.open(configuration: configuration) else { return }
            participant.live({ realm }, Luggage.observers)
        }
    }

    private actor Pinned: PinnedActor {
        let executor = PinnedExecutor("pin-soak")

        func run(_ participant: PinParticipant, _ configuration: Realm.Configuration) {
            participant.live({ try Realm(configuration: configuration) }, .observers)
        }
    }

    /// Starts one of each kind.
    static func start(_ configuration: Realm.Configuration) -> [PinParticipant] {
        var all: [PinParticipant] = []
        func make(_ name: String) -> PinParticipant {
            let made = PinParticipant(name)
            all.append(made)
            return made
        }
        let main = make("the main thread without a loop")
        DispatchQueue.main.async {
            main.live({ try Realm(configuration: configuration) }, .observers)
        }
        // First, because the other one keeps a thread of the pool.
        let pinned = make("a pinned actor that never returns")
        Task { await Pinned().run(pinned, configuration) }
        let actor = make("an actor that never returns")
        Task { await Busy().run(actor, configuration) }
        for luggage in Luggage.allCases {
            let block = make("a long block of a queue, with \(luggage)")
            let queue = DispatchQueue(label: "pin-soak-\(luggage)")
            queue.async {
                block.live({ try Realm(configuration: configuration, queue: queue) }, luggage)
            }
        }
        for luggage in [Luggage.nothing, .frozen, .iterator, .reference, .collection] {
            let thread = make("a thread, with \(luggage)")
            startThread {
                thread.live({ try Realm(configuration: configuration) }, luggage)
            }
        }
        return all
    }

    // MARK: Where the realm lives

    private func live(_ open: () throws -> Realm, _ luggage: Luggage) {
        defer { hasMoved.signal() }
        do {
            let realm = try open()
            var kept: Any? = nil
            let begin = name.utf8.reduce(0) { $0 + Int($1) }
            mayGo.wait()
            while true {
                let (round, isOver) = state.withLock { ($0.round, $0.isOver) }
                if isOver { break }
                // What was packed goes with its version.
                if luggage != .observers, luggage != .listController, luggage != .collection {
                    kept = nil
                }
                let move = Move.allCases[(begin + round) % Move.allCases.count]
                try perform(move, realm, &kept)
                if kept == nil { kept = pack(luggage, realm) }
                hasMoved.signal()
                mayGo.wait()
            }
            withExtendedLifetime(kept) {}
        } catch {
            state.withLock { $0.failures.append("\(error)") }
        }
    }

    private func perform(_ move: Move, _ realm: Realm, _ kept: inout Any?) throws {
        switch move {
        case .refresh: realm.refresh()
        case .emptyWrite: try realm.write {}
        case .invalidate:
            realm.invalidate()
            kept = nil
            _ = realm.objects(LimitNote.self).count
        case .write: try realm.write { realm.objects(LimitNote.self).first?.number += 1 }
        case .refreshWithoutAutorefresh:
            realm.autorefresh = false
            realm.refresh()
            realm.autorefresh = true
        }
    }

    private func track(_ realm: Realm) {
        withObservationTracking {
            for note in realm.objects(LimitNote.self).prefix(3) {
                _ = (note.number, note.friends.count)
            }
        } onChange: {
        }
    }

    private func pack(_ luggage: Luggage, _ realm: Realm) -> Any? {
        let notes = realm.objects(LimitNote.self)
        switch luggage {
        case .nothing: return nil
        case .observers:
            let sections = notes.where { $0.id < 100 }.sectioned(by: \.number)
            return [
                realm.observe { _, _ in }, notes.observe { _ in },
                notes.where { $0.number == 3 }.sorted(by: \.id).observe { _ in },
                sections.observe { _ in }, notes.first?.observe { (_: ObjectChange<LimitNote>) in },
            ].compactMap { $0 }
        case .listController:
            let controller = ListController(notes.where { $0.number == 5 })
            return (controller, controller.observe { _ in })
        case .frozen: return notes.freeze()
        case .iterator:
            var iterator = notes.makeIterator()
            _ = iterator.next()
            return iterator
        case .reference: return notes.first.map { ThreadSafeReference(to: $0) }
        case .collection:
            guard let friends = notes.first?.friends else { return nil }
            return friends.isEmpty ? friends : (friends, friends.count)
        case .tracking:
            track(realm)
            return nil
        case .visitor:
            // A realm that is released while something waits for its changes.
            let queue = DispatchQueue(label: "pin-soak-visitor")
            queue.sync {
                guard let visitor = try? Realm(configuration: realm.configuration, queue: queue)
                else { return }
                track(visitor)
                _ = visitor.objects(LimitNote.self).observe { _ in }
            }
            return nil
        }
    }
}
