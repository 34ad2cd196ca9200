@testable import FreeholdSharing
@testable import FreeholdStorage
import FreeholdTestSupport

/// A client of the simulation: the core, its file, and what the program would do.
final class SimulatedClient {
    let store: Store
    private(set) var core: SharingCore
    var underway: SharingCall?
    private(set) var requests: Set<UInt64> = []
    private(set) var acknowledged = 0
    private(set) var unknown = 0
    /// What each of the program's commits inserted, and nobody deletes.
    private var marks: [(sequence: Int64, object: SharedReference)] = []
    private var markCount = 0
    private let number: Int
    private var random: SeededGenerator
    private let options: SharingOptions

    /// What shared writes count in.
    static let ledger = SharedReference("Named", .text(ContiguousArray("ledger".utf8)))

    init(
        _ number: Int, _ folder: StoreFolder, _ options: SharingOptions, _ random: SeededGenerator
    ) throws {
        self.number = number
        self.random = random
        self.options = options
        store = try folder.open("client\(number)")
        // Not all programs have all classes.
        if number < 2 { try store.write { SharedWorld.addClasses(to: $0) } }
        core = SharingCore(
            try SharedFile(store, name: Simulation.realm, key: nil), options, random: random)
    }

    static let options: SharingOptions = {
        var options = SharingOptions()
        (options.pushCount, options.reservedCount, options.snapshotPatience) = (3, 2, 5)
        return options
    }()

    var hasRequests: Bool { !requests.isEmpty }

    func write(_ random: inout SeededGenerator) throws {
        if try store.newestSnapshot().catalog["Thing"] == nil { return }
        markCount += 1
        let object = SharedReference(
            "Named", .text(ContiguousArray("mark \(number) \(markCount)".utf8)))
        try store.write { writeSet in
            try SharedWorld.change(writeSet, &random)
            var commit = SharedCommit()
            commit.inserted = [.init(object, [:])]
            commit.define(by: writeSet.catalog)
            _ = try SharedApplier(writeSet).apply(commit)
        }
        let outbox = try core.file.tables(of: try store.newestSnapshot()).outbox
        let sequence = try store.newestSnapshot().table(outbox).allKeys.last
        marks.append((sequence ?? 0, object))
    }

    func takeNewIdentity() throws {
        try core.takeNewIdentity()
        // What is pending has other numbers now, and what was not is no longer the file's own.
        marks = []
    }

    /// The first commit that is lost without a rejection that says so. A rejection has the number
    /// of the first commit that was lost with it, and not how many: it stands for all later ones.
    func untoldLoss(in model: SharedModel) throws -> Int64? {
        let lost = marks.filter { model.objects[$0.object] == nil }.map(\.sequence)
        let told = try core.file.rejections().map(\.record).filter { $0.reason == .lostByServer }
            .map(\.clientSequence)
        return lost.first { sequence in !told.contains { $0 <= sequence } }
    }

    func request(deadline: Double?) { requests.insert(core.request(deadline: deadline)) }

    func runBlock(_ id: UInt64, _ random: inout SeededGenerator) throws {
        let draft = store.draft(on: try store.newestSnapshot())
        if draft.catalog["Named"] == nil { return core.blockFinished(id, nil) }
        let rows = SharedRows(draft)
        var commit = SharedCommit()
        guard let table = rows.table("Named"), let column = table["int"] else {
            return core.blockFinished(id, nil)
        }
        if let row = try rows.row(of: Self.ledger, in: table) {
            var next = SharedValue.integer(1)
            if case .integer(let count) = rows.value(row, column, of: table) {
                next = .integer(count + 1)
            }
            commit.updated = [.init(Self.ledger, ["int": .assign(next)])]
        } else {
            commit.inserted = [.init(Self.ledger, ["int": .integer(1)])]
        }
        commit.define(by: draft.catalog)
        _ = try SharedApplier(draft).apply(commit)
        try SharedWorld.change(draft, &random)
        core.blockFinished(id, try SharedCapture(draft).capture(path: "")?.commit)
    }

    func takeEvents() {
        for case .finished(let id, let result) in core.takeEvents() {
            requests.remove(id)
            switch result {
            case .success(let number): if number > 0 { acknowledged += 1 }
            case .failure(let error): if error.code == .outcomeUnknown { unknown += 1 }
            }
        }
    }

    /// The process ends and begins again.
    func restart() throws {
        takeEvents()
        unknown += requests.count
        requests = []
        underway = nil
        // Other numbers than before: tokens are used once.
        let generator = SeededGenerator(seed: random.next())
        core = SharingCore(
            try SharedFile(store, name: Simulation.realm, key: nil), options, random: generator)
    }

    /// S(n).
    func serverModel() throws -> SharedModel {
        let draft = store.draft(on: try store.newestSnapshot())
        try core.file.loadOutbox()
        let applier = SharedApplier(draft)
        for pending in core.file.outbox.commits.reversed() { _ = try applier.apply(pending.undo) }
        return SharedModel(of: draft)
    }

    func rejectedObjects() throws -> Set<RejectedObject> {
        var found: Set<RejectedObject> = []
        for (_, record) in try core.file.rejections() {
            guard let commit = SharedCommit(decoding: record.commit) else { continue }
            for update in commit.updated {
                found.insert(
                    RejectedObject(sequence: record.clientSequence, object: update.object))
            }
        }
        return found
    }
}
