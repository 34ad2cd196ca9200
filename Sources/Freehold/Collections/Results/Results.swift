public import Foundation
import FreeholdStorage

/// The objects that satisfy a query. Live: it always shows the current answer.
///
/// Made by ``Realm/objects(_:)`` and refined with `where` and `sorted`, each of which is O(1).
/// Nothing is read until an element, the count or an aggregate is asked for; the answer is kept
/// until the data change. The values of a managed list, set or map give results, too:
/// `person.scores.sorted()`, `person.scores.distinct()`.
///
///     let dogs = realm.objects(Dog.self).where { $0.age > 5 }.sorted(by: \.name)
///     print(dogs.count, dogs.first?.name ?? "none")
///
/// - Inside a write transaction the collection shows the transaction's own changes; elsewhere
///   it changes when the realm advances to a newer version.
/// - A `for` loop visits the objects that the collection held when the loop began, whatever the
///   loop changes. An object that was deleted meanwhile still comes, invalidated.
/// - Without sorting, objects come in the order of their keys: integer primary keys ascend, other
///   classes come in the order of insertion.
/// - Results of values are invalid once the object that has the values is deleted.
///
/// Thread rule: confined like its realm, and not `Sendable`. ``freeze()`` gives a copy for all
/// threads, which never changes.
@frozen public struct Results<Element: RealmCollectionValue>: Equatable {
    @usableFromInline let state: ResultsState
    /// Keeps the realm alive for `state`, which does not own it.
    @usableFromInline let core: RealmCore
    /// Distinguishes results that share a state, as those of all objects of a class do; 0
    /// elsewhere.
    @usableFromInline let identity: UInt64

    /// - Parameter core: The state's realm, which the caller holds. Asking the state for it would
    ///   be too late.
    init(core: RealmCore, state: ResultsState, identity: UInt64 = 0) {
        self.core = core
        self.state = state
        self.identity = identity
    }

    /// Whether one collection is a copy of the other. Equal contents do not make collections
    /// equal.
    public static func == (a: Results, b: Results) -> Bool {
        a.state === b.state && a.identity == b.identity
    }
}

@available(
    *, unavailable,
    message: """
        Results are confined to their realm's thread, queue or actor: freeze() them, or \
        open a realm there and query it.
        """
)
extension Results: Sendable {}

// MARK: - Elements

extension Results: RealmCollection {
    /// The number of objects.
    ///
    /// O(1) for all objects of a class, and while the data do not change. Otherwise the query
    /// engine counts once: it reads only the columns that the query names, and makes no objects.
    public var count: Int {
        state.check("count")
        return state.count
    }

    /// Whether there is no object. O(1) for all objects of a class; otherwise the engine stops at
    /// the first match.
    public var isEmpty: Bool {
        state.check("isEmpty")
        return state.isEmpty
    }

    /// The position of the first object, 0.
    @inlinable public var startIndex: Int { 0 }
    /// The position after the last object: ``count``.
    public var endIndex: Int { count }

    /// The object at a position.
    ///
    /// O(log objects) for all objects of a class. For other queries, once evaluated, O(1) plus
    /// one look-up of a key.
    /// - Note: Traps outside of `0 ..< count`.
    public subscript(position: Int) -> Element {
        state.check("subscript")
        if let values = state.values { return state.value(at: position, in: values) }
        return Element._element(state.object(at: position))
    }

    /// The first object, nil if there is none. Without an order, the engine stops at the first
    /// match.
    public var first: Element? {
        state.check("first")
        if let values = state.values {
            return state.keys().first.map { state.value(position: $0, in: values) }
        }
        return state.first.map(Element._element)
    }

    /// The last object, nil if there is none.
    public var last: Element? {
        state.check("last")
        if let values = state.values {
            return state.keys().last.map { state.value(position: $0, in: values) }
        }
        return state.last.map(Element._element)
    }

    /// The objects at the given positions, in ascending order of position. Traps if one of them
    /// is outside of `0 ..< count`.
    public func objects(at indexes: IndexSet) -> [Element] {
        state.check("objects(at:)")
        if let values = state.values {
            state.check(indexes)
            return indexes.map { state.value(at: $0, in: values) }
        }
        return state.objects(at: indexes).map(Element._element)
    }

    /// Iterates over the objects that the collection holds at this moment. The loop may change or
    /// delete them.
    public func makeIterator() -> RLMIterator<Element> {
        state.check("iteration")
        if let values = state.values { return RLMIterator(elements: state.elements(in: values)) }
        if Element._convertsObjects {
            return RLMIterator(elements: RLMIterator.converted(RowCursor(state)))
        }
        return RLMIterator(cursor: RowCursor(state))
    }

    // MARK: Positions

    /// Returns the position of an object; nil if the collection does not contain it, or if it is
    /// not managed by the same realm.
    ///
    /// O(log objects) without sorting, O(objects) in a sorted collection. For values, finds the
    /// first equal one: O(values).
    public func index(of object: Element) -> Int? {
        state.check("index(of:)")
        if let values = state.values { return state.elements(in: values).firstIndex(of: object) }
        if Element._convertsObjects { return Array(self).firstIndex(of: object) }
        return (object as? ObjectBase ?? (object as? any ProjectionOfAnyClass)?.projectedObject)
            .flatMap(state.index(of:))
    }

    /// Returns the position of the first object that satisfies a query:
    /// `dogs.index(matching: { $0.name == "Rex" })`.
    public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
        state.check("index(matching:)")
        state.checkHasObjects("index(matching:)")
        return state.index(matching: isIncluded(Query()).lowered(for: state.binding))
    }

    // MARK: Derived collections

    /// Returns the objects that satisfy a query, in the same order. O(1); evaluated when it is
    /// used.
    ///
    ///     let puppies = realm.objects(Dog.self).where { $0.age < 2 && $0.owner.name == "Anna" }
    public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
        state.check("where")
        state.checkHasObjects("where")
        return Results(core: core, state: state.filtered(by: isIncluded(Query())))
    }

    /// Returns the same objects, sorted by the given properties; the first property takes
    /// precedence. O(1); sorted when it is used.
    ///
    /// Stable: objects that are equal in all of them keep the order that they have in this
    /// collection. Nil comes before every value in ascending order. Values are sorted by
    /// `"self"`.
    /// - Note: Traps if a key path does not lead to a property that can be sorted by.
    public func sorted<Descriptors: Sequence>(by sortDescriptors: Descriptors) -> Results<Element>
    where Descriptors.Element == SortDescriptor {
        state.check("sorted(by:)")
        return Results(core: core, state: state.sorted(by: sortDescriptors))
    }
}

extension RealmCollectionValue {
    /// Casts an accessor to the element type. The caller has checked that its class is `Self`,
    /// which every `Results` of objects guarantees.
    @inlinable @inline(__always)
    public static func _element(_ object: ObjectBase) -> Self {
        unsafeBitCast(object, to: Self.self)
    }
}
