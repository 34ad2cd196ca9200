import ArgumentParser

/// What a process does while it is killed.
enum KillWay: String, CaseIterable, ExpressibleByArgument {
    /// A thread with `write`.
    case sync
    /// A queue with `writeAsync`, each from the completion of the one before.
    case writeAsync = "write-async"
    /// Two tasks of an actor with `asyncWrite`, whose commits are grouped.
    case asyncWrite = "async-write"
    /// A thread that writes and reads in turns, with a pause after each, as a program does that
    /// waits for people.
    case paced
    /// A thread that saves drafts: as they are, merged with commits of the same process, nested.
    case draft
    /// Two actors with a draft each, which is saved without blocking them.
    case draftAsync = "draft-async"
    /// `Realm.compact()` again and again, between small writes.
    case compact
    /// Opening with `shouldCompactOnLaunch`, a write, closing.
    case launch
    /// `writeCopy` again and again, to another file each time.
    case copy
    /// Observed results, frozen realms that are held, reads.
    case observe
    /// Transactions that change every row of a large table.
    case large
    /// Opening with the next schema version, again and again.
    case migrate
    /// New files, every other one from a seed.
    case create

    /// What kind of file it needs.
    var kind: KilledFile.Kind {
        switch self {
        case .sync, .writeAsync, .asyncWrite, .paced, .draft, .draftAsync, .compact, .launch,
            .copy, .observe:
            .writers
        case .large: .large
        case .migrate: .versions
        case .create: .creations
        }
    }

    /// Whether it can do its work only while no other process has the file open.
    var wantsToBeAlone: Bool {
        self == .compact || self == .launch || self == .migrate || self == .create
    }
}
