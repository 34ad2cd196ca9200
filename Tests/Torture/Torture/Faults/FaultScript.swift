import Foundation
import Freehold
import FreeholdWorkload
import TortureCalls

/// The life of a realm, with one call that fails somewhere in it.
///
/// Each step that fails must throw a `Realm.Error` and change nothing; what was read before
/// stays readable. The step is tried again, once while a sticky fault lasts, then without it:
/// it must succeed, or say that the file has to be opened again, and then succeed.
final class FaultScript {
    enum Step: Hashable {
        case open(UInt64, compacting: Bool)
        case commit([Int])
        case records
        case asynchronous
        case compact
        case copy
        case close
    }

    static let steps: [Step] = [
        .open(0, compacting: false), .commit([0]), .records, .commit([0, 1]), .asynchronous, .close,
        .open(1, compacting: false), .commit([1]), .compact,
        .commit(Array(repeating: 2, count: 12)), .copy, .records, .asynchronous, .close,
        .open(1, compacting: true), .commit([0]), .close,
    ]

    private let fault: Fault?
    private let directory: String
    private var realm: Realm?
    /// An older version, which must stay readable.
    private var frozen: (realm: Realm, known: Known)?
    private var known = Known()
    private var schemaVersion: UInt64 = 0
    private var isOver = false
    private(set) var problems: [String] = []
    /// The codes of the errors that were thrown.
    private(set) var codes: [String] = []

    /// What was acknowledged.
    private struct Known: Equatable {
        var numbers: [Int: Int] = [:]
        var generation = 0
    }

    init(_ fault: Fault?, scenario: Fault.Scenario, directory: String) {
        self.fault = fault
        self.scenario = scenario
        self.directory = directory
    }

    private let scenario: Fault.Scenario

    /// - Returns: Whether the fault happened, and what it was.
    func run() throws -> (fired: Int64, description: String) {
        try? FileManager.default.removeItem(atPath: directory)
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        let descriptors = Self.descriptors()
        if let fault {
            torture_arm_fault(
                directory, fault.kind.rawValue, Int64(fault.number), fault.error,
                fault.isSticky ? 1 : 0)
        } else {
            torture_count_calls(directory)
        }
        for step in Self.steps {
            perform(step)
            if !problems.isEmpty { break }
        }
        let fired = torture_disarm_fault()
        let description = String(cString: torture_fault_description())
        close()
        if problems.isEmpty { try lookAtTheEnd(descriptors) }
        try? FileManager.default.removeItem(atPath: directory)
        return (fired, description)
    }

    // MARK: Steps

    private func perform(_ step: Step) {
        var failures = 0
        var reopened = false
        while true {
            let before = known
            do {
                try attempt(step)
                if failures > 0 { expectKnown("after \(step) was tried again") }
                return
            } catch let error as Realm.Error {
                failures += 1
                codes.append("\(error.code)")
                judge(error, step)
                if !problems.isEmpty { return }
                if case .asynchronous = step {
                } else if known != before {
                    return say("\(step) threw, but changed what is known.")
                }
                if fault == nil { return say("\(step) failed without a fault: \(error)") }
                lookWhileItLasts {
                    // A commit of another realm that was acknowledged, and that was not read
                    // when the file stopped, is seen when it is opened again.
                    if known == before, !(step == .asynchronous && error.code == .poisoned) {
                        expectKnown("after \(step) failed with \(error.code)")
                    }
                    expectFrozen()
                }
                if failures >= 2 || fault?.isSticky == false { isOver = true }
                let isPoisoned =
                    error.code == .poisoned || error.message.contains("open it again")
                    || error.message.contains("open the file again")
                if isOver { _ = torture_disarm_fault() }
                if isPoisoned, isOver {
                    if reopened {
                        return say("\(step) failed again after the file was opened again: \(error)")
                    }
                    reopened = true
                    openAgain()
                    if !problems.isEmpty { return }
                    if case .open = step { continue }
                } else if failures > 3 {
                    return say("\(step) still fails although the fault is over: \(error)")
                }
            } catch {
                return say("\(step) threw what is no Realm.Error: \(error)")
            }
        }
    }

