/// Verifies the trees of an encrypted file at one version. Each record must authenticate, keys
/// must ascend within the ranges of their branches, and all leaves must have the same height.
/// Counts must be right, and LMDB must have no other records.
struct EncryptedCheck {
    private let tree: EncryptedTreeReader
    private let raw: LMDBTransaction
    private let path: String
    private(set) var problems: [String] = []
    private var numbers: Set<UInt64> = []
    private var entryCount = 0
    private(set) var nodeCount = 0
    private static let limit = 20
    private let progress: WorkProgress?

    /// The defects of an encrypted file; none for a plain one. O(bytes of the trees). Holds one
    /// path from a root to a leaf in memory, and the numbers of all records.
    static func problems(of transaction: ReadTransaction, _ progress: WorkProgress?)
        throws(StorageError) -> [String]
    {
        guard let encrypted = transaction.encrypted else { return [] }
        var problems: [String] = []
        for database in Database.allCases {
            var check = EncryptedCheck(
                try encrypted.tree(database), transaction, progress)
            try check.run()
            problems += check.problems
        }
        return problems
    }

    init(
        _ tree: EncryptedTreeReader, _ transaction: ReadTransaction,
        _ progress: WorkProgress? = nil
    ) {
        self.tree = tree
        self.progress = progress
        raw = transaction.raw
        path = transaction.environment.path
    }

    mutating func run() throws(StorageError) {
        if tree.roots.height > 0 {
            let (root, height) = (tree.roots.root, tree.roots.height)
            try visit(root, height: height, low: nil, high: nil)
        }
        if problems.isEmpty, entryCount != tree.roots.entryCount {
            report("has \(entryCount) entries instead of \(tree.roots.entryCount).")
        }
        if problems.isEmpty { try checkStrays() }
    }

    private mutating func report(_ problem: String) {
        if problems.count < Self.limit {
            problems.append(
                "The encrypted tree of the database \"\(tree.database.name)\" \(problem)")
        }
    }

    /// Opens a record, once; nil if it is damaged or was visited already.
    private mutating func open(
        _ reference: EncryptedReference, _ kind: RecordPlace.Kind, count: Int? = nil
    ) throws(StorageError) -> EncryptedRecord? {
        guard reference.number > 0, reference.number < tree.roots.nextNumber else {
            report(
                "refers to record \(reference.number), and the next is \(tree.roots.nextNumber).")
            return nil
        }
        guard numbers.insert(reference.number).inserted else {
            report("refers to record \(reference.number) twice.")
            return nil
        }
        do throws(StorageError) {
            return try tree.verify(tree.place(reference, kind), count: count)
        } catch {
            guard error.code == .corrupted else { throw error }
            report("is damaged: \(error.message)")
            return nil
        }
    }

    private mutating func visit(
        _ reference: EncryptedReference, height: Int, low: [UInt8]?, high: [UInt8]?
    ) throws(StorageError) {
        guard problems.count < Self.limit, let record = try open(reference, .node) else { return }
        nodeCount += 1
        guard let node = EncryptedNode(record.bytes), node.height == height else {
            return report("has a node \(reference.number) that is none of height \(height).")
        }
        var previous: [UInt8]?
        for index in 0..<node.count {
            let key = Array(node.key(index))
            let isBound = height == 1 || index > 0
            if let previous, !previous.lexicographicallyPrecedes(key) {
                report("has a node \(reference.number) whose keys do not ascend.")
            }
            if isBound,
                low.map({ key.lexicographicallyPrecedes($0) }) ?? false
                    || high.map({ !key.lexicographicallyPrecedes($0) }) ?? false
            {
                report("has a node \(reference.number) with a key that belongs elsewhere.")
            }
            if isBound { previous = key }
            if height > 1 {
                let end = index + 1 < node.count ? Array(node.key(index + 1)) : high
                try visit(
                    node.reference(index), height: height - 1, low: index == 0 ? low : key,
                    high: end)
            } else {
                entryCount += 1
                progress?.add(CheckWork.encryptedEntry)
                try checkValue(node, index)
            }
        }
        withExtendedLifetime(record) {}
    }

    private mutating func checkValue(_ leaf: EncryptedNode, _ index: Int) throws(StorageError) {
        guard leaf.isReference(index) else { return }
        _ = try open(leaf.reference(index), .value, count: leaf.valueLength(index))
    }

    /// Checks that LMDB has no records that the tree does not refer to.
    private mutating func checkStrays() throws(StorageError) {
        if let records = tree.records { return try checkStrays(MappedCursor(records)) }
        let cursor = try raw.cursor(tree.database.handle).get("open a cursor", path: path)
        defer { cursor.close() }
        var step = cursor.move(.first)
        while case .success(let entry) = step {
            if isStray(entry.key) { return report("has a record that nothing refers to.") }
            step = cursor.move(.next)
        }
        if case .failure(.notFound) = step { return }
        _ = try step.get("move a cursor", path: path)
    }

    private mutating func checkStrays(_ records: consuming MappedCursor) throws(StorageError) {
        var cursor = records
        do throws(MappedCursor.Damage) {
            var entry = try cursor.first()
            while let current = entry {
                if isStray(current.key) { return report("has a record that nothing refers to.") }
                entry = try cursor.next()
            }
        } catch {
            report("has a page that is not what the pages before it say.")
        }
    }

    private func isStray(_ key: UnsafeRawBufferPointer) -> Bool {
        let isFormat = tree.database == .meta && key.elementsEqual(FormatRecord.key)
        let isKnown =
            key.count == 8
            && numbers.contains(UInt64(bigEndian: key.loadUnaligned(as: UInt64.self)))
        return !isFormat && !isKnown
    }
}

extension ReadTransaction {
    /// The defects of the trees of an encrypted file, in sentences.
    package func encryptionProblems() throws(StorageError) -> [String] {
        try encryptionProblems(nil)
    }

    func encryptionProblems(_ progress: WorkProgress?) throws(StorageError) -> [String] {
        try EncryptedCheck.problems(of: self, progress)
    }

    /// The number of nodes of an encrypted file's tree. O(nodes).
    package func encryptedNodeCount(_ database: Database) throws(StorageError) -> Int {
        guard let encrypted else { return 0 }
        var check = EncryptedCheck(try encrypted.tree(database), self)
        try check.run()
        return check.nodeCount
    }
}
