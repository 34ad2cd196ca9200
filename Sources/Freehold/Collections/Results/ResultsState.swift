import FreeholdStorage

/// What a ``Results`` is: a query on one class of one realm, or on a source of its objects, and
/// the keys that it gave when it was last asked. Or an order of the values of a collection,
/// whose positions are the keys (``values``).
///
/// The query is fixed, its answer is not: every access compares the cached answer's ``Moment``
/// with the realm's and asks the engine again where they differ. Keys are kept, never objects.
///
/// A live state is confined like its realm. A frozen one may be used from any number of threads
/// at once: its query runs under `lock`, once, and what it gave is immutable.
///
/// It owns neither the realm nor the binding: a ``Results`` owns the realm and this beside it.
/// So a binding can keep the state of "all objects", the beginning of nearly every query,
/// without a circle, and making one costs no allocation.
@usableFromInline
final class ResultsState {
    private let unsafeCore: Unmanaged<RealmCore>
    let unsafeBinding: Unmanaged<ClassBinding>
    /// The realm's: checked in front of every access without retaining the realm.
    private let gate: UnsafeMutablePointer<ConfinementGate>
    /// Where the objects come from; nil for the class's table.
    let rows: (any RowSource)?
    /// The collection that the elements are in, where they are values: the keys are their
    /// positions there, and the binding is that of the object that has the collection. Nil
    /// where the elements are objects.
    let values: ManagedCollection?
    let predicate: ScanPredicate
    /// In order of precedence. Empty: rows come in the order of the source, those of a table in
    /// ascending order of their keys.
    let sorts: [ScanSort]
    /// Whether this is every object of the class in the order of the table, which needs no keys.
    let isWholeTable: Bool
    /// What messages call the collection: "Results".
    let name: StaticString
    /// The realm's generation when the collection was made: tells whether the realm was
    /// invalidated since.
    private let birth: UInt64

    /// Protects `cache` where the realm is frozen; nil elsewhere.
    private let lock: Monitor?
    /// Protected by confinement, or by `lock` where the realm is frozen.
    @exclusivity(unchecked) private var cache = Cache()

    private struct Cache {
        /// When the other fields were found.
        var moment: Moment?
        var keys: ContiguousArray<Int64>?
        var count: Int?
    }

    /// Names one state of the data that the realm reads. Never the same for two different
    /// states; it may differ for equal ones.
    struct Moment: Equatable {
        /// Moves with each snapshot, and with the beginning and end of each write transaction.
        var generation: UInt64
        /// Counts the changes of the open transaction.
        var changes: UInt64

        @inline(__always)
        fileprivate init(_ gate: ConfinementGate) {
            generation = gate.generation
            changes = gate.changes.map { $0._withUnsafeGuaranteedRef(\.values) } ?? 0
        }
    }

    init(
        core: RealmCore, binding: ClassBinding, from rows: (any RowSource)? = nil,
        predicate: ScanPredicate = .all, sorts: [ScanSort] = [],
        name: StaticString = "Results"
    ) {
        unsafeCore = .passUnretained(core)
        unsafeBinding = .passUnretained(binding)
        gate = core.gate
        self.rows = rows
        values = rows.flatMap { $0.values(in: core, of: binding) }
        self.predicate = predicate
        self.sorts = sorts
        self.name = name
        if case .all = predicate {
            isWholeTable = sorts.isEmpty && rows == nil
        } else {
            isWholeTable = false
        }
        birth = core.generation
        lock = core.isFrozen ? Monitor() : nil
    }

    /// Another query on the same source, made without touching either's reference count.
    private init(_ other: ResultsState, predicate: consuming ScanPredicate, sorts: [ScanSort]) {
        unsafeCore = other.unsafeCore
        unsafeBinding = other.unsafeBinding
        gate = other.gate
        rows = other.rows
        values = nil
        self.predicate = predicate
        if case .all = self.predicate {
            isWholeTable = sorts.isEmpty && other.rows == nil
        } else {
            isWholeTable = false
        }
        self.sorts = sorts
        name = "Results"
        birth = other.gate.pointee.generation
        lock = other.lock == nil ? nil : Monitor()
    }

    var core: RealmCore { unsafeCore.takeUnretainedValue() }
    /// Owned by `core`.
    var binding: ClassBinding { unsafeBinding.takeUnretainedValue() }

    var className: String { binding.schema.className }
    /// What the elements are, for messages: "Dog", "int".
    var elementName: String { values?.descriptor.typeText ?? className }

