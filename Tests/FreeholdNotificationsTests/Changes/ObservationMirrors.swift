import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// What one observer knows, kept up with what it is told.
class ObservationMirror {
    let name: String
    var token: NotificationToken?
    /// Whether it has been called.
    var isBegun = false
    /// Whether what is observed is gone.
    var isOver = false

    init(_ name: String) { self.name = name }

    /// Verifies that the observer knows what there is.
    func verify(_ seed: UInt64) { fatalError("abstract") }
    /// Takes what there is for known.
    func resynchronize() { fatalError("abstract") }
    /// Whether the object was deleted that is observed or has the observed collection.
    var isGone: Bool { fatalError("abstract") }
}

/// An element: what it is, and what counts of it as a change.
struct Entry: Equatable {
    let identity: String
    let content: Int
}

final class CollectionMirror: ObservationMirror {
    private var known: [Entry] = []
    private let current: () -> [Entry]
    private let isInvalidated: () -> Bool
    /// Whether replaced elements count as modified.
    private let replaces: Bool
    private let seed: UInt64

    init<C: RealmCollection>(
        _ name: String, _ collection: C, keyPaths: [String]?, seed: UInt64, replaces: Bool = false,
        _ entry: @escaping (C.Element) -> Entry
    ) {
        current = { collection.isInvalidated ? [] : collection.map(entry) }
        isInvalidated = { collection.isInvalidated }
        self.replaces = replaces
        self.seed = seed
        super.init(name)
        token = collection.observe(keyPaths: keyPaths) { [unowned self] change in
            switch change {
            case .initial: begin()
            case .update(_, let deletions, let insertions, let modifications):
                update(deletions, insertions, modifications)
            case .error(let error): Issue.record("\(name): \(error)")
            }
        }
    }

    private func begin() {
        #expect(!isBegun, "FREEHOLD_SEED=\(seed), \(name): begun twice")
        isBegun = true
        known = current()
    }

    private func update(_ deletions: [Int], _ insertions: [Int], _ modifications: [Int]) {
        let new = current()
        let context =
            """
            FREEHOLD_SEED=\(seed), \(name): -\(deletions) +\(insertions) *\(modifications), \
            \(known.map(\.identity)) -> \(new.map(\.identity))
            """
        #expect(isBegun, "\(context)")
        #expect(!(deletions.isEmpty && insertions.isEmpty && modifications.isEmpty), "\(context)")
        #expect(Set(deletions).isDisjoint(with: modifications), "\(context)")
        for positions in [deletions, insertions, modifications] {
            #expect(positions == Array(Set(positions)).sorted(), "\(context)")
        }
        guard deletions.last ?? -1 < known.count, modifications.last ?? -1 < known.count,
            insertions.last ?? -1 < new.count
        else {
            Issue.record("\(context)")
            return
        }
        let gone = Set(deletions)
        let stays = known.indices.filter { !gone.contains($0) }
        let come = Set(insertions)
        let stayed = new.indices.filter { !come.contains($0) }
        guard stays.count == stayed.count else {
            Issue.record("\(context)")
            return
        }
        for (before, after) in zip(stays, stayed) {
            let isModified = modifications.contains(before)
            if replaces, isModified {
                #expect(known[before] != new[after], "\(context), at \(before)")
            } else {
                #expect(known[before].identity == new[after].identity, "\(context), at \(before)")
                #expect(
                    (known[before].content != new[after].content) == isModified,
                    "\(context), at \(before)")
            }
        }
        known = new
    }

    override func verify(_ seed: UInt64) {
        #expect(known == current(), "FREEHOLD_SEED=\(seed), \(name): something was lost")
    }

    override func resynchronize() { if isBegun { known = current() } }
    override var isGone: Bool { isInvalidated() }
}

final class MapMirror: ObservationMirror {
    private var known: [String: Int] = [:]
    private let map: Map<String, Int>
    private let seed: UInt64

    private var current: [String: Int] {
        map.isInvalidated
            ? [:]
            : Dictionary(uniqueKeysWithValues: map.asKeyValueSequence().map { ($0.key, $0.value) })
    }

