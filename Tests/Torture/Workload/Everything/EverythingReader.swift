import Foundation
public import Freehold

/// Uses a realm whose file may be damaged in each way that the library has: ``EveryType`` and
/// ``Everything`` must be among its classes.
///
/// Each step may throw, and what it reads may be invalidated, zero or null. It must not trap,
/// hang or read memory that is not its own, which is for the caller's process to find.
public final class EverythingReader {
    let configuration: Realm.Configuration
    /// Whether each step opens the file anew, so that it does not know what the steps before found.
    let reopens: Bool
    /// Grows with all that was read, so that no read is optimised away.
    var sum = 0
    /// How many more objects a step visits. Damage can make cycles of links, and long lists.
    var budget = 0
    /// The budget of each step, and of parts of some.
    static let most = 120
    /// How many more descriptions the step makes: each goes five objects deep through all that
    /// these lead to, and takes longer than all else.
    private var descriptions = 0
    /// Whether steps that are not about texts make descriptions, too: each eighth time.
    private(set) var describes = false
    /// How many parts of steps were left to other files: see ``chosen(_:of:)``.
    private var turn = 0
    /// What steps threw.
    public private(set) var errors: [(step: String, error: any Error)] = []
    /// Called as each step begins.
    private let willRun: (String) -> Void

    /// - Parameters:
    ///   - configuration: Of the file.
    ///   - reopens: Whether each step opens the file anew.
    ///   - willRun: Called with the name of each step as it begins.
    public init(
        _ configuration: Realm.Configuration, reopens: Bool,
        willRun: @escaping (String) -> Void = { _ in }
    ) {
        self.willRun = willRun
        self.configuration = configuration
        self.reopens = reopens
    }

    /// All steps, in the order in which they run from the first one.
    private var steps: [(name: String, run: () throws -> Void)] {
        [
            ("objects", objects), ("results", results), ("positions", positions),
            ("queries", queries), ("sections", sections),
            ("dynamic", dynamic), ("key values", keyValues), ("frozen", frozen),
            ("references", references),
            ("projections", projections), ("texts", texts), ("observing", observing),
            ("tracking", tracking),
            ("places and predicates", placesAndPredicates),
            ("changing properties", changingProperties),
            ("changing lists", changingLists), ("changing others", changingOthers),
            ("creating", creating), ("deleting", deleting),
            ("deleting by rules", deletingByRules),
            ("writing without throwing", writingWithoutThrowing),
            ("writing asynchronously", writingAsynchronously), ("invalidating", invalidating),
            ("copying", copying),
            ("migrating", migrating), ("compacting", compacting), ("reading only", readingOnly),
            ("checking", checking),
        ]
    }

    /// Runs steps, beginning with one of them, so that each comes first once, and others
    /// directly after it.
    ///
    /// - Parameter count: How many; all, if there are no more.
    public func run(from start: Int, count: Int = .max) {
        let steps = steps
        describes = start / steps.count % 8 == 0
        turn = start / steps.count
        let kept = reopens ? nil : try? Realm(configuration: configuration)
        let strides = Self.strides(over: steps.count)
        let stride = strides[start / steps.count % strides.count]
        for index in steps.indices.prefix(count) {
            let step = steps[(index * stride + start) % steps.count]
            budget = Self.most
            descriptions = step.name == "texts" || describes ? 1 : 0
            willRun(step.name)
            do { try step.run() } catch { errors.append((step.name, error)) }
        }
        withExtendedLifetime(kept) {}
    }

    /// By how many steps to go on from one, so that all of them come: what has no divisor with
    /// their number.
    private static func strides(over count: Int) -> [Int] {
        (1..<count).filter { stride in !(2...count).contains { count % $0 == 0 && stride % $0 == 0 }
        }
    }

    func open() throws -> Realm { try Realm(configuration: configuration) }

    /// Some of several equal parts of a step, others each time and with each start: so a file
    /// takes little time, and many files see all of them.
    func chosen<Part>(_ count: Int, of parts: [Part]) -> [Part] {
        turn += 1
        return (0..<min(count, parts.count)).map { parts[(turn * count + $0) % parts.count] }
    }

    /// A file beside the realm's, which does not exist.
    func place(_ name: String) -> URL {
        let path = (configuration.fileURL?.path ?? "") + "." + name
        for suffix in ["", ".control", "-lock"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
        return URL(fileURLWithPath: path)
    }

    /// Removes files that ``place(_:)`` named.
    func remove(_ file: URL) {
        for suffix in ["", ".control", "-lock"] {
            try? FileManager.default.removeItem(atPath: file.path + suffix)
        }
    }
}

// MARK: - Values

extension EverythingReader {
    /// Makes a description, unless the step made enough of them.
    func describe(_ description: @autoclosure () -> String) {
        if descriptions == 0 { return }
        descriptions -= 1
        sum &+= description().utf8.count
    }

    /// Reads a value of any type through and through.
    func touch(_ value: Any?, depth: Int = 1) {
        guard let value else { return }
        switch value {
        case let text as String: sum &+= text.utf8.count
        case let data as Data: sum &+= data.reduce(0) { $0 &+ Int($1) }
        case let number as Int: sum &+= number
        // Foundation ends the process at texts of dates that are too far away, which anybody
        // may store.
        case let date as Date: sum &+= date < .distantFuture ? 1 : 0
        case let object as ObjectBase: visit(object, depth: depth - 1)
        case let any as AnyRealmValue: touch(any: any, depth: depth)
        case let array as [Any]: for element in array.prefix(20) { touch(element, depth: depth) }
        case let collection as any RealmCollection: loop(collection, depth: depth)
        case let map as any RealmKeyedCollection: loop(map: map, depth: depth)
        default: sum &+= "\(value)".utf8.count
        }
    }

    private func touch(any: AnyRealmValue, depth: Int) {
        switch any {
        case .object(let object): visit(object, depth: depth - 1)
        case .list(let list):
            sum &+= list.count
            if depth > -4 { for value in list { touch(any: value, depth: depth - 1) } }
        case .dictionary(let map):
            sum &+= map.count
            if depth > -4 { for entry in map { touch(any: entry.value, depth: depth - 1) } }
        case .string(let text): sum &+= text.utf8.count
        case .data(let data): sum &+= data.count
        default: sum &+= any.hashValue & 1
        }
    }

    /// Reads each property by its name, and what the properties lead to.
    func visit(_ object: ObjectBase, depth: Int) {
        budget -= 1
        if budget < 0 { return }
        sum &+= object.isInvalidated ? 1 : 0
        switch object {
        case let ship as Everything.Ship: typed(ship)
        case let sailor as Everything.Sailor: typed(sailor)
        case let cabin as Everything.Cabin: typed(cabin)
        case let thing as EveryType.Thing: typed(thing)
        default: break
        }
        if depth < 0 { return }
        for property in object.objectSchema.properties {
            touch(object[property.name], depth: depth)
        }
    }

    /// Goes over the elements.
    func loop<Elements: RealmCollection>(_ elements: Elements, depth: Int) {
        sum &+= elements.count
        for element in elements {
            if budget < 0 { break }
            touch(element, depth: depth)
        }
    }

    func loop<Map: RealmKeyedCollection>(map: Map, depth: Int) {
        sum &+= map.count
        for key in map.keys.prefix(50) { touch(map[key], depth: depth) }
    }
}
