import Foundation
import Freehold
import FreeholdSharing
import PostgresServer
import Synchronization

/// What the works share: seven properties of common types.
final class SharedItem: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var name: String
    @Persisted(indexed: true) var sku: String
    @Persisted var count: Int
    @Persisted var price: Double
    @Persisted var added: Date
    @Persisted var isActive: Bool

    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    convenience init(number: Int) {
        self.init()
        name = "An item with the number \(number)"
        sku = "sku-\(number &* 2_654_435_761 % 1_000_000_007)"
        count = number
        price = Double(number) / 4
        added = Date(timeIntervalSince1970: Double(number))
        isActive = number % 3 == 0
    }
}

extension Bench {
    /// Commits a second that a file with 20,000 pending ones pushes, from its opening on, which
    /// neither of the two rates has, beside the bare program with batches and payloads of that
    /// size: turn by turn.
    func sharedPush() async throws {
        let count = 20_000
        var (bare, own, opening, sizes): ([Double], [Double], [Double], [Int]) = ([], [], [], [])
        for _ in 1...7 {
            let realm = try await makeRealm()
            let writer = try await open(realm, "pusher")
            await writer.close()
            let items = try await SharedItems(writer)
            for number in 0..<count { try await items.write(number) }
            let start = ContinuousClock.now
            let again = try await share(realm, "pusher")
            let opened = ContinuousClock.now
            try await again.synchronize()
            own.append(Double(count) / (ContinuousClock.now - opened).inSeconds)
            opening.append((opened - start).inSeconds)
            await again.close()
            let size = try await server.query(
                "SELECT avg(length(payload))::int FROM freehold.commit "
                    + "WHERE realm = (SELECT id FROM freehold.realm WHERE name = '\(realm)')")
            sizes.append(Int(size) ?? 0)
            bare.append(try await bareRate(batch: 1000, seconds: 1, size: sizes.median))
        }
        let ratios = zip(own, bare).map { $0 / $1 }
        print(
            "\(count) commits of \(sizes.median) bytes: bare \(short(bare.median))/s, SharedRealm "
                + "\(short(own.median))/s, ratio \(short(ratios.median)) "
                + "(\(ratios.sorted().map(short))); bar: 0.5; opening "
                + "\(short(opening.median * 1000)) ms")
    }

    /// 100,000 commits of another client applied by a file that has none: each changes one of
    /// 10,000 objects, or adds one.
    func sharedCatchUp() async throws {
        let realm = try await makeRealm()
        let writer = try await open(realm, "writer")
        let count = 100_000
        let written = ContinuousClock.now
        do {
            let file = try await SharedItems(writer)
            for number in 0..<count { try await file.write(number) }
        }
        let pushed = ContinuousClock.now
        try await writer.synchronize()
        print(
            "written in \(short((pushed - written).inSeconds)) s, then pushed in "
                + "\(short((ContinuousClock.now - pushed).inSeconds)) s")
        await writer.close()
        var times: [Double] = []
        for round in 1...5 {
            let start = ContinuousClock.now
            let reader = try await open(realm, "reader-\(round)")
            try await reader.synchronize()
            times.append((ContinuousClock.now - start).inSeconds)
            if reader.status.applied < count { print("Only \(reader.status)") }
            await reader.close()
        }
        print("\(count) commits caught up in \(times.map(short)) s; bar: 10")
    }

    /// From `write` of one client to the observer of another one.
    func sharedVisibility() async throws {
        let realm = try await makeRealm()
        let writer = try await open(realm, "writer")
        let reader = try await open(realm, "reader")
        let items = try await SharedItems(writer)
        try await items.write(0)
        try await writer.synchronize()
        try await reader.synchronize()
        let observer = Observer(reader.configuration)
        let count = 300
        for pause in [0, 20] {
            var times: [Double] = []
            for number in 1...count {
                if pause > 0 { try await Task.sleep(for: .milliseconds(pause)) }
                let start = ContinuousClock.now
                let value = 100_000 * (pause + 1) + number
                try await items.setCount(value)
                let seen = await observer.wait(for: value)
                times.append((seen - start).inSeconds * 1000)
            }
            times.sort()
            print(
                "pause \(pause) ms: observed after \(short(times[count / 2])) ms (median), "
                    + "\(short(times[count * 95 / 100])) (95 %), \(short(times[count - 1])) "
                    + "(longest); bar: median 20")
        }
        observer.stop()
        await writer.close()
        await reader.close()
    }