    private func attempt(_ step: Step) throws {
        switch step {
        case .open(let version, let isCompacting):
            close()
            realm = try Realm(configuration: configuration(version, compacting: isCompacting))
            schemaVersion = version
            frozen = realm.map { ($0.freeze(), known) }
        case .commit(let writers):
            guard let realm else { return }
            var numbers = known.numbers
            try realm.write {
                for writer in writers { numbers[writer] = Workload.change(realm, writer) }
            }
            known.numbers = numbers
        case .records:
            guard let realm else { return }
            known.generation = try realm.write { Workload.changeRecords(realm) }
        case .asynchronous: try writeAsynchronously()
        case .compact: _ = try realm?.compact()
        case .copy:
            var copy = configuration(schemaVersion)
            copy.fileURL = URL(fileURLWithPath: directory + "/copy.realm")
            // A copy whose directory could not be synced has its name.
            _ = try? FileManager.default.removeItem(atPath: directory + "/copy.realm")
            try realm?.writeCopy(configuration: copy)
        case .close: close()
        }
    }

    /// Releases the realm, and waits until the file is closed: the queue of the asynchronous
    /// writes may be the last to use it.
    private func close() {
        frozen = nil
        realm = nil
        for _ in 0..<800 {
            if !isFileOpen { return }
            usleep(2_500)
        }
        say("The file is not used any more, and it is still open.")
    }

