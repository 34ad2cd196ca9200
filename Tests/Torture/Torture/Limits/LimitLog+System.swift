import Foundation
import Freehold
import FreeholdStorage
import Glibc

/// What the system gives no more of: address space, descriptors, threads.
extension LimitLog {
    /// A life of a realm: each step succeeds or throws a typed error, and after that the next
    /// one is tried all the same.
    private func live(_ name: String, _ configuration: Realm.Configuration) -> (
        successes: Int, codes: Set<Realm.Error.Code>
    ) {
        var successes = 0
        var codes: Set<Realm.Error.Code> = []
        func step(_ what: String, _ body: () throws -> Void) {
            let outcome = LimitOutcome(body)
            switch outcome {
            case .success: successes += 1
            case .typed(let error):
                codes.insert(error.code)
                if error.localizedDescription.isEmpty {
                    find("\(name): \(what) fails without a message.")
                }
            case .untyped(let error):
                find("\(name): \(what) throws what is no Realm.Error: \(error)")
            }
        }
        step("opening") {
            let scheduler = ManualScheduler()
            let realm = try Realm(configuration: configuration, scheduler: scheduler)
            step("writing") { try realm.putNote(1, text: name) }
            let token = realm.objects(LimitNote.self).observe { _ in }
            step("a second write") { try realm.putNote(2, text: name) }
            realm.refresh()
            scheduler.runAll()
            let frozen = realm.objects(LimitNote.self).freeze()
            step("an asynchronous write") { try asynchronousWrite(configuration) }
            step("a copy") {
                let copy = path("copy.realm")
                for suffix in ["", "-lock", ".control"] { unlink(copy + suffix) }
                try realm.writeCopy(toFile: URL(fileURLWithPath: copy))
            }
            step("a compaction") { _ = try realm.compact() }
            step("a report") { _ = try realm.versionReport() }
            step("a check") {
                let problems = try realm.check()
                if !problems.isEmpty { find("\(name): the file is not sound: \(problems)") }
            }
            _ = frozen.count
            token.invalidate()
        }
        return (successes, codes)
    }

    private func asynchronousWrite(_ configuration: Realm.Configuration) throws {
        let queue = DispatchQueue(label: "limited")
        let done = DispatchSemaphore(value: 0)
        let failure = Locked<(any Error)?>(nil)
        queue.async {
            do {
                let realm = try Realm(configuration: configuration, queue: queue)
                realm.writeAsync {
                    realm.create(LimitNote.self, value: ["id": 3], update: .all)
                } onComplete: { error in
                    failure.withLock { $0 = error }
                    withExtendedLifetime(realm) { _ = done.signal() }
                }
            } catch {
                failure.withLock { $0 = error }
                done.signal()
            }
        }
        // A queue without a thread waits for one; that it never gets one is the system's affair.
        if done.wait(timeout: .now() + 20) == .timedOut {
            return note("an asynchronous write got no thread of the system")
        }
        // What the queue's blocks held is gone then.
        queue.sync {}
        if let error = failure.withLock({ $0 }) { throw error }
    }

    private static let steps = 8

    /// Afterwards, without limits, everything must work.
    private func liveWell(_ name: String, _ configuration: Realm.Configuration) {
        let (successes, codes) = live(name, configuration)
        expect(
            successes == Self.steps,
            "\(name), without limits: \(successes) of \(Self.steps) steps succeed, \(codes)")
    }

    /// Warms up what Foundation and Dispatch open once.
    private func warmUp() {
        for isEncrypted in [false, true] {
            liveWell(
                "warming up", .limits(path("warm-\(isEncrypted).realm"), isEncrypted: isEncrypted))
        }
    }

    /// The limit below which so many numbers of descriptors are free.
    private func limit(leaving spare: Int) -> UInt64 {
        var (limit, free) = (Int32(0), 0)
        while free <= spare {
            if fcntl(limit, F_GETFD) < 0 { free += 1 }
            limit += 1
        }
        return UInt64(limit - 1)
    }

