import Freehold
import FreeholdTestSupport
import Testing

/// One sequence of a random test of drafts.
struct DraftRun {
    private let realm: Realm
    private var random: SeededGenerator
    private let names = ObjectNames()
    private var file: ModelEditor
    /// The draft, and the nested ones that are open.
    private var levels: [DraftModel] = []
    private(set) var statistics = Statistics()
    private var log: [String] = []
    /// Whether the model cannot follow any further.
    private var isOver = false

    struct Statistics {
        var silent = 0
        var settled = 0
        var refused = 0
        var undone = 0
        var nested = 0

        mutating func add(_ other: Statistics) {
            silent += other.silent
            settled += other.settled
            refused += other.refused
            undone += other.undone
            nested += other.nested
        }
    }

    /// Begins with an empty file.
    init(_ realm: Realm, _ random: SeededGenerator) throws {
        self.realm = realm
        self.random = random
        file = ModelEditor(realm: realm, names: names)
        try realm.write { realm.deleteAll() }
        try commit(atMost: 60)
        names.begin()
    }

    private mutating func commit(atMost count: Int) throws {
        realm.beginWrite()
        for _ in 0..<random.int(1...count) { file.edit(&random) }
        try realm.commitWrite()
    }

    mutating func play() throws {
        levels = [DraftModel(try realm.draft(), file.model, names)]
        for _ in 0..<random.int(4...24) {
            try step()
            if isOver { break }
            try check()
        }
        while let level = levels.popLast() { level.draft.discard() }
        try check()
    }

    private mutating func step() throws {
        guard let level = levels.last else { return }
        switch random.int(0...14) {
        case 0...3:
            // A nested draft may be open while its parent is edited.
            let edited = random.pick(levels)
            let count = random.int(1...6)
            log.append("\(count) edits of level \(edited === levels[0] ? 0 : 1)")
            if random.once(in: 4) {
                edited.draft.realm.beginWrite()
                edited.takeStep()
                for _ in 0..<count { edited.edit(&random) }
                try edited.draft.realm.commitWrite()
                edited.takeStep()
            } else {
                for _ in 0..<count { edited.edit(&random) }
            }
        case 4...5, 11:
            log.append("commit")
            try commit(atMost: 10)
        case 6:
            log.append("checkpoint")
            level.draft.checkpoint()
            level.takeStep()
        case 7, 12: try rebase(random.pick(levels))
        case 8, 13: try save(level)
        case 9: try undo(level)
        case 10: try redo(level)
        default:
            if levels.count > 1 {
                log.append("discard")
                names.remove(lostFrom: level.model, to: levels[levels.count - 2].model)
                levels.removeLast().draft.discard()
            } else {
                log.append("nest")
                level.draft.checkpoint()
                level.takeStep()
                levels.append(
                    DraftModel(try level.draft.draft(), level.model, names, parent: level))
                statistics.nested += 1
            }
        }
    }

    /// Ends the sequence at the first difference: all that follows would differ.
    private func check() throws {
        for (index, level) in levels.enumerated() {
            let difference = level.difference.map { "level \(index): \($0)" }
            try #require(difference == nil, "\(difference ?? "") \(comment)")
        }
        let difference = MergeModel(realm).difference(from: file.model.visible)
        try #require(difference == nil, "file: \(difference ?? "") \(comment)")
    }

    private var comment: Comment { Comment("seed \(random.seed): \(log.joined(separator: ", "))") }

    // MARK: Merging

    private mutating func rebase(_ level: DraftModel) throws {
        let theirs = level.parent?.model ?? file.model
        level.beginMerge()
        guard
            let merged = try merge(
                "rebase", level, .init(from: level.base, to: level.model), theirs: theirs,
                { try level.draft.rebase(resolving: $0) })
        else { return }
        level.endMerge(merged, base: theirs)
        noteMove(of: level)
    }

    private mutating func save(_ level: DraftModel) throws {
        let theirs = level.parent?.model ?? file.model
        level.beginMerge()
        if let parent = level.parent {
            parent.draft.checkpoint()
            parent.takeStep()
        }
        // Without edits, saving does nothing.
        let hasEdits = level.draft.hasChanges
        guard
            let merged = try merge(
                "save", level, .init(from: level.base, to: level.model), theirs: theirs,
                {
                    try level.draft.save(resolving: $0)
                    return hasEdits || level.difference != nil
                })
        else { return }
        if let parent = level.parent {
            isOver = names(of: merged, replaceDeletedOf: parent, with: level)
            parent.accept(merged)
        } else {
            file.model = merged
        }
        level.endMerge(merged, base: merged)
        realm.refresh()
        noteMove(of: level)
    }

    /// Whether a nested draft has added objects with names of objects that its parent deleted. To
    /// the model these are the same ones, edited.
    private func names(
        of merged: MergeModel, replaceDeletedOf parent: DraftModel, with nested: DraftModel
    ) -> Bool {
        parent.base.named.keys.contains {
            merged.named[$0] != nil && parent.model.named[$0] == nil
                && nested.base.named[$0] == nil
        }
    }

    private mutating func noteMove(of level: DraftModel) {
        for nested in levels where nested.parent === level { nested.isParentMoved = true }
        if levels.count == 1 { names.begin() }
    }