    /// The class's table as it is read now. Begins a read where there is none.
    var table: TableView { core.table(of: binding) }

    /// Whether the realm was invalidated after the collection was made.
    @inline(__always)
    var isInvalidated: Bool {
        gate.pointee.generation / RealmCore.epochUnit != birth / RealmCore.epochUnit
    }

    /// Traps if the realm was invalidated after the collection was made.
    @inline(__always)
    func checkValid() {
        if isInvalidated { reportInvalidated() }
    }

    @inline(never)
    private func reportInvalidated() -> Never {
        violation(
            .misuse(
                text: "Access to invalidated Results objects",
                remedy: isInvalidated || values == nil
                    ? """
                    The realm of this \(name)<\(elementName)> was invalidated. Make the \
                    query again.
                    """
                    : """
                    The object that had the values of this \(name)<\(elementName)> was \
                    deleted. Test isInvalidated first.
                    """
            ))
    }

    /// The gate: confinement and validity. First in every entry.
    @inline(__always)
    func check(_ operation: @autoclosure () -> String) {
        if !gate.pointee.admitsCaller {
            core.checkConfinement("\(operation()) of \(name)<\(elementName)>", of: className)
        }
        checkValid()
        if let values, !values.isThere { reportInvalidated() }
    }

    /// The gate of a collection that is made of this one.
    ///
    /// - Parameter name: What messages call it.
    func check(_ operation: @autoclosure () -> String, as name: StaticString) {
        if !gate.pointee.admitsCaller {
            core.checkConfinement("\(operation()) of \(name)<\(elementName)>", of: className)
        }
        checkValid()
        if let values, !values.isThere { reportInvalidated() }
    }

    /// The state of the data that the realm reads now.
    var moment: Moment { Moment(gate.pointee) }

    @inline(__always)
    private func withCache<Result>(_ body: (inout Cache) -> Result) -> Result {
        func current(_ cache: inout Cache) -> Result {
            let now = Moment(gate.pointee)
            if cache.moment != now { cache = Cache(moment: now) }
            return body(&cache)
        }
        guard let lock else { return current(&cache) }
        return lock.withLock { current(&cache) }
    }
}

// MARK: - Evaluation

extension ResultsState {
    /// Asks the engine about the data as they are now.
    ///
    /// Reading a collection cannot throw. Where the file is damaged, the answer is `fallback`
    /// (empty), and the store, which remembers damage, fails every later operation that can
    /// throw.
    func ask<Answer>(
        _ fallback: Answer, _ question: (ScanEngine, TableView) throws(StorageError) -> Answer
    ) -> Answer {
        let source = core.source
        do {
            return try question(ScanEngine(source: source), core.table(of: binding))
        } catch {
            core.store.noteDamage(error)
            return fallback
        }
    }

    /// The keys of all objects in order. O(1) while the data do not change, else one evaluation
    /// of the query.
    func keys() -> ContiguousArray<Int64> {
        withCache { cache in
            if let keys = cache.keys { return keys }
            var keys = evaluateKeys()
            if let count = cache.count, count != keys.count { agree(&keys, with: count) }
            cache.keys = keys
            return keys
        }
    }

    /// Makes keys as many as an index said that there are before, whose rows contradict it.
    /// Loops and copies rely on the count; keys without a row give invalidated objects.
    @inline(never)
    private func agree(_ keys: inout ContiguousArray<Int64>, with count: Int) {
        noteWrongCount(count, keys.count)
        if count < keys.count { keys.removeLast(keys.count - count) }
        while keys.count < count { keys.append(values == nil ? .min : Int64(keys.count)) }
    }

    private func evaluateKeys() -> ContiguousArray<Int64> {
        ask([]) { engine, table throws(StorageError) in
            try Self.evaluate(rows, predicate, sorts, in: core, engine, table)
        }
    }

    /// The keys of all rows of a source, or of a table, that match, in order.
    static func evaluate(
        _ rows: (any RowSource)?, _ predicate: ScanPredicate, _ sorts: [ScanSort],
        in core: RealmCore, _ engine: ScanEngine, _ table: TableView
    ) throws(StorageError) -> ContiguousArray<Int64> {
        if let rows {
            var keys = try rows.keys(in: core)
            if case .all = predicate {
            } else {
                keys = engine.keys(predicate, among: keys, in: table)
            }
            return sorts.isEmpty ? keys : try engine.sort(keys, in: table, by: sorts)
        }
        if sorts.isEmpty { return try engine.keys(predicate, in: table) }
        if case .all = predicate { return try engine.sort(nil, in: table, by: sorts) }
        return try engine.sort(engine.keys(predicate, in: table), in: table, by: sorts)
    }