    func limitDescriptors() throws {
        warmUp()
        var kinds: [Realm.Error.Code: Int] = [:]
        var (rounds, whole) = (0, 0)
        for isEncrypted in [false, true] {
            for spare in 0..<32 {
                let name = path("descriptors-\(isEncrypted)-\(spare).realm")
                let (successes, codes) = ResourceLimit.descriptors.with(limit(leaving: spare)) {
                    live("\(spare) descriptors", .limits(name, isEncrypted: isEncrypted))
                }
                for code in codes { kinds[code, default: 0] += 1 }
                rounds += 1
                whole += successes == Self.steps ? 1 : 0
                liveWell("\(spare) descriptors", .limits(name, isEncrypted: isEncrypted))
            }
        }
        note(
            """
            \(rounds) limits, \(whole) without an error; codes: \
            \(kinds.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", "))
            """
        )
        expect(
            whole > 0 && whole < rounds,
            "The limits are not where it hurts: \(whole) of \(rounds) rounds had no error.")
        figure("limits", rounds)
        figure("limits that no step felt", whole)
    }

    func limitTheAddressSpace() throws {
        warmUp()
        var (opened, refused) = (0, 0)
        for isEncrypted in [false, true] {
            for megabytes in [8, 64, 512, 1_025, 1_600, 3_000, 40_000, 500_000] as [UInt64] {
                guard let status = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
                    let pages = status.split(separator: " ").first.flatMap({ UInt64($0) })
                else { return find("The size of the process cannot be read.") }
                let name = path("address-\(isEncrypted)-\(megabytes).realm")
                let configuration = Realm.Configuration.limits(name, isEncrypted: isEncrypted)
                ResourceLimit.addressSpace.with(pages * 4096 + megabytes << 20) {
                    let outcome = LimitOutcome {
                        let realm = try Realm(configuration: configuration)
                        try realm.putNote(1)
                        expect(
                            realm.objects(LimitNote.self).count == 1,
                            "\(megabytes) MB: a note is missing.")
                    }
                    switch outcome {
                    case .success: opened += 1
                    case .typed(let error)
                    where error.code == .addressSpaceExhausted || error.code == .outOfMemory:
                        refused += 1
                    default: find("With \(megabytes) MB more of address space: \(outcome)")
                    }
                    if megabytes > 3_000, !outcome.isSuccess {
                        find(
                            """
                            With \(megabytes) MB more of address space it does not open: \
                            \(outcome)
                            """
                        )
                    }
                }
                liveWell("after \(megabytes) MB", configuration)
            }
        }
        figure("opened", opened)
        figure("refused", refused)
        expect(opened > 0 && refused > 0, "The limits are not where it hurts.")
    }

    /// Root has no limit of threads, so the process becomes another user.
    func limitThreads() throws {
        let user: uid_t = 54_321
        if getuid() == 0 {
            guard chown(directory, user, user) == 0, setgid(user) == 0, setuid(user) == 0 else {
                return find("The process cannot become another user: \(errno)")
            }
        }
        warmUp()
        var (rounds, whole) = (0, 0)
        var kinds: [Realm.Error.Code: Int] = [:]
        for isEncrypted in [false, true] {
            // None at all, and some; threads of queues come and go meanwhile.
            for spare in [-9, -3, -2, -1, 0, 1, 2, 3] {
                let name = path("threads-\(isEncrypted)-\(spare).realm")
                let configuration = Realm.Configuration.limits(name, isEncrypted: isEncrypted)
                let running = ProcessFigures()?.threads ?? 0
                let (successes, codes) = ResourceLimit.processes.with(
                    spare == -9 ? 0 : UInt64(max(0, running + spare))
                ) { liveWithoutQueues("\(spare) threads", configuration) }
                for code in codes { kinds[code, default: 0] += 1 }
                rounds += 1
                whole += successes ? 1 : 0
                liveWell("after \(spare) threads", configuration)
            }
        }
        note(
            """
            \(rounds) limits, \(whole) without an error; codes: \
            \(kinds.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", "))
            """
        )
        expect(
            whole > 0 && whole < rounds,
            "The limits are not where it hurts: \(whole) of \(rounds) rounds had no error.")
        figure("limits", rounds)
        figure("limits that no step felt", whole)
    }

