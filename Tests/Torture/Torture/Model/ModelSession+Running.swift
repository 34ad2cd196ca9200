import Foundation
import Freehold

extension ModelSession {
    /// Runs the sequence, and what belongs to the end of each.
    ///
    /// - Returns: What is not as it should be; nil if everything is.
    @ModelActor func run() async -> String? {
        var number = 0
        do {
            for (index, operation) in sequence.operations.enumerated() {
                number = index
                trace?("\(index): \(operation.name)")
                try await perform(operation)
                try throwDifferences()
            }
            number = sequence.operations.count
            trace?("\(number): end")
            try end()
            try throwDifferences()
            return nil
        } catch let difference as ModelDifference {
            return "after operation \(number): \(difference)"
        } catch {
            return "after operation \(number): an error was thrown: \(error)"
        }
    }

    @ModelActor private func perform(_ operation: ModelOperation) async throws {
        if operation.name == .asyncWrite { return try await asyncWrite(operation) }
        if operation.name == .migrate { try await letGo() }
        if operation.name.isChange { return try change(operation) }
        switch operation.name {
        case .begin, .commit, .commitSkipping, .cancel, .throwingWrite, .emptyWrite:
            try transact(operation)
        case .writeAsync, .groupAsync, .cancelAsync, .drain: try performAsync(operation)
        case .query, .slice, .sections, .aggregates, .values, .find:
            let place =
                open.map { operation.d % 2 == 0 ? $0.place : operation.d % 3 } ?? operation.d % 3
            try ModelReading(realm: realm(place), model: model(of: place), trace: trace).perform(
                operation)
        case .look: try verifyAll()
        case .observeResults, .observeObject, .observeCollection, .observeMap, .observeSections,
            .observeProjection, .observeRealm, .stopObserving:
            try observe(operation)
        case .step, .deliver: try deliver(operation)
        case .refresh, .autorefresh, .freeze, .lookFrozen, .thaw, .release, .reference:
            try move(operation)
        case .invalidate, .close, .reopen, .compact, .copy, .migrate, .check: try live(operation)
        case .peerWrite, .peerRead, .peerHold, .peerRelease, .peerKill, .peerKillInTransaction:
            try askPeer(operation)
        default: break
        }
    }

    /// Closes everything, what waits for the thread included: it keeps the realm of the thread
    /// open.
    @ModelActor private func letGo() async throws {
        if open != nil { return }
        try drainAll()
        try closePeer()
        // What is to be migrated must be there.
        _ = try realm(0)
        closeAll()
        for _ in 0..<3 { await Task.yield() }
    }

    private func end() throws {
        if open != nil { try commit() }
        try drainAll()
        for place in 0..<2 { try deliverEverything(place) }
        try verifyAll()
        try verifyHolds()
        let problems = try realm(0).check()
        if !problems.isEmpty {
            throw ModelDifference("check() says: \(problems.joined(separator: "; "))")
        }
        if peerHold != nil { try releasePeerHold() }
        closeAll()
        for place in places.indices { places[place].lastTime = 0 }
        try verifyNewest(0)
        let problemsOfReopened = try realm(0).check()
        if !problemsOfReopened.isEmpty {
            throw ModelDifference(
                """
                check() says, when the file is opened again: \
                \(problemsOfReopened.joined(separator: "; "))
                """
            )
        }
        closeAll()
    }

    /// Releases everything of the file.
    func closeAll() {
        for mirror in mirrors { mirror.token?.invalidate() }
        mirrors = []
        holds = []
        for place in places.indices { close(place) }
    }

    func close(_ place: Int) {
        for mirror in mirrors where mirror.place == place { mirror.token?.invalidate() }
        mirrors.removeAll { $0.place == place }
        places[place].scheduler?.runAll()
        places[place].realm = nil
        places[place].scheduler?.runAll()
    }
}

// MARK: - Transactions

extension ModelSession {
    private struct Refused: Error {}

    func change(_ operation: ModelOperation) throws {
        if let open { return try open.changes.apply(operation) }
        let place = operation.d % 3
        trace?("    realm \(place).write")
        try begin(place)
        try open?.changes.apply(operation)
        try commit()
    }

    func begin(_ place: Int) throws {
        try drainAll(except: place)
        let realm = try realm(place)
        realm.beginWrite()
        if time(of: place) != head.time {
            let found = time(of: place)
            realm.cancelWrite()
            throw ModelDifference(
                "a transaction of realm \(place) began on version \(found), not \(head.time)")
        }
        open = (place, ModelChanges(head, realm: realm, lastTicket: lastTicket, trace: trace))
    }

    func commit(skipping mirror: ModelMirror? = nil) throws {
        guard let ended = open else { return }
        ended.changes.finish()
        open = nil
        advance(to: ended.changes.model)
        try realm(ended.place).commitWrite(withoutNotifying: mirror?.token.map { [$0] } ?? [])
        mirror?.resynchronize()
        try verifyNewest(ended.place)
    }

