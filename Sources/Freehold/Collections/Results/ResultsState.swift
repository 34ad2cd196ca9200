import FreeholdStorage

/// The shared state of a ``Results``: a query on one class of one realm, or on a source of its
/// objects, and the cached keys of the last answer. For results of values, an order of the values
/// of a collection, whose positions are the keys (``values``).
///
/// The query never changes; its answer may. Every access compares the cached answer's ``Moment``
/// with the realm's, and asks the engine again if they differ. Only keys are cached, never
/// objects.
///
/// A live state is confined like its realm. Any number of threads may use a frozen state at once:
/// its query runs once, under `lock`, and the answer is immutable.
///
/// The state owns neither the realm nor the binding: a ``Results`` owns the realm and the state.
/// So a binding can cache the state of "all objects", where nearly every query begins, without a
/// reference cycle. Making a collection of all objects then costs no allocation.
@usableFromInline
final class ResultsState {
    private let unsafeCore: Unmanaged<RealmCore>
    let unsafeBinding: Unmanaged<ClassBinding>
    /// The realm's gate: every access checks it without retaining the realm.
    private let gate: UnsafeMutablePointer<ConfinementGate>
    /// The source of the objects; nil for the class's table.
    var rows: (any RowSource)? {
        guard let givenRows, let draft = core.draft, !draft.moves.isEmpty else {
            return self.givenRows
        }
        return givenRows.following({ core.key($0, since: birth, in: $1) }, in: core)
    }
    /// The source as it was when the collection was made.
    private let givenRows: (any RowSource)?
    /// The collection that the elements are in, if they are values; nil if they are objects. The
    /// keys are positions in the collection then, and the binding is that of the object that has
    /// it.
    let values: ManagedCollection?
    var predicate: ScanPredicate {
        @inline(__always) get { followsRows ? followedPredicate : givenPredicate }
    }
    /// The predicate as it was when the collection was made.
    private let givenPredicate: ScanPredicate
    /// Whether rows that the predicate names may get other keys: those of a draft.
    private let followsRows: Bool
    /// The sort criteria, in order of precedence. If empty, rows come in the order of the source,
    /// or in ascending order of their keys from a table.
    let sorts: [ScanSort]
    /// Whether the predicate holds for all rows. Other than ``predicate``, it is read without a
    /// copy.
    let isUnfiltered: Bool
    /// Whether the results are all objects of the class in the order of the table, which needs no
    /// keys.
    let isWholeTable: Bool
    /// The collection's name in messages: "Results".
    let name: StaticString
    /// The realm's generation when the collection was made, to detect that the realm was
    /// invalidated.
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

    /// Identifies one state of the data that the realm reads. Two different states never have
    /// equal moments; equal states may have different ones.
    struct Moment: Equatable {
        /// Moves with each snapshot, and with the beginning and end of each write transaction.
        var generation: UInt64
        /// Counts the changes of the open transaction.
        var changes: UInt64

        @inline(__always)
        init(_ gate: ConfinementGate) {
            generation = gate.generation
            changes = gate.changes.map { $0._withUnsafeGuaranteedRef(\.values) } ?? 0
        }
    }

    init(
        core: RealmCore, binding: ClassBinding, from rows: (any RowSource)? = nil,
        predicate: ScanPredicate = .all, sorts: [ScanSort] = [], name: StaticString = "Results"
    ) {
        unsafeCore = .passUnretained(core)
        unsafeBinding = .passUnretained(binding)
        gate = core.gate
        givenRows = rows
        values = rows.flatMap { $0.values(in: core, of: binding) }
        givenPredicate = predicate
        followsRows = core.draft != nil
        self.sorts = sorts
        self.name = name
        isUnfiltered = predicate.isAll
        isWholeTable = isUnfiltered && sorts.isEmpty && rows == nil
        birth = core.generation
        lock = core.isFrozen ? Monitor() : nil
    }

    /// Makes another query on the same source, without touching the reference count of either.
    private init(_ other: ResultsState, predicate: consuming ScanPredicate, sorts: [ScanSort]) {
        unsafeCore = other.unsafeCore
        unsafeBinding = other.unsafeBinding
        gate = other.gate
        givenRows = other.rows
        values = nil
        givenPredicate = predicate
        followsRows = other.followsRows
        isUnfiltered = givenPredicate.isAll
        isWholeTable = isUnfiltered && sorts.isEmpty && other.givenRows == nil
        self.sorts = sorts
        name = "Results"
        birth = other.gate.pointee.generation
        lock = other.lock == nil ? nil : Monitor()
    }

    @inline(never)
    private var followedPredicate: ScanPredicate {
        let core = core
        guard let draft = core.draft, !draft.moves.isEmpty else { return givenPredicate }
        return givenPredicate.mappingRows { core.key($0, since: birth, in: $1) }
    }

    var core: RealmCore { unsafeCore.takeUnretainedValue() }
    /// Owned by `core`.
    var binding: ClassBinding { unsafeBinding.takeUnretainedValue() }

    var className: String { binding.schema.className }
    /// The type of the elements, for messages: "Dog", "int".
    var elementName: String { values?.descriptor.typeText ?? className }

