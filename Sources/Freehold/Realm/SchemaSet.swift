import Foundation
import Synchronization

/// The model classes of one configuration: all that were discovered, or `objectTypes`. Made once for each choice; compared by identity.
final class SchemaSet: Sendable {
    let classes: [ClassSchema]

    private init(_ classes: [ClassSchema]) { self.classes = classes }

    /// Keyed by the classes, nil for those that were discovered.
    private static let known = Mutex<[Set<ObjectIdentifier>?: SchemaSet]>([:])

    /// The set for a configuration's `objectTypes`. O(types) once it is known.
    ///
    /// - Throws: ``Realm/Error`` with the code `invalidInput` if a class is declared in a way that cannot be stored.
    static func resolve(_ types: [ObjectBase.Type]?) throws(Realm.Error) -> SchemaSet {
        let key = types.map { Set($0.map { ObjectIdentifier($0) }) }
        if let set = known.withLock({ $0[key] }) { return set }
        let set: SchemaSet
        do {
            let classes = try types.map { types in
                var seen: Set<ObjectIdentifier> = []
                return try types.filter { seen.insert(ObjectIdentifier($0)).inserted }.map { try ClassSchema.shared(for: $0) }
            } ?? ClassSchema.discoverAll()
            set = SchemaSet(classes)
        } catch let error as Realm.Error {
            throw error
        } catch {
            throw Realm.Error(.invalidInput, "\(error)", underlying: error)
        }
        try set.verifyTargets()
        return known.withLock { sets in
            // Another thread may have been first; all use one.
            if let first = sets[key] { return first }
            sets[key] = set
            return set
        }
    }

    /// Every class that a link points to must be in the set.
    private func verifyTargets() throws(Realm.Error) {
        let names = Set(classes.map(\.className))
        var problems: [String] = []
        for owner in classes {
            for property in owner.properties {
                guard let target = property.targetClassName, !names.contains(target) else { continue }
                problems.append("Property '\(owner.className).\(property.name)' of type 'object' has unknown object type '\(target)'")
            }
        }
        if problems.isEmpty { return }
        throw Realm.Error(
            .invalidInput, "Schema validation failed due to the following errors:\n" + problems.map { "- \($0)" }.joined(separator: "\n"))
    }
}