    private mutating func undo(_ level: DraftModel) throws {
        level.draft.checkpoint()
        level.takeStep()
        guard let step = level.nextUndo else {
            let isUndone = try level.draft.undo()
            return #expect(!isUndone, comment)
        }
        guard
            let new = try merge(
                "undo", level, step, theirs: level.model,
                { try level.draft.undo(resolving: $0) })
        else { return }
        level.didUndo(new)
        statistics.undone += 1
    }

    private mutating func redo(_ level: DraftModel) throws {
        level.draft.checkpoint()
        level.takeStep()
        guard let step = level.nextRedo else {
            let isRedone = try level.draft.redo()
            return #expect(!isRedone, comment)
        }
        guard
            let new = try merge(
                "redo", level, step, theirs: level.model,
                { try level.draft.redo(resolving: $0) })
        else { return }
        level.didRedo(new)
    }

    private typealias Resolver = (DraftConflict.Conflict) throws -> DraftConflict.Resolution?

    /// Runs an operation that returns whether it merged. Returns the merged model; nil if it did
    /// not merge, or was refused.
    private mutating func merge(
        _ name: String, _ level: DraftModel, _ step: DraftModel.Step, theirs: MergeModel,
        _ operation: (Resolver) throws -> Bool
    ) throws -> MergeModel? {
        var (base, mine) = (step.from, step.to)
        let resolution: DraftConflict.Resolution? = random.pick([.mine, .theirs, nil])
        let settled = resolution.map { "\($0)" } ?? "nil"
        log.append("\(name) of level \(level.parent == nil ? 0 : 1): \(settled)")
        var asked: [DraftConflict.Conflict] = []
        do {
            let isMerged = try operation {
                asked.append($0)
                return resolution
            }
            if !isMerged { return nil }
        } catch let conflict as DraftConflict {
            log.append("refused")
            statistics.refused += 1
            // To undo a step does not bring back what others deleted.
            let unsettled: Set<DraftConflict.Kind> = [.deletedByThem, .linkedByMe, .createdTwice]
            let isExpected =
                resolution == nil || conflict.conflicts.allSatisfy { unsettled.contains($0.kind) }
            try #require(isExpected, "\(comment) \(conflict)")
            return nil
        } catch let error as Realm.Error where error.code == .invalidInput {
            log.append("parent has moved")
            try #require(level.isParentMoved, "\(comment) \(error)")
            return nil
        }
        let read = MergeModel(level.draft.realm)
        func expectation(mineWins: Bool) -> MergeExpectation {
            var expectation = MergeExpectation(
                base: base, mine: mine, theirs: theirs, mineWins: mineWins, merged: read)
            // One that an undo brought back after a merge has the value that it had, which is no
            // increment of what others made of it.
            expectation.itemsWithoutCounter = { [names] in names.isRemoved("\($0)") }
            return expectation
        }
        if name == "undo" || name == "redo", base != theirs {
            let asksOfOwners = asked.contains {
                $0.kind == .deletedByThem && $0.object?.className == MergeBook.Owner.className()
            }
            forgetLeftOut(&base, &mine, theirs, read, asksOfOwners: asksOfOwners)
        }
        let rules = expectation(mineWins: resolution == .mine)
        for key in read.items.keys {
            let isConflict = asked.contains {
                $0.kind == .list && $0.object?.primaryKey == .int(Int(key))
                    && $0.property == "numbers"
            }
            let broken = rules.brokenListRule(of: key, isConflict: isConflict)
            try #require(broken == nil, "\(broken ?? "") \(comment)")
        }
        let result = rules.resultWithMergedLists()
        if asked.isEmpty {
            let other = expectation(mineWins: resolution != .mine).resultWithMergedLists()
            let difference = other.visible.difference(from: result.visible)
            try #require(difference == nil, "no conflict: \(difference ?? "") \(comment)")
            statistics.silent += 1
        } else {
            try #require(resolution != nil, comment)
            statistics.settled += 1
        }
        return result
    }

    /// An embedded object that an earlier merge left out, because others had deleted its owner,
    /// replaced it or set an equal one, is not part of the step any more.
    private func forgetLeftOut(
        _ base: inout MergeModel, _ mine: inout MergeModel, _ theirs: MergeModel,
        _ read: MergeModel, asksOfOwners: Bool
    ) {
        for label in base.owners.keys {
            if let owner = theirs.owners[label] {
                if read.owners[label]?.address == owner.address {
                    base.owners[label]?.address = mine.owners[label]?.address
                }
                // One that others put into the place of a deleted one, and that a merge kept, is
                // the deleted one, edited.
                let numbers = { (model: MergeModel) in
                    Set(model.owners[label]?.addresses.map(\.number) ?? [])
                }
                let (known, now) = (numbers(base).union(numbers(mine)), numbers(theirs))
                let streets = read.owners[label]?.addresses.map(\.street)
                if !now.isSubset(of: known), !known.isSubset(of: now),
                    streets == owner.addresses.map(\.street)
                {
                    base.owners[label]?.addresses = mine.owners[label]?.addresses ?? []
                }
            } else if !asksOfOwners {
                (base.owners[label], mine.owners[label]) = (nil, nil)
            }
        }
    }
}
