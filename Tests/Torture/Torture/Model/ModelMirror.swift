import Foundation
import Freehold

/// What one observer knows, kept up with nothing but what it is told.
class ModelMirror {
    let name: String
    /// Of which realm of the session.
    let place: Int
    unowned let session: ModelSession
    var token: NotificationToken?
    /// Whether it has been called.
    var isBegun = false

    /// The item whose collection is observed, and the version at which that began.
    private let owner: Int?
    private let since: Int

    init(_ name: String, _ place: Int, _ session: ModelSession, owner: Int? = nil) {
        (self.name, self.place, self.session, self.owner) = (name, place, session, owner)
        since = session.time(of: place)
    }

    /// Whether the owner was deleted meanwhile. Of what is made again with its key the observer
    /// is told or not: it depends on whether the realm saw a version without it.
    var isOrphaned: Bool {
        guard let owner else { return false }
        return (since...max(since, session.time(of: place))).contains {
            session.version($0)?.items[owner] == nil
        }
    }

    /// What it does not know, though it should.
    func problem() -> String? { nil }
    /// Takes what there is for known: it was left out of a notification.
    func resynchronize() {}

    /// The contents of objects at the version that the realm reads now.
    var fingerprints: ModelFingerprints { session.fingerprints(place) }

    func fail(_ text: @autoclosure () -> String) {
        session.differences.append("the observer of \(name) \(text())")
    }
}

/// An element: what it is, and what counts of it as a change.
struct ModelEntry: Equatable {
    let identity: String
    let content: ModelContent
}

// MARK: - Collections

final class ModelCollectionMirror: ModelMirror {
    private var known: [ModelEntry] = []
    private let current: (ModelFingerprints) -> [ModelEntry]
    /// Whether replaced elements count as modified.
    private let replaces: Bool

    init<C: RealmCollection>(
        _ name: String, _ place: Int, _ session: ModelSession, _ collection: C, keyPaths: [String]?,
        replaces: Bool = false, owner: Int? = nil,
        _ entry: @escaping (C.Element, ModelFingerprints) -> ModelEntry
    ) {
        current = { fingerprints in
            collection.isInvalidated ? [] : collection.map { entry($0, fingerprints) }
        }
        self.replaces = replaces
        super.init(name, place, session, owner: owner)
        token = collection.observe(keyPaths: keyPaths) { [unowned self] change in
            switch change {
            case .initial:
                if isBegun { fail("was begun twice") }
                isBegun = true
                known = current(fingerprints)
            case .update(_, let deletions, let insertions, let modifications):
                update(deletions, insertions, modifications)
            case .error(let error): fail("was told \(error)")
            }
        }
    }

    private func update(_ deletions: [Int], _ insertions: [Int], _ modifications: [Int]) {
        let new = current(fingerprints)
        defer { known = new }
        if !isOrphaned,
            let problem = Self.problem(
                known, new, deletions, insertions, modifications, replaces: replaces)
        {
            fail(
                """
                was told -\(deletions) +\(insertions) *\(modifications) for \
                \(known.map(\.identity)) -> \(new.map(\.identity)): \(problem)
                """
            )
        }
        if !isBegun { fail("got a change before the initial call") }
        if deletions.isEmpty, insertions.isEmpty, modifications.isEmpty {
            fail("got an empty change")
        }
    }

    /// What is wrong about a change of an array to another one.
    static func problem(
        _ known: [ModelEntry], _ new: [ModelEntry], _ deletions: [Int], _ insertions: [Int],
        _ modifications: [Int], replaces: Bool
    ) -> String? {
        for positions in [deletions, insertions, modifications]
        where positions != Array(Set(positions)).sorted() { return "positions are not ascending" }
        if !Set(deletions).isDisjoint(with: modifications) { return "one is deleted and modified" }
        guard deletions.last ?? -1 < known.count, modifications.last ?? -1 < known.count,
            insertions.last ?? -1 < new.count
        else { return "out of range" }
        let (gone, come, modified) = (Set(deletions), Set(insertions), Set(modifications))
        let stays = known.indices.filter { !gone.contains($0) }
        let stayed = new.indices.filter { !come.contains($0) }
        if stays.count != stayed.count {
            return "\(stays.count) stay, and \(stayed.count) are there"
        }
        for (before, after) in zip(stays, stayed) {
            let (old, now) = (known[before], new[after])
            if modified.contains(before) {
                if !replaces, old.identity != now.identity {
                    return "at \(before) is \(now.identity), not \(old.identity)"
                }
                if old == now { return "at \(before) is nothing modified" }
            } else {
                if old.identity != now.identity {
                    return "at \(before) is \(now.identity), not \(old.identity)"
                }
                if old.content.must != now.content.must {
                    return "at \(before) is a modification, which is missing"
                }
            }
        }
        return nil
    }