    init(_ name: String, _ map: Map<String, Int>, seed: UInt64) {
        self.map = map
        self.seed = seed
        super.init(name)
        token = map.observe { [unowned self] change in
            switch change {
            case .initial:
                isBegun = true
                known = current
            case .update(_, let deletions, let insertions, let modifications):
                for key in deletions {
                    #expect(known.removeValue(forKey: key) != nil, "FREEHOLD_SEED=\(seed), \(name)")
                }
                for key in insertions {
                    #expect(
                        known.updateValue(current[key] ?? -1, forKey: key) == nil,
                        "FREEHOLD_SEED=\(seed), \(name)")
                }
                for key in modifications {
                    #expect(
                        known.updateValue(current[key] ?? -1, forKey: key) != current[key],
                        "FREEHOLD_SEED=\(seed), \(name)")
                }
                #expect(known == current, "FREEHOLD_SEED=\(seed), \(name)")
            case .error(let error): Issue.record("\(name): \(error)")
            }
        }
    }

    override func verify(_ seed: UInt64) {
        #expect(known == current, "FREEHOLD_SEED=\(seed), \(name): something was lost")
    }

    override func resynchronize() { if isBegun { known = current } }
    override var isGone: Bool { map.isInvalidated }
}

final class ObjectMirror: ObservationMirror {
    private var known: [String: String]
    private let object: ObservedModels.Item

    init(_ name: String, _ object: ObservedModels.Item, seed: UInt64) {
        self.object = object
        known = Self.values(of: object)
        super.init(name)
        isBegun = true
        token = object.observe { [unowned self] change in
            switch change {
            case .change(let object, let properties):
                let now = Self.values(of: object)
                let changed = now.keys.filter { now[$0] != known[$0] }.sorted()
                #expect(
                    properties.map(\.name).sorted() == changed, "FREEHOLD_SEED=\(seed), \(name)")
                for property in properties where property.name == "name" || property.name == "rank"
                {
                    // Of the realm's own changes there is none.
                    if let old = property.oldValue {
                        #expect("\(old)" == known[property.name], "FREEHOLD_SEED=\(seed), \(name)")
                    }
                    #expect(
                        property.newValue.map { "\($0)" } == now[property.name],
                        "FREEHOLD_SEED=\(seed), \(name)")
                }
                known = now
            case .deleted:
                #expect(object.isInvalidated, "FREEHOLD_SEED=\(seed), \(name)")
                isOver = true
            case .error(let error): Issue.record("\(name): \(error)")
            }
        }
    }

    static func values(of item: ObservedModels.Item) -> [String: String] {
        let related = item.related.asKeyValueSequence().map {
            "\($0.key) \($0.value?.id ?? -1)"
        }
        return [
            "name": item.name, "rank": "\(item.rank)", "score": "\(String(describing: item.score))",
            "next": "\(item.next?.id ?? -1)",
            "children": "\(Array(item.children.map(\.id)))", "numbers": "\(Array(item.numbers))",
            "tags": "\(Array(item.tags))",
            "marks": "\(Array(item.marks.asKeyValueSequence().map { "\($0.key) \($0.value)" }))",
            "related": "\(related)",
            "anything": Fingerprints.text(item.anything),
            "part": "\(item.part == nil)",
        ]
    }

    override func verify(_ seed: UInt64) {
        if object.isInvalidated {
            #expect(isOver, "FREEHOLD_SEED=\(seed), \(name): the deletion was lost")
        } else {
            #expect(
                known == Self.values(of: object),
                "FREEHOLD_SEED=\(seed), \(name): something was lost")
        }
    }

    override var isGone: Bool { object.isInvalidated }

    override func resynchronize() {
        if !object.isInvalidated { known = Self.values(of: object) } else { isOver = true }
    }
}

/// What counts of an object.
enum Fingerprints {
    typealias Item = ObservedModels.Item

    static func text(_ value: AnyRealmValue) -> String {
        if case .object = value { return "object \(value.object(Item.self)?.id ?? -1)" }
        return "\(value)"
    }

    /// Its properties, and those of what it links to, over up to four links.
    static func everything(_ item: Item) -> Int {
        var known: [String: Int] = [:]
        return everything(item, 0, &known)
    }

    private static func everything(_ item: Item, _ depth: Int, _ known: inout [String: Int]) -> Int
    {
        if let print = known["\(item.id) \(depth)"] { return print }
        var hasher = Hasher()
        hasher.combine(ObjectMirror.values(of: item))
        if depth < 4 {
            hasher.combine(item.part?.size)
            let linked =
                [item.next, item.anything.object(Item.self)] + item.children.map { $0 }
                + item.related.values
            for other in linked { hasher.combine(other.map { everything($0, depth + 1, &known) }) }
        }
        let print = hasher.finalize()
        known["\(item.id) \(depth)"] = print
        return print
    }

    static func name(_ item: Item) -> Int { item.name.hashValue }

    static func rankOfNext(_ item: Item) -> Int {
        var hasher = Hasher()
        hasher.combine(item.next?.id)
        hasher.combine(item.next?.rank)
        return hasher.finalize()
    }
}
