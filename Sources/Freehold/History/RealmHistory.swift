import FreeholdStorage

/// The transactions of a realm's history after a token, oldest first:
/// ``Realm/history(after:)``.
///
/// Each is read from the file when it is iterated. The sequence keeps the version that it was
/// made for, so the transactions stay readable when others delete them. If one is damaged, the
/// sequence ends before it, and the next call that reads the history throws `corrupted`.
///
/// Thread rule: a plain value; use it anywhere.
public struct RealmHistory: Sequence, Sendable {
    private let reader: HistoryReader
    private var start: HistoryReader.Token
    private let names: HistoryNames
    private let store: Store
    private var filter = Filter()

    private struct Filter: Sendable {
        var tables: Set<String>?
        var authors: Set<String?>?
        var excluded: Set<String?> = []

        func admits(_ entry: HistoryEntry, _ names: HistoryNames) -> Bool {
            if excluded.contains(entry.author) { return false }
            if let authors, !authors.contains(entry.author) { return false }
            guard let tables else { return true }
            return entry.tables.contains { tables.contains(names.className($0.name)) }
        }
    }

    init(
        _ reader: HistoryReader, after start: HistoryReader.Token, _ names: HistoryNames,
        _ store: Store
    ) {
        self.reader = reader
        self.start = start
        self.names = names
        self.store = store
    }

    /// Only the transactions that changed objects of some classes. They keep all of their
    /// changes.
    public func changing(_ classes: ObjectBase.Type...) -> RealmHistory {
        var filtered = self
        filtered.filter.tables = Set(classes.map { $0.className() })
        return filtered
    }

    /// Only the transactions of an author; nil for those without one.
    public func by(_ author: String?) -> RealmHistory {
        var filtered = self
        filtered.filter.authors = [author]
        return filtered
    }

    /// Without the transactions of an author, for example the reader's own.
    public func excluding(author: String?) -> RealmHistory {
        var filtered = self
        filtered.filter.excluded.insert(author)
        return filtered
    }

    /// The history from the last transactions that satisfy a condition, which is looked for from
    /// the end. O(transactions behind its beginning).
    package func suffix(_ count: Int, where condition: (HistoryTransaction) -> Bool)
        -> RealmHistory
    {
        var suffix = self
        var rest = count
        var sequence = reader.nextSequence - 1
        while rest > 0, sequence > start.sequence {
            guard let entry = try? reader.entry(sequence) else {
                // Begins with the damaged entry, which ends the iteration and is noted there.
                suffix.start.sequence = sequence - 1
                return suffix
            }
            let token = reader.token(of: entry.head)
            if filter.admits(entry, names), condition(HistoryTransaction(entry, token, names)) {
                rest -= 1
            }
            sequence -= 1
            (suffix.start.sequence, suffix.start.mark) = (sequence, entry.head.previousMark)
        }
        return suffix
    }

    /// Creates an iterator.
    public func makeIterator() -> Iterator { Iterator(self) }

    /// Iterates over transactions.
    public struct Iterator: IteratorProtocol {
        private let history: RealmHistory
        private var sequence: Int64
        private var mark: UInt64

        fileprivate init(_ history: RealmHistory) {
            self.history = history
            sequence = history.start.sequence
            mark = history.start.mark
        }

        /// The next transaction; nil after the newest one.
        public mutating func next() -> HistoryTransaction? {
            do throws(StorageError) {
                while sequence + 1 < history.reader.nextSequence {
                    let entry = try history.reader.entry(sequence + 1)
                    try history.reader.checkOrder(entry.head, after: mark)
                    (sequence, mark) = (entry.head.sequence, entry.head.mark)
                    if history.filter.admits(entry, history.names) {
                        return HistoryTransaction(
                            entry, history.reader.token(of: entry.head), history.names)
                    }
                }
            } catch {
                history.store.noteDamage(error)
                sequence = history.reader.nextSequence
            }
            return nil
        }
    }
}