    override func problem() -> String? {
        if !isBegun || isOrphaned { return nil }
        let now = current(fingerprints)
        if known.map(\.identity) != now.map(\.identity) {
            return
                """
                the observer of \(name) knows \(known.map(\.identity)), and there is \
                \(now.map(\.identity))
                """
        }
        if known.map(\.content.must) != now.map(\.content.must) {
            return "the observer of \(name) did not get modifications in \(now.map(\.identity))"
        }
        return nil
    }

    override func resynchronize() { if isBegun { known = current(fingerprints) } }
}

// MARK: - Maps

final class ModelMapMirror: ModelMirror {
    private var known: [String: Int] = [:]
    private let map: Map<String, Int>

    private var current: [String: Int] {
        map.isInvalidated
            ? [:]
            : Dictionary(uniqueKeysWithValues: map.asKeyValueSequence().map { ($0.key, $0.value) })
    }

    init(_ name: String, _ place: Int, _ session: ModelSession, _ map: Map<String, Int>, owner: Int)
    {
        self.map = map
        super.init(name, place, session, owner: owner)
        token = map.observe { [unowned self] change in
            switch change {
            case .initial:
                isBegun = true
                known = current
            case .update(_, let deletions, let insertions, let modifications):
                let new = current
                if isOrphaned { return known = new }
                for key in deletions where known.removeValue(forKey: key) == nil {
                    fail("was told that \(key) is deleted, which it never had")
                }
                for key in insertions where known.updateValue(new[key] ?? .min, forKey: key) != nil
                { fail("was told that \(key) is new, which it had") }
                for key in modifications {
                    guard let old = known.updateValue(new[key] ?? .min, forKey: key) else {
                        fail("was told that \(key) is modified, which it never had"); continue
                    }
                    if old == new[key] {
                        fail("was told that \(key) is modified, which is what it was")
                    }
                }
                if known != new {
                    fail(
                        """
                        was told -\(deletions) +\(insertions) *\(modifications), which \
                        leads to \(known), not \(new)
                        """
                    )
                }
                known = new
            case .error(let error): fail("was told \(error)")
            }
        }
    }

    override func problem() -> String? {
        !isBegun || isOrphaned || known == current
            ? nil : "the observer of \(name) knows \(known), and there is \(current)"
    }

    override func resynchronize() { if isBegun { known = current } }
}

// MARK: - Objects

final class ModelObjectMirror: ModelMirror {
    /// As ``ModelFingerprints/own(item:)`` says.
    private var known = PlainItem()
    private var affected: Int?
    private let item: ModelClasses.Item
    private let key: Int
    private var isOver = false

    init(_ place: Int, _ session: ModelSession, _ item: ModelClasses.Item) {
        (self.item, key) = (item, item.id)
        super.init("item \(item.id)", place, session)
        isBegun = true
        resynchronize()
        token = item.observe { [unowned self] change in
            switch change {
            case .change(_, let properties): update(properties)
            case .deleted:
                if isOver { fail("was told twice that it is deleted") }
                if !self.item.isInvalidated { fail("was told that it is deleted") }
                isOver = true
            case .error(let error): fail("was told \(error)")
            }
        }
    }

    private func update(_ properties: [PropertyChange]) {
        guard !isOver, !item.isInvalidated, let now = fingerprints.own(item: key) else {
            return fail("got changes of a deleted subject")
        }
        let nowDirty = session.model(of: place).affected[key]
        let names = Set(properties.map(\.name))
        for column in ItemColumn.allCases {
            let (before, after) = (known[column], now[column])
            let isTold = names.contains("\(column)")
            // A collection of several nodes that was emptied and filled again may have others.
            let may =
                ItemColumn.mixed.contains(column) && affected != nowDirty
                || ItemColumn.collections.contains(column)
            if before != after, !isTold {
                fail("did not get \(column): \(before) -> \(after), but \(names.sorted())")
            }
            if before == after, isTold, !may {
                fail("got \(column), which is \(after) as before")
            }
        }
        for property in properties where property.name == "rank" || property.name == "name" {
            let column: ItemColumn = property.name == "rank" ? .rank : .name
            let told = [property.oldValue, property.newValue].map { value in
                (value as? Int).map(PlainValue.int) ?? (value as? String).map(PlainValue.text)
                    ?? .null
            }
            // Of the realm's own changes there is no former value.
            if told[1] != now[column] || told[0] != .null && told[0] != known[column] {
                fail("was told \(column): \(told), which is \(known[column]) -> \(now[column])")
            }
        }
        (known, affected) = (now, nowDirty)
    }

