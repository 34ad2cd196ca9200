import Freehold
import FreeholdWorkload

/// Saves a draft again and again, in each way in turn. Each save is a transaction of one writer.
struct DraftSaves {
    enum Kind: CaseIterable {
        /// The file is as the draft's base.
        case alone
        /// The process has committed meanwhile.
        case merged
        /// By a draft of the draft.
        case nested
        /// Edits that were undone and done again, over the save before.
        case redone
    }

    private let draft: Draft
    private let writer: Int
    /// The writer of what is committed meanwhile.
    private let other: Int
    private var count = 0

    init(_ draft: Draft, writer: Int, other: Int) {
        (self.draft, self.writer, self.other) = (draft, writer, other)
    }

    /// The next save. Reports what is on the disk when it is.
    mutating func next(_ realm: Realm, _ reporter: Reporter) throws {
        let kind = Kind.allCases[count % Kind.allCases.count]
        count += 1
        let start = monotonicNanoseconds()
        try draft.rebase()
        let number: Int
        switch kind {
        case .alone: number = Workload.change(draft.realm, writer)
        case .merged:
            number = Workload.change(draft.realm, writer)
            let written = try realm.write { Workload.change(realm, other) }
            reporter.acknowledge(other, written, since: start)
        case .nested:
            let inner = try draft.draft()
            number = Workload.change(inner.realm, writer)
            try inner.save()
        case .redone:
            draft.checkpoint()
            number = Workload.change(draft.realm, writer)
            draft.checkpoint()
            try draft.undo()
            try draft.redo()
        }
        try draft.save()
        reporter.acknowledge(writer, number, since: start)
    }
}

extension KillWork {
    func saveDrafts() throws {
        let realm = try Realm(configuration: open(nil))
        var saves = DraftSaves(try realm.draft(), writer: writer, other: writer + 1)
        while !reporter.isStopped { try saves.next(realm, reporter) }
    }

    private actor Editor {
        private var draft: Draft?

        func open(_ configuration: Realm.Configuration) async throws {
            draft = try await Realm.open(configuration: configuration).draft()
        }

        func save(_ writer: Int) async throws -> Int {
            guard let draft else { return 0 }
            try draft.rebase()
            let number = Workload.change(draft.realm, writer)
            try await draft.save()
            return number
        }
    }

    func saveDraftsWithoutBlocking() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in writer..<writer + 2 {
                group.addTask {
                    let editor = Editor()
                    try await editor.open(open(nil))
                    while !reporter.isStopped {
                        let start = monotonicNanoseconds()
                        reporter.acknowledge(writer, try await editor.save(writer), since: start)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