    fileprivate func transact(_ operation: ModelOperation) throws {
        switch operation.name {
        case .begin:
            if open != nil { return }
            trace?("    realm \(operation.a % 3).beginWrite()")
            try begin(operation.a % 3)
        case .commit:
            try commit()
        case .commitSkipping:
            guard let open else { return }
            let candidates = mirrors.filter { $0.place == open.place && $0.isBegun }
            let skipped = candidates.isEmpty ? nil : candidates[operation.a % candidates.count]
            trace?(
                """
                    realm \(open.place).commitWrite(withoutNotifying: \
                \(skipped?.name ?? "none"))
                """
            )
            try commit(skipping: skipped)
        case .cancel:
            guard let ended = open else { return }
            trace?("    realm \(ended.place).cancelWrite()")
            open = nil
            try realm(ended.place).cancelWrite()
            try verifyNewest(ended.place)
        case .throwingWrite:
            if open != nil { return }
            let place = operation.a % 3
            try drainAll(except: place)
            let realm = try realm(place)
            trace?("    realm \(place).write, which throws at its end")
            do {
                try realm.write {
                    let changes = ModelChanges(
                        head, realm: realm, lastTicket: lastTicket, trace: trace)
                    open = (place, changes)
                    for change in ModelOperation.changes(
                        1 + operation.b % 6, from: operation.c, local: true)
                    { try changes.apply(change) }
                    try verify(place)
                    open = nil
                    throw Refused()
                }
            } catch is Refused {}
            try verifyNewest(place)
        default:
            if open != nil { return }
            let place = operation.a % 3
            try drainAll(except: place)
            try realm(place).write {}
            try verifyNewest(place)
        }
    }
}

// MARK: - Asynchronous writes

extension ModelSession {
    /// Whether asynchronous writes of a realm wait, or are on their way to the disk.
    func isBusy(_ place: Int) -> Bool {
        places[place].realm?.isPerformingAsynchronousWriteOperations ?? false
    }

    /// Lets the asynchronous writes of a realm run to their end.
    func drain(_ place: Int) throws {
        guard let scheduler = places[place].scheduler else { return }
        // The turn of a write that was cancelled is given back there, too.
        scheduler.runAll()
        while isBusy(place) {
            if !scheduler.waitForWork(until: Date(timeIntervalSinceNow: 30)) {
                throw ModelDifference(
                    "the asynchronous writes of realm \(place) have not ended after 30 s")
            }
            scheduler.runAll()
        }
        asyncIDs.removeAll { $0.place == place }
        try throwDifferences()
    }

    /// What other writers have to wait for, who would wait for ever: all realms are on one thread.
    func drainAll(except place: Int? = nil) throws {
        for other in places.indices where other != place && open?.place != other {
            try drain(other)
        }
    }

    fileprivate func performAsync(_ operation: ModelOperation) throws {
        let place = operation.a % 2
        switch operation.name {
        case .drain:
            if open == nil { try drainAll() }
        case .cancelAsync:
            guard let last = asyncIDs.popLast(), let realm = places[last.place].realm, open == nil
            else { return }
            trace?("    realm \(last.place).cancelAsyncWrite(\(last.id))")
            try realm.cancelAsyncWrite(last.id)
        default:
            if open != nil { return }
            try drainAll(except: place)
            let realm = try realm(place)
            let count = operation.name == .groupAsync ? 2 + operation.b % 2 : 1
            for number in 0..<count {
                let (seed, many) = (operation.c &+ number &* 7919, 1 + operation.d % 4)
                let isCancelled = operation.name == .groupAsync && seed % 4 == 1
                trace?(
                    """
                        realm \
                    \(place).\(operation.name == .groupAsync ? "beginAsyncWrite" : "writeAsync")
                    """
                )
                let id =
                    operation.name == .writeAsync
                    ? realm.writeAsync(
                        { [self] in runAsync(place, many, seed) },
                        onComplete: { [self] in completed(place, $0) })
                    : realm.beginAsyncWrite { [self] in
                        if isCancelled {
                            let before = head
                            runAsync(place, many, seed, isKept: false)
                            realm.cancelWrite()
                            head = before
                        } else {
                            runAsync(place, many, seed)
                            realm.commitAsyncWrite(allowGrouping: true) { [self] in
                                completed(place, $0)
                            }
                        }
                    }
                asyncIDs.append((place, id))
            }
        }
    }

    private func completed(_ place: Int, _ error: (any Error)?) {
        if let error {
            differences.append("an asynchronous write of realm \(place) ended with \(error)")
        }
    }

    /// The block of an asynchronous write.
    private func runAsync(_ place: Int, _ count: Int, _ seed: Int, isKept: Bool = true) {
        trace?("    the asynchronous block of realm \(place) runs")
        guard let realm = places[place].realm else {
            return differences.append("an asynchronous write runs without its realm")
        }
        if time(of: place) != head.time {
            return differences.append(
                """
                an asynchronous write of realm \(place) began on version \
                \(time(of: place)), not \(head.time)
                """
            )
        }
        let changes = ModelChanges(head, realm: realm, lastTicket: lastTicket, trace: trace)
        do {
            for change in ModelOperation.changes(count, from: seed, local: true) {
                try changes.apply(change)
            }
            changes.finish()
            if isKept { advance(to: changes.model) }
        } catch {
            differences.append("in an asynchronous write of realm \(place): \(error)")
        }
    }

    /// With the realm of the thread, which is an executor's: the only one that has `asyncWrite`.
    @ModelActor fileprivate func asyncWrite(_ operation: ModelOperation) async throws {
        if open != nil { return }
        try drainAll()
        let realm = try realm(2)
        trace?("    await realm 2.asyncWrite")
        do {
            try await realm.asyncWrite {
                if time(of: 2) != head.time {
                    throw ModelDifference(
                        "asyncWrite began on version \(time(of: 2)), not \(head.time)")
                }
                let changes = ModelChanges(head, realm: realm, lastTicket: lastTicket, trace: trace)
                for change in ModelOperation.changes(
                    1 + operation.b % 5, from: operation.c, local: true)
                { try changes.apply(change) }
                if operation.d % 4 == 1 { throw Refused() }
                changes.finish()
                advance(to: changes.model)
            }
        } catch is Refused {}
        try verifyNewest(2)
    }
}
