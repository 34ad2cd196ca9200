import FreeholdStorage

/// A commit of the outbox, in memory.
struct PendingCommit {
    let sequence: Int64
    var entry: SharedOutboxEntry
    let commit: SharedCommit
    /// Hashes of the objects that it changes or links to, or that its undo does.
    let footprint: Set<Int>

    /// Nil for an entry that only reserves its number. One that is damaged counts as one without
    /// changes.
    init?(_ sequence: Int64, _ bytes: ContiguousArray<UInt8>) {
        if bytes.isEmpty { return nil }
        self.sequence = sequence
        entry =
            bytes.withUnsafeBytes { SharedOutboxEntry(decoding: $0) }
            ?? SharedOutboxEntry(
                commit: SharedCommit().encoded(), undo: SharedCommit().encoded())
        commit = SharedCommit(decoding: entry.commit) ?? SharedCommit()
        let undo = SharedCommit(decoding: entry.undo) ?? SharedCommit()
        var hashes: Set<Int> = []
        commit.forEachObject { hashes.insert($0.hashValue) }
        undo.forEachObject { hashes.insert($0.hashValue) }
        footprint = hashes
    }

    var undo: SharedCommit { SharedCommit(decoding: entry.undo) ?? SharedCommit() }
}

/// The outbox as the last look at the file found it.
struct Outbox {
    private(set) var commits: ArraySlice<PendingCommit> = []
    /// The number after the last one that was looked at.
    private(set) var nextSequence: Int64 = 1
    /// How many commits touch an object, by its hash.
    private var touched: [Int: Int] = [:]

    /// Reads what was added since. O(added).
    mutating func load(_ table: TableID, from source: TableSource) {
        let end = source.nextRowKey(of: table)
        while nextSequence < end {
            let sequence = nextSequence
            nextSequence += 1
            if let bytes = SharingTables.bytes(sequence, of: table, in: source),
                let added = PendingCommit(sequence, bytes)
            {
                append(added)
            }
        }
    }

    mutating func append(_ added: PendingCommit) {
        commits.append(added)
        for hash in added.footprint { touched[hash, default: 0] += 1 }
        nextSequence = max(nextSequence, added.sequence + 1)
    }

    mutating func removeFirst() {
        let removed = commits.removeFirst()
        for hash in removed.footprint {
            let count = touched[hash, default: 1] - 1
            touched[hash] = count == 0 ? nil : count
        }
    }

    /// Replaces the commits, without looking at the file.
    mutating func replace(_ others: some Sequence<PendingCommit>) {
        let next = nextSequence
        (commits, touched) = ([], [:])
        for commit in others { append(commit) }
        nextSequence = next
    }

    /// Whether a commit has to do with objects that pending ones have to do with.
    func touches(_ commit: SharedCommit) -> Bool {
        if commits.isEmpty { return false }
        var isFound = false
        commit.forEachObject { if !isFound, touched[$0.hashValue] != nil { isFound = true } }
        return isFound
    }
}