    override func problem() -> String? {
        if isOver { return nil }
        if item.isInvalidated { return "the observer of \(name) was not told that it is deleted" }
        guard let now = fingerprints.own(item: key) else {
            return "the object of the observer of \(name) is there and should not be"
        }
        for column in ItemColumn.allCases where known[column] != now[column] {
            return
                """
                the observer of \(name) knows \(column) \(known[column]), and there is \
                \(now[column])
                """
        }
        return nil
    }

    override func resynchronize() {
        guard !item.isInvalidated, let now = fingerprints.own(item: key) else { return end() }
        (known, affected) = (now, session.model(of: place).affected[key])
    }

    /// Left out of the deletion. What is made again with the key is the same object, which may
    /// be reported or not.
    private func end() {
        isOver = true
        token?.invalidate()
    }
}

// MARK: - Projections

final class ModelProjectionMirror: ModelMirror {
    private struct State: Equatable {
        var name: PlainValue = .null
        var rank: PlainValue = .null
        var next: PlainValue = .null
        var nextName: PlainValue = .null
        var part: Int?
        var size: Int?
        var children: [PlainValue] = []
        var childNames: [PlainValue] = []
    }

    private var known = State()
    private let projection: ModelClasses.ItemProjection
    private let key: Int
    private var isOver = false

    init(_ place: Int, _ session: ModelSession, _ item: ModelClasses.Item) {
        projection = ModelClasses.ItemProjection(projecting: item)
        key = item.id
        super.init("the projection of item \(item.id)", place, session)
        isBegun = true
        resynchronize()
        token = projection.observe { [unowned self] change in
            switch change {
            case .change(_, let properties): update(Set(properties.map(\.name)))
            case .deleted: isOver = true
            case .error(let error): fail("was told \(error)")
            }
        }
    }

    private func state() -> State? {
        let model = session.model(of: place)
        if projection.rootObject.isInvalidated { return nil }
        guard let item = model.items[key] else { return nil }
        let part = item[.part].part
        return State(
            name: item[.name], rank: item[.rank], next: item[.next],
            nextName: item[.next].item.flatMap { model.items[$0]?[.name] } ?? .null,
            part: part?.serial,
            size: part?.size, children: item[.children].elements,
            childNames: item[.children].elements.map { model.items[$0.item!]![.name] })
    }

    private func update(_ names: Set<String>) {
        guard let now = state() else { return fail("got changes of a deleted subject") }
        func check(_ name: String, must: Bool, may: Bool) {
            if must, !names.contains(name) {
                fail("did not get \(name), but \(names.sorted()): \(known) -> \(now)")
            }
            if !must, !may, names.contains(name) {
                fail("got \(name), which is as before: \(now)")
            }
        }
        check("name", must: known.name != now.name, may: false)
        check("rank", must: known.rank != now.rank, may: false)
        check("nextName", must: known.nextName != now.nextName, may: known.next != now.next)
        check("size", must: known.size != now.size, may: known.part != now.part)
        check(
            "childNames", must: known.childNames != now.childNames,
            may: known.children != now.children)
        known = now
    }

    override func problem() -> String? {
        if isOver { return nil }
        guard let now = state() else {
            return "the observer of \(name) was not told that it is deleted"
        }
        let isSame =
            known.name == now.name && known.rank == now.rank && known.nextName == now.nextName
            && known.size == now.size && known.childNames == now.childNames
        if !isSame { return "the observer of \(name) knows \(known), and there is \(now)" }
        return projection.name == now.name.string && projection.nextName == now.nextName.string
            && projection.size == now.size
            && Array(projection.childNames) == now.childNames.map { $0.string! }
            ? nil : "\(name) is not \(now)"
    }

    override func resynchronize() { if let now = state() { known = now } else { end() } }

    /// Left out of the deletion. What is made again with the key is the same object, which may
    /// be reported or not.
    private func end() {
        isOver = true
        token?.invalidate()
    }
}
