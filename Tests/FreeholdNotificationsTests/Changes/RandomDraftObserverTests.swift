import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Random edits of a draft, with groups, undo, rebasing and saving, while others commit: what each
/// observer knows, with its change sets applied, is always what there is, and no change set has
/// more than what differs.
@Suite struct RandomDraftObserverTests {
    @Test func whatIsKnownWithTheChangesIsWhatThereIs() throws {
        let first = Seed.random().seed
        for round in 0..<UInt64(Stress.rounds(15)) {
            try withObservatory { place in
                let model = try DraftModel(place, seed: first &+ round)
                try model.run()
            }
        }
    }
}

private final class DraftModel {
    typealias Item = ObservedModels.Item

    private struct Stop: Error {}

    private let place: Observatory
    private let seed: UInt64
    private let draft: Draft
    private var random: SeededGenerator
    private var mirrors: [ObservationMirror] = []
    private var sections: [any SectionMirroring] = []
    private var nextID = 100

    init(_ place: Observatory, seed: UInt64) throws {
        self.place = place
        self.seed = seed
        random = SeededGenerator(seed: seed)
        try place.writer.write {
            for id in 1...8 {
                place.writer.add(Item(id: id, name: "n\(id % 5)", rank: id * 7 % 100))
            }
        }
        place.realm.refresh()
        draft = try place.realm.draft()
    }

    func run() throws {
        observeResults()
        observeSections()
        place.scheduler.runAll()
        for step in 0..<30 {
            if step % 10 == 0 { observeSomeObject() }
            if try act() { verify() }
        }
        place.scheduler.runAll()
        verify()
        for mirror in mirrors { mirror.token?.invalidate() }
        sections = []
    }

    /// Verifies what observers know that have been told of everything. Objects that were deleted,
    /// and their collections, are not observed any more: an undo brings others.
    private func verify() {
        for mirror in mirrors where mirror.isBegun { mirror.verify(seed) }
        for mirror in sections { mirror.verify() }
        mirrors.removeAll { mirror in
            if mirror.isGone { mirror.token?.invalidate() }
            return mirror.isGone
        }
    }

    // MARK: Acting

    /// Does something. Returns whether the observers were told of everything.
    private func act() throws -> Bool {
        let isTold: Bool
        switch random.int(0...15) {
        case 0...3:
            edit()
            isTold = false
        case 4:
            draft.checkpoint()
            isTold = true
        case 5, 6:
            try editInGroup()
            isTold = true
        case 7:
            #expect(throws: Stop.self) {
                try draft.realm.write {
                    edit()
                    throw Stop()
                }
            }
            isTold = true
        case 8: isTold = try mayConflict { try draft.undo(resolving: $0) }
        case 9: isTold = try mayConflict { try draft.redo(resolving: $0) }
        case 10:
            try editElsewhere()
            isTold = false
        case 11:
            try editElsewhere()
            isTold = try mayConflict { try draft.rebase(resolving: $0) }
        case 12:
            let hasChanges = draft.hasChanges
            isTold = try mayConflict {
                try draft.save(resolving: $0)
                return hasChanges
            }
        case 13:
            isTold = try editInNestedDraft()
        case 14:
            draft.realm.refresh()
            isTold = true
        default:
            place.scheduler.runAll()
            isTold = true
        }
        return isTold
    }

    private func edit() {
        var generator = SeededGenerator(seed: random.next())
        if random.once(in: 40) { draft.realm.deleteAll() }
        ObservationModel.change(draft.realm, nextID, &generator)
        nextID += 1
    }

    private func editInGroup() throws {
        let skipped = random.once(in: 2) ? mirrors.filter { $0.isBegun }.prefix(2) : []
        let tokens = skipped.compactMap(\.token)
        try draft.realm.write(withoutNotifying: tokens) { edit() }
        for mirror in skipped { mirror.resynchronize() }
    }

    /// Others add objects that the draft does not know, and change any. They add no embedded
    /// objects: these take the row keys of the draft's, and replace equal ones, which the mirrors
    /// cannot tell from a change of nothing.
    private func editElsewhere() throws {
        var generator = SeededGenerator(seed: random.next())
        try place.writer.write {
            ObservationModel.change(
                place.writer, 10_000 + nextID, &generator, addsParts: false)
        }
        nextID += 1
    }

    private func editInNestedDraft() throws -> Bool {
        var generator = SeededGenerator(seed: random.next())
        let inner = try draft.draft()
        ObservationModel.change(inner.realm, nextID, &generator)
        nextID += 1
        return try mayConflict {
            try inner.save(resolving: $0)
            return true
        }
    }

    /// What conflicts in a way that cannot be settled changes nothing.
    private func mayConflict(
        _ body: (DraftConflict.Resolution) throws -> Bool
    ) throws -> Bool {
        do {
            return try body(random.once(in: 2) ? .mine : .theirs)
        } catch is DraftConflict {
            draft.realm.refresh()
            return true
        }
    }

    // MARK: Observers

    private func observeResults() {
        let items = draft.objects(Item.self)
        func observe<C: RealmCollection>(
            _ name: String, _ collection: C, _ keyPaths: [String]? = nil,
            _ content: @escaping (Item) -> Int = Fingerprints.everything
        ) where C.Element == Item {
            mirrors.append(
                CollectionMirror(name, collection, keyPaths: keyPaths, seed: seed) {
                    Entry(identity: "\($0.id)", content: content($0))
                })
        }
        observe("all", items)
        observe("filtered", items.where { $0.rank > 40 })
        observe("sorted", items.sorted(by: \.name))
        observe("through a link", items.where { $0.next.rank > 30 })
        observe("names", items, ["name"], Fingerprints.name)
        observe("next ranks", items.sorted(by: \.rank), ["next.rank"], Fingerprints.rankOfNext)
        observe("members", items.where { $0.rank < 60 }, []) { _ in 0 }
    }

    private func observeSections() {
        let items = draft.objects(Item.self)
        sections = [
            SectionMirror(
                "by name", seed, items.sectioned(by: \.name, sortDescriptors: ["name", "rank"])
            ) { ["\(Fingerprints.everything($0))"] },
            SectionMirror(
                "names alone", seed,
                items.sectioned(by: { $0.rank % 3 }, sortDescriptors: ["rank"]),
                keyPaths: ["name"]
            ) { [$0.name] },
        ]
    }

    private func observeSomeObject() {
        guard let item = draft.objects(Item.self).randomElement(using: &random) else { return }
        let id = item.id
        func observe<C: RealmCollection>(
            _ name: String, _ collection: C, _ entry: @escaping (C.Element) -> Entry
        ) {
            mirrors.append(
                CollectionMirror(
                    "\(name) of \(id)", collection, keyPaths: nil, seed: seed, replaces: true,
                    entry))
        }
        mirrors.append(ObjectMirror("object \(id)", item, seed: seed))
        observe("children", item.children) {
            Entry(identity: "\($0.id)", content: Fingerprints.everything($0))
        }
        observe("numbers", item.numbers) { Entry(identity: "\($0)", content: 0) }
        observe("tags", item.tags) { Entry(identity: $0, content: 0) }
        mirrors.append(
            CollectionMirror("previous of \(id)", item.previous, keyPaths: nil, seed: seed) {
                Entry(identity: "\($0.id)", content: Fingerprints.everything($0))
            })
        mirrors.append(MapMirror("marks of \(id)", item.marks, seed: seed))
    }
}