    /// A new file from the snapshot of a realm of 1 M objects, opened, beside `cp` of that file.
    func sharedSeed() async throws {
        let realm = try await makeRealm()
        let writer = try await open(realm, "writer")
        let items = try await SharedItems(writer)
        for part in 0..<100 { try await items.add(part * 10_000..<(part + 1) * 10_000) }
        try await writer.synchronize()
        try await writer.makeSnapshot()
        await writer.close()
        try await server.query("CHECKPOINT")
        var copies: [Double] = []
        var openings: [Double] = []
        var seeds: [Double] = []
        var size = 0
        for round in 1...7 {
            let start = ContinuousClock.now
            let reader = try await open(realm, "reader-\(round)")
            let opened = ContinuousClock.now
            seeds.append((opened - start).inSeconds)
            try await reader.synchronize()
            let count = try count(reader.configuration)
            if count != 1_000_000 { print("Only \(count) objects") }
            await reader.close()
            let path = path("reader-\(round)")
            size = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped).count
            let copy = path + ".copy"
            copies.append(try await time { try await copyFile(path, to: copy) })
            var configuration = reader.configuration
            configuration.fileURL = URL(fileURLWithPath: copy)
            openings.append(try await time { _ = try self.count(configuration) })
            for configuration in [configuration, reader.configuration] {
                _ = try Realm.deleteFiles(for: configuration)
            }
        }
        let ratios = zip(seeds, copies).map { $0 / $1 }
        let opened = zip(seeds, zip(copies, openings)).map { $0 / ($1.0 + $1.1) }
        print(
            "\(size >> 20) MB: seeded and opened in \(short(seeds.median)) s, cp and sync in "
                + "\(short(copies.median)) s, ratio \(short(ratios.median)) "
                + "(\(ratios.sorted().map(short))); bar: 2; opening the copy "
                + "\(short(openings.median)) s, ratio to a copy that is opened "
                + "\(short(opened.median)) (\(opened.sorted().map(short)))")
    }

    private func count(_ configuration: Realm.Configuration) throws -> Int {
        try Realm(configuration: configuration).objects(SharedItem.self).count
    }

    private func path(_ name: String) -> String {
        server.directory.appendingPathComponent("\(name).realm").path
    }

    private func open(_ realm: String, _ name: String) async throws -> SharedRealm {
        let path = path(name)
        _ = try? Realm.deleteFiles(
            for: Realm.Configuration(fileURL: URL(fileURLWithPath: path)))
        return try await share(realm, name)
    }

    /// As the file is.
    private func share(_ realm: String, _ name: String) async throws -> SharedRealm {
        try await SharedRealm(
            Realm.Configuration(
                fileURL: URL(fileURLWithPath: path(name)), objectTypes: [SharedItem.self]),
            upstream: upstream, name: realm)
    }
}

/// Writes the items of a file.
actor SharedItems {
    private let realm: Realm
    private var items: [SharedItem] = []

    init(_ shared: SharedRealm) async throws {
        realm = try await Realm.open(configuration: shared.configuration)
    }

    /// One commit: adds an object, or changes one of the first 10,000.
    func write(_ number: Int) throws {
        try realm.write {
            if number < 10_000 || number % 10 == 0 {
                let item = SharedItem(number: number)
                realm.add(item)
                if number < 10_000 { items.append(item) }
            } else {
                let item = items[number * 7 % items.count]
                item.count = number
                item.name = "Changed by the commit \(number)"
            }
        }
    }

    func setCount(_ value: Int) throws { try realm.write { items[0].count = value } }

    func add(_ numbers: Range<Int>) throws {
        try realm.write {
            for number in numbers { realm.add(SharedItem(number: number)) }
        }
    }
}

/// Observes the only item of a file on a queue.
final class Observer: Sendable {
    private let queue = DispatchQueue(label: "observer")
    private let values: AsyncStream<(Int, ContinuousClock.Instant)>
    private let token = Mutex<NotificationToken?>(nil)

    init(_ configuration: Realm.Configuration) {
        let (values, continuation) = AsyncStream<(Int, ContinuousClock.Instant)>.makeStream()
        self.values = values
        queue.sync {
            guard let realm = try? Realm(configuration: configuration, queue: queue) else { return }
            let made = realm.objects(SharedItem.self).observe { change in
                guard case .update(let items, _, _, let modified) = change, !modified.isEmpty
                else { return }
                continuation.yield((items[modified[0]].count, .now))
            }
            token.withLock { $0 = made }
        }
    }

    /// When a value was observed.
    func wait(for value: Int) async -> ContinuousClock.Instant {
        for await (seen, time) in values where seen == value { return time }
        return .now
    }

    func stop() { queue.sync { token.withLock { $0 = nil } } }
}
