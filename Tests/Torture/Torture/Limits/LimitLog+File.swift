import ArgumentParser
import Foundation
import Freehold
import FreeholdStorage

/// What the file itself has no more of: reader slots, and space in its map.
extension LimitLog {
    /// Holds a version for each reader slot. What needs a further one fails, and works when
    /// some are released.
    func useUpReaderSlots() throws {
        let configuration = Realm.Configuration.limits(path("readers.realm"))
        let realm = try Realm(configuration: configuration)
        var held: [Frozen<Results<LimitNote>>] = []
        var failure: LimitOutcome = .success
        for id in 0..<1_100 {
            failure = LimitOutcome { try realm.putNote(id) }
            if !failure.isSuccess { break }
            held.append(Frozen(realm.objects(LimitNote.self)))
        }
        figure("versions held", held.count)
        expect(
            failure.code == .tooManyReaders,
            "The slots are used up after \(held.count) versions: \(failure)")
        expect(held.count >= 1_000, "Only \(held.count) versions could be held.")
        expect(
            realm.objects(LimitNote.self).count == held.count,
            "The transaction that failed left something behind.")
        expect(
            held.enumerated().allSatisfy { $1.count == $0 + 1 },
            "A version that is held has changed.")
        // What is there goes on being read: by this thread, by others, and by a realm that is
        // opened at the version that is in use.
        let second = LimitOutcome {
            _ = try Realm(configuration: configuration).objects(LimitNote.self).count
        }
        expect(
            second.isSuccess || second.code == .tooManyReaders,
            "A second realm without free slots: \(second)")
        realm.refresh()
        for (name, attempt) in [
            ("write", { try realm.putNote(5_000) }), ("report", { _ = try realm.versionReport() }),
        ] as [(String, () throws -> Void)] {
            let outcome = LimitOutcome(attempt)
            expect(
                outcome.isSuccess || outcome.code == .tooManyReaders,
                "\(name) without free slots: \(outcome)")
        }
        asynchronousWrite(configuration)
        otherProcess(configuration)
        held.removeFirst(held.count / 2)
        for id in 2_000..<2_010 {
            let outcome = LimitOutcome { try realm.putNote(id) }
            expect(outcome.isSuccess, "A write after versions were released: \(outcome)")
        }
        held = []
        let report = try realm.versionReport()
        expect(
            report.activeVersionCount == 1,
            "\(report.activeVersionCount) versions are read after all were released.")
        expect(try realm.check().isEmpty, "The file is not sound.")
    }

    /// A queue's write, whose completion tells the error; it must come.
    private func asynchronousWrite(_ configuration: Realm.Configuration) {
        let queue = DispatchQueue(label: "limited")
        let done = DispatchSemaphore(value: 0)
        queue.async {
            do {
                let realm = try Realm(configuration: configuration, queue: queue)
                realm.writeAsync {
                    realm.create(LimitNote.self, value: ["id": 7_000], update: .all)
                } onComplete: { error in
                    if let error, (error as? Realm.Error)?.code != .tooManyReaders {
                        find("An asynchronous write without free slots: \(error)")
                    }
                    withExtendedLifetime(realm) { _ = done.signal() }
                }
            } catch {
                if (error as? Realm.Error)?.code != .tooManyReaders {
                    find("A queue's realm without free slots: \(error)")
                }
                done.signal()
            }
        }
        if done.wait(timeout: .now() + 30) == .timedOut {
            find("An asynchronous write without free slots never completes.")
        }
    }

    /// Another process needs a slot of its own.
    private func otherProcess(_ configuration: Realm.Configuration) {
        guard let path = configuration.fileURL?.path,
            let process = try? SpawnedProcess(["limits-open", path])
        else { return find("No process could be started.") }
        process.tell("close")
        var lines: [String] = []
        process.readLines { lines.append($0) }
        let end = process.wait()
        expect(
            end == 0 && (lines == ["tooManyReaders"] || lines == ["success"]),
            "Another process without free slots: \(lines), ended with \(end)")
    }