    private var isFileOpen: Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.contains {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0))?
                .hasPrefix(directory + "/") == true
        }
    }

    /// Two writes of a realm on a queue, which may share a commit.
    private func writeAsynchronously() throws {
        let queue = DispatchQueue(label: "asynchronous writes")
        let box = QueueBox()
        let done = DispatchGroup()
        let configuration = configuration(schemaVersion)
        done.enter()
        done.enter()
        do {
            try queue.sync {
                let realm = try Realm(configuration: configuration, queue: queue)
                box.realm = realm
                for _ in 0..<2 {
                    realm.writeAsync(
                        { if let realm = box.realm { Workload.change(realm, 3) } },
                        onComplete: { error in
                            if let error { box.error = error } else { box.count += 1 }
                            done.leave()
                        })
                }
            }
        } catch {
            done.leave()
            done.leave()
            throw error
        }
        done.wait()
        let (count, error) = queue.sync {
            box.realm = nil
            return (box.count, box.error)
        }
        known.numbers[3, default: 0] += count
        realm?.refresh()
        if let error { throw error }
    }

    /// Used on the queue only.
    private final class QueueBox: @unchecked Sendable {
        // @unchecked: every use is a block of the queue.
        var realm: Realm?
        var count = 0
        var error: (any Error)?
    }

    private func configuration(_ version: UInt64, compacting: Bool = false) -> Realm.Configuration {
        var configuration = Workload.configuration(
            directory + "/a.realm", schemaVersion: version,
            encryptionKey: scenario == .encrypted ? PowerCase.encryptionKey : nil)
        if scenario == .relaxed { configuration.durability = .relaxed }
        if compacting { configuration.shouldCompactOnLaunch = { _, _ in true } }
        return configuration
    }

    // MARK: What must be

    /// Damage is not what happened, and a fault has a better name than "failed".
    private func judge(_ error: Realm.Error, _ step: Step) {
        if error.code == .corrupted || error.code == .fail || error.code == .schemaMismatch
            || error.code == .incompatibleHistories
        {
            say("\(step) threw \(error.code), which does not say what happened: \(error)")
        }
        if error.message.isEmpty { say("\(step) threw \(error.code) without a message.") }
    }

    /// Reading needs none of the calls that fail, but LMDB's memory.
    private func lookWhileItLasts(_ look: () -> Void) {
        if fault?.kind == .allocation { torture_pause_fault(1) }
        look()
        if fault?.kind == .allocation { torture_pause_fault(0) }
    }

    private func expectKnown(_ when: String) {
        guard let realm, isReadable(realm) else { return }
        realm.refresh()
        let found = Self.state(realm, known.numbers.keys)
        if found != known { say("\(when), the realm has \(found), and \(known) was acknowledged.") }
    }

    private func expectFrozen() {
        guard let (realm, known) = frozen, isReadable(realm) else { return }
        let found = Self.state(realm, known.numbers.keys)
        if found != known { say("The frozen realm has \(found), not \(known).") }
    }

    /// Not if a read failed for lack of memory: every operation that can throw says so then,
    /// until the file is opened again.
    private func isReadable(_ realm: Realm) -> Bool {
        guard fault?.kind == .allocation else { return true }
        do {
            _ = try realm.check()
            return true
        } catch Realm.Error.poisoned {
            return false
        } catch {
            say("The check of a realm that is open throws \(error).")
            return false
        }
    }

    private static func state(_ realm: Realm, _ writers: some Sequence<Int>) -> Known {
        Known(
            numbers: Dictionary(
                uniqueKeysWithValues: Set(writers).union(
                    realm.objects(Workload.Last.self).map(\.writer)
                ).map {
                    ($0, realm.object(ofType: Workload.Last.self, forPrimaryKey: $0)?.number ?? 0)
                }), generation: Workload.generation(realm))
    }

    /// As an error asked for. A commit that failed on the medium may be there now, as a whole.
    private func openAgain() {
        close()
        do {
            let opened = try Realm(configuration: configuration(schemaVersion))
            realm = opened
            let problems =
                try Workload.problems(opened, acknowledged: known.numbers)
                + Workload.recordProblems(opened, acknowledged: known.generation)
            if let problem = problems.first { say("Opened again: \(problem)") }
            known = Self.state(opened, known.numbers.keys)
            frozen = (opened.freeze(), known)
        } catch {
            say("The file does not open although the fault is over: \(error)")
        }
    }

    private func lookAtTheEnd(_ descriptors: [String]) throws {
        do {
            let realm = try Realm(configuration: configuration(schemaVersion))
            problems +=
                try Workload.problems(realm, acknowledged: known.numbers)
                + Workload.recordProblems(realm, acknowledged: known.generation)
            let found = Self.state(realm, known.numbers.keys)
            if found != known {
                say("At the end there is \(found), and \(known) was acknowledged.")
            }
            let copy = directory + "/copy.realm"
            if FileManager.default.fileExists(atPath: copy) {
                var configuration = configuration(schemaVersion)
                configuration.fileURL = URL(fileURLWithPath: copy)
                let copied = try Realm(configuration: configuration)
                problems += try Workload.problems(copied, acknowledged: [:]).map {
                    "The copy: " + $0
                }
            } else {
                say("The copy is missing.")
            }
        } catch {
            say("At the end the file does not open: \(error)")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: directory).filter {
            $0.hasSuffix("ing") || $0.hasSuffix("ing-lock")
        }
        if !left.isEmpty, fault?.kind != .unlink { say("Left behind: \(left.sorted())") }
        var now = Self.descriptors()
        // A queue releases a realm when it runs, and threads end when they run.
        for _ in 0..<4000 where now.count != descriptors.count {
            usleep(2_500)
            now = Self.descriptors()
        }
        if now.count > descriptors.count {
            say("Descriptors: \(now). There were: \(descriptors).")
        }
    }

    /// What the process has open.
    private static func descriptors() -> [String] {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // The folder itself is no longer open when its name is read.
        return names.map {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) ?? ""
        }.sorted()
    }

    private func say(_ text: String) { problems.append(text) }
}