    /// The class's current table. Begins a read if there is none.
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
        misuse(
            "Access to invalidated Results objects",
            remedy: isInvalidated || values == nil
                ? "The realm of this \(name)<\(elementName)> was invalidated. Make the query again."
                : """
                The object that had the values of this \(name)<\(elementName)> was \
                deleted. Test isInvalidated first.
                """)
    }

    /// Checks confinement and validity. Every entry point calls it first.
    @inline(__always)
    func check(_ operation: @autoclosure () -> String) {
        if !gate.pointee.admitsCaller {
            core.checkConfinement("\(operation()) of \(name)<\(elementName)>", of: className)
        }
        checkValid()
        if let values, !values.isThere { reportInvalidated() }
    }

    /// Checks confinement and validity for a collection built on this one.
    ///
    /// - Parameter name: The collection's name in messages.
    func check(_ operation: @autoclosure () -> String, as name: StaticString) {
        if !gate.pointee.admitsCaller {
            core.checkConfinement("\(operation()) of \(name)<\(elementName)>", of: className)
        }
        checkValid()
        if let values, !values.isThere { reportInvalidated() }
    }

    /// The current state of the data that the realm reads.
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
    /// Asks the engine about the current data.
    ///
    /// Reading a collection cannot throw. In a damaged file, the answer is `fallback` (empty);
    /// the store remembers the damage, and every later operation that can throw fails.
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

    /// Returns the keys of all objects in order. O(1) while the data do not change, else one
    /// evaluation of the query.
    func keys() -> ContiguousArray<Int64> {
        withCache { cache in
            if let keys = cache.keys { return keys }
            var keys = evaluateKeys()
            if let count = cache.count, count != keys.count { agree(&keys, with: count) }
            cache.keys = keys
            return keys
        }
    }

    /// Adjusts the number of keys to the count that an index gave earlier, and that its rows
    /// contradict. Loops and copies rely on the count; keys without a row give invalidated
    /// objects.
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

    /// Returns the keys of all matching rows of a source or a table, in order.
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

    /// The cached keys, if they are still valid.
    var knownKeys: ContiguousArray<Int64>? { withCache { $0.keys } }

    /// Caches keys that the caller knows to be those of all objects in order. The caller has
    /// checked confinement.
    func assume(_ keys: ContiguousArray<Int64>) { withCache { $0.keys = keys } }

    /// How many objects there are. Makes no keys.
    var count: Int {
        if isUnfiltered, givenRows == nil { return table.count }
        if lock == nil, cache.moment == Moment(gate.pointee), let count = cache.count {
            return count
        }
        return findCount()
    }

    @inline(never)
    private func findCount() -> Int {
        withCache { cache in
            // An earlier count stays the answer while nothing changes: callers compute positions
            // from it, and in a damaged file an index may count other rows than it has.
            if let count = cache.count ?? cache.keys?.count { return count }
            if let rows { return count(rows, &cache) }
            let count = evaluateCount()
            cache.count = count
            return count
        }
    }

    /// Returns the number of rows of a source. Caches the rows if it has to find them for that.
    @inline(never)
    private func count(_ rows: any RowSource, _ cache: inout Cache) -> Int {
        if isUnfiltered,
            let count = ask(0, { _, _ throws(StorageError) in try rows.count(in: core) })
        {
            cache.count = count
            return count
        }
        let keys = evaluateKeys()
        cache.keys = keys
        return keys.count
    }

    /// The number of rows by an index or a root, without reading them; nil if rows must be
    /// counted.
    var countOfIndex: Int? {
        if isUnfiltered {
            return ask(nil) { _, _ throws(StorageError) in try rows?.count(in: core) }
        }
        return rows == nil ? evaluateCount() : nil
    }

    /// As `ask`, but makes no engine for a look-up in an index, which costs no more than making
    /// one.
    private func evaluateCount() -> Int {
        // Nothing advances the realm while the engine counts, so a known table needs no reference
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
    /// Returns the objects of this collection that also satisfy a query, in the same order. Traps
    /// if the query does not fit the class.
    @inline(__always)
    func filtered(by query: borrowing Query<Bool>) -> ResultsState {
        filtered(by: unsafeBinding._withUnsafeGuaranteedRef { query.lowered(for: $0) })
    }

    /// Returns the objects of this collection that also satisfy another predicate, in the same
    /// order.
    func filtered(by other: consuming ScanPredicate) -> ResultsState {
        if isWholeTable { return ResultsState(self, predicate: other, sorts: []) }
        return ResultsState(self, predicate: predicate.conjoined(with: other), sorts: sorts)
    }

    /// Returns the same objects in another order. Equal objects keep the order that they had.
    func sorted(by first: [ScanSort]) -> ResultsState {
        ResultsState(self, predicate: predicate, sorts: first + sorts)
    }

    /// Returns the same query on another realm of the same file.
    func moved(to other: RealmCore) -> ResultsState {
        ResultsState(
            core: other, binding: other.binding(for: binding.reference), from: rows,
            predicate: predicate, sorts: sorts)
    }
}

extension ScanPredicate {
    /// Whether it holds for all rows.
    var isAll: Bool { if case .all = self { true } else { false } }

    /// Returns a predicate that requires both. Keeps conjunctions flat.
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