    /// Fills the map. What does not fit fails and changes nothing; after something was deleted,
    /// there is space again. If nothing can be deleted any more, because that takes space
    /// first, it can when the file is opened with a larger map, as the error says.
    func useUpTheMap() throws {
        for isEncrypted in [false, true] {
            let name = path(isEncrypted ? "map-encrypted.realm" : "map.realm")
            let configuration = Realm.Configuration.limits(name, isEncrypted: isEncrypted)
            let (made, refused) = try fillAndDelete(name, configuration, isEncrypted)
            figure(isEncrypted ? "rows written, encrypted" : "rows written", made)
            figure(isEncrypted ? "deletions refused, encrypted" : "deletions refused", refused)
            // With the map that files have by themselves.
            let realm = try Realm(configuration: configuration)
            let deletion = deleteHalf(realm)
            expect(deletion.isSuccess, "Deleting with a larger map: \(deletion)")
            try realm.putNote(made, text: "more")
            expect(try realm.check().isEmpty, "The file is not sound.")
        }
    }

    /// Fills a small map and deletes half of it, again and again. How many rows were made, and
    /// whether a deletion was refused.
    private func fillAndDelete(
        _ name: String, _ configuration: Realm.Configuration, _ isEncrypted: Bool
    ) throws -> (made: Int, refused: Int) {
        // The process's realms share it.
        let environment = try environment(name, isEncrypted)
        let realm = try Realm(configuration: configuration)
        var made = 0
        for round in 0..<5 {
            var failure: LimitOutcome = .success
            while failure.isSuccess, made < 10_000 {
                failure = LimitOutcome {
                    try realm.putNote(made, text: String(repeating: "\(made) ", count: 2_000))
                }
                if failure.isSuccess { made += 1 }
            }
            if round == 0 { note("encrypted \(isEncrypted): full after \(made) rows: \(failure)") }
            expect(failure.code == .addressSpaceExhausted, "A full map: \(failure)")
            expect(
                realm.objects(LimitNote.self).max(of: \.id) == made - 1,
                "The transaction that failed left something behind.")
            expect(environment.usedByteCount <= environment.capacity, "More is used than there is.")
            let deletion = deleteHalf(realm)
            expect(try realm.check().isEmpty, "The file is not sound.")
            if deletion.isSuccess { continue }
            expect(deletion.code == .addressSpaceExhausted, "Deleting in a full map: \(deletion)")
            return (made, 1)
        }
        return (made, 0)
    }

    private func environment(_ path: String, _ isEncrypted: Bool) throws -> Environment {
        var options = Environment.Options(
            path: path, hooks: TestHooks { $0.reservedMapSize = 4 << 20 })
        if isEncrypted { options.encryptionKey = EncryptionKey(Realm.Configuration.limitKey) }
        return try Environment.open(options)
    }

    /// Row by row: no old version is read, so each deletion finds the space of the one before.
    private func deleteHalf(_ realm: Realm) -> LimitOutcome {
        let kept = realm.objects(LimitNote.self).count / 2
        while realm.objects(LimitNote.self).count > kept {
            let deletion = LimitOutcome {
                try realm.write {
                    realm.delete(Array(realm.objects(LimitNote.self).sorted(by: \.id).prefix(1)))
                }
            }
            if !deletion.isSuccess { return deletion }
        }
        return .success
    }
}

/// Opens a realm, reads it and waits until it is told to close it.
struct LimitsOpenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits-open", shouldDisplay: false)
    @Argument var path: String

    func run() throws { try onThread { try runOnThread() } }

    private func runOnThread() throws {
        let outcome = LimitOutcome {
            let realm = try Realm(configuration: .limits(path))
            _ = realm.objects(LimitNote.self).count
        }
        SpawnedProcess.say(outcome.code.map { "\($0)" } ?? "\(outcome)")
        _ = readLine()
    }
}