    /// Opening, writing and reading on this thread, which needs no other one, and an asynchronous
    /// write, which needs the writer thread. Nothing here needs a queue, whose threads are the
    /// system's.
    private func liveWithoutQueues(_ name: String, _ configuration: Realm.Configuration) -> (
        isWhole: Bool, codes: Set<Realm.Error.Code>
    ) {
        var codes: Set<Realm.Error.Code> = []
        var isWhole = true
        func step(_ body: () throws -> Void) {
            let outcome = LimitOutcome(body)
            if case .untyped(let error) = outcome {
                find("\(name): what is thrown is no Realm.Error: \(error)")
            }
            if let code = outcome.code { codes.insert(code) }
            isWhole = isWhole && outcome.isSuccess
        }
        step {
            let realm = try Realm(configuration: configuration)
            for id in 0..<5 { step { try realm.putNote(id) } }
            step { try steppedAsynchronousWrite(configuration) }
            step { _ = try realm.compact() }
            step { expect(try realm.check().isEmpty, "\(name): the file is not sound.") }
        }
        return (isWhole, codes)
    }

    /// An asynchronous write whose completion runs on this thread.
    private func steppedAsynchronousWrite(_ configuration: Realm.Configuration) throws {
        let scheduler = ManualScheduler()
        let realm = try Realm(configuration: configuration, scheduler: scheduler)
        let outcome = Locked<Result<Void, any Error>?>(nil)
        realm.writeAsync {
            realm.create(LimitNote.self, value: ["id": 9], update: .all)
        } onComplete: { error in
            outcome.withLock { $0 = error.map { .failure($0) } ?? .success(()) }
        }
        let deadline = Date(timeIntervalSinceNow: 20)
        while outcome.withLock({ $0 }) == nil, scheduler.waitForWork(until: deadline) {
            scheduler.runAll()
        }
        guard let result = outcome.withLock({ $0 }) else {
            return find("An asynchronous write neither succeeds nor fails.")
        }
        try result.get()
    }

    /// Opens files until there are no descriptors, and closes them all.
    func openACrowd() throws {
        warmUp()
        let before = ProcessFigures.ofThisProcess()
        var realms: [Realm] = []
        var failure: LimitOutcome = .success
        ResourceLimit.descriptors.with(1_024) {
            for number in 0..<2_000 {
                failure = LimitOutcome {
                    let realm = try Realm(
                        configuration: .limits(
                            path("crowd-\(number).realm"), isEncrypted: number % 3 == 0))
                    if number % 7 == 0 { try realm.putNote(number) }
                    realms.append(realm)
                }
                if !failure.isSuccess { break }
            }
            figure("files open at 1,024 descriptors", realms.count)
            note("\(failure)")
            expect(!failure.isSuccess, "1,024 descriptors have no end.")
            if case .untyped = failure { find("Too many files: \(failure)") }
            // Those that are open go on.
            for (number, realm) in realms.enumerated() where number % 11 == 0 {
                let outcome = LimitOutcome { try realm.putNote(number) }
                expect(outcome.isSuccess, "A file that is open, without descriptors: \(outcome)")
            }
            realms.removeFirst(realms.count / 2)
            let outcome = LimitOutcome {
                try Realm(configuration: .limits(path("crowd-after.realm"))).putNote(1)
            }
            expect(outcome.isSuccess, "After half of the files were closed: \(outcome)")
        }
        realms = []
        liveWell("after the crowd", .limits(path("warm-false.realm")))
        settle(to: before, "the crowd", slack: 24 << 20)
    }
}