    /// The keys if they are cached and still right.
    var knownKeys: ContiguousArray<Int64>? { withCache { $0.keys } }

    /// Takes keys for those of all objects in order, which the caller knows. The caller passed
    /// the gate.
    func assume(_ keys: ContiguousArray<Int64>) { withCache { $0.keys = keys } }

    /// How many objects there are. Makes no keys.
    var count: Int {
        if case .all = predicate, rows == nil { return table.count }
        return withCache { cache in
            // What was answered before stays the answer while nothing changes: callers compute
            // positions from it, and in a damaged file an index may count others than it has.
            if let count = cache.count ?? cache.keys?.count { return count }
            if let rows { return count(rows, &cache) }
            let count = evaluateCount()
            cache.count = count
            return count
        }
    }

    /// How many rows a source has. Those that have to be found for that are kept.
    @inline(never)
    private func count(_ rows: any RowSource, _ cache: inout Cache) -> Int {
        if case .all = predicate,
            let count = ask(0, { _, _ throws(StorageError) in try rows.count(in: core) })
        {
            cache.count = count
            return count
        }
        let keys = evaluateKeys()
        cache.keys = keys
        return keys.count
    }

    /// How many rows an index or a root says there are, without a look at them; nil where they
    /// are counted.
    var countOfIndex: Int? {
        if case .all = predicate {
            return ask(nil) { _, _ throws(StorageError) in try rows?.count(in: core) }
        }
        return rows == nil ? evaluateCount() : nil
    }

    /// As `ask`, without an engine where none is needed: a look-up in an index takes no longer
    /// than making one.
    private func evaluateCount() -> Int {
        // Nothing moves the realm while the engine counts, so a known table needs no reference
        // of its own.
        guard let known = unsafeBinding._withUnsafeGuaranteedRef({ $0.unsafeKnownTable }) else {
            return evaluateCount(in: table)
        }
        return known._withUnsafeGuaranteedRef { evaluateCount(in: $0) }
    }

    @inline(__always)
    private func evaluateCount(in table: TableView) -> Int {
        do throws(StorageError) {
            return try ScanEngine.count(predicate, in: table, source: core.source)
        } catch {
            core.store.noteDamage(error)
            return 0
        }
    }

    /// Whether there is no element.
    var isEmpty: Bool { values == nil ? firstKey() == nil : count == 0 }

    /// The key of the first object.
    func firstKey() -> Int64? {
        if isWholeTable {
            return table.locate(position: 0).map { $0.cluster.key(at: $0.row).rawValue }
        }
        if let keys = knownKeys { return keys.first }
        if !sorts.isEmpty || rows != nil { return keys().first }
        return ask(nil) { engine, table throws(StorageError) in
            try engine.firstKey(predicate, in: table)
        }
    }
}

// MARK: - Derived collections

extension ResultsState {
    /// The objects of this collection that also satisfy a query, in the same order. Traps if
    /// the query does not fit the class.
    @inline(__always)
    func filtered(by query: borrowing Query<Bool>) -> ResultsState {
        filtered(by: unsafeBinding._withUnsafeGuaranteedRef { query.lowered(for: $0) })
    }

    /// The objects of this collection that also satisfy another predicate, in the same order.
    func filtered(by other: consuming ScanPredicate) -> ResultsState {
        if isWholeTable { return ResultsState(self, predicate: other, sorts: []) }
        return ResultsState(self, predicate: predicate.conjoined(with: other), sorts: sorts)
    }

    /// The same objects in another order; the order that they had decides between equals.
    func sorted(by first: [ScanSort]) -> ResultsState {
        ResultsState(self, predicate: predicate, sorts: first + sorts)
    }

    /// The same query on another realm of the same file.
    func moved(to other: RealmCore) -> ResultsState {
        ResultsState(
            core: other, binding: other.binding(for: binding.reference), from: rows,
            predicate: predicate, sorts: sorts)
    }
}

extension ScanPredicate {
    /// What satisfies both. Keeps conjunctions flat.
    func conjoined(with other: consuming ScanPredicate) -> ScanPredicate {
        if case .all = self { return other }
        return switch (self, copy other) {
        case (_, .all): self
        case (.and(let terms), .and(let more)): .and(terms + more)
        case (.and(let terms), _): .and(terms + [other])
        case (_, .and(let terms)): .and([self] + terms)
        default: .and([self, other])
        }
    }
}
