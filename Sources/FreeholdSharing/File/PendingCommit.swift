import Foundation
import FreeholdStorage

/// A commit of the outbox, in memory.
///
/// What is pushed is bytes: they are decoded only where others' commits have to do with them.
final class PendingCommit {
    let sequence: Int64
    let entry: SharedOutboxEntry
    private(set) lazy var commit = SharedCommit(decoding: entry.commit) ?? SharedCommit()

    /// Nil for an entry that only reserves its number. One that is damaged counts as one without
    /// changes.
    convenience init?(_ sequence: Int64, _ bytes: ContiguousArray<UInt8>) {
        if bytes.isEmpty { return nil }
        self.init(
            sequence,
            bytes.withUnsafeBytes { SharedOutboxEntry(decoding: $0) }
                ?? SharedOutboxEntry(
                    commit: SharedCommit().encoded(), undo: SharedCommit().encoded()))
    }

    init(_ sequence: Int64, _ entry: SharedOutboxEntry) {
        (self.sequence, self.entry) = (sequence, entry)
    }

    var undo: SharedCommit { SharedCommit(decoding: entry.undo) ?? SharedCommit() }

    /// Hashes of the objects that it changes or links to, or that its undo does.
    private(set) lazy var footprint: Set<Int> = {
        var hashes: Set<Int> = []
        commit.forEachObject { hashes.insert($0.hashValue) }
        undo.forEachObject { hashes.insert($0.hashValue) }
        return hashes
    }()

    func hasPayload(_ payload: Data) -> Bool {
        payload.withUnsafeBytes { pushed in
            entry.commit.withUnsafeBytes { Memory.isSame($0, pushed) }
        }
    }
}

/// The outbox as the last look at the file found it.
struct Outbox {
    private(set) var commits: ArraySlice<PendingCommit> = []
    /// The number after the last one that was looked at.
    private(set) var nextSequence: Int64 = 1
    /// How many commits touch an object, by its hash: of the first `countedCommits`.
    private var touched: [Int: Int] = [:]
    private var countedCommits = 0

    /// Reads what was added since. O(added), also the first time, however many commits the file
    /// ever made; where numbers are missing, O(commits of the outbox).
    mutating func load(_ table: TableID, from source: TableSource) {
        let end = source.nextRowKey(of: table)
        while nextSequence < end {
            let sequence = nextSequence
            guard let bytes = SharingTables.bytes(sequence, of: table, in: source) else {
                // Numbers that were reserved, or whose commits are in the log.
                nextSequence = source.table(table).firstKey(atOrAfter: sequence + 1) ?? end
                continue
            }
            nextSequence += 1
            if let added = PendingCommit(sequence, bytes) { commits.append(added) }
        }
    }

    mutating func removeFirst() {
        let removed = commits.removeFirst()
        if countedCommits == 0 { return }
        countedCommits -= 1
        for hash in removed.footprint {
            let count = touched[hash, default: 1] - 1
            touched[hash] = count == 0 ? nil : count
        }
    }

    /// Replaces the commits, without looking at the file.
    mutating func replace(_ others: some Sequence<PendingCommit>) {
        commits = ArraySlice(others)
        (touched, countedCommits) = ([:], 0)
    }

    /// Whether a commit has to do with objects that pending ones have to do with. O(its objects +
    /// those of pending commits that were added since the last such question).
    mutating func touches(_ commit: SharedCommit) -> Bool {
        for pending in commits.dropFirst(countedCommits) {
            for hash in pending.footprint { touched[hash, default: 0] += 1 }
        }
        countedCommits = commits.count
        if commits.isEmpty { return false }
        var isFound = false
        commit.forEachObject { if !isFound, touched[$0.hashValue] != nil { isFound = true } }
        return isFound
    }
}
