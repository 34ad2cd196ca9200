import Foundation
import Freehold

/// Drafts.
///
/// - `draft-make`: 10,000 drafts of the base, each dropped before the next.
/// - `plain-edit`, `draft-edit`: the same objects, found before the clock starts; the transaction
///   is cancelled, the draft discarded outside of the clock.
/// - `draft-save-one`: what `durable-commit` does, in one draft that is saved after each change.
/// - `plain-write-10000`, `draft-save-10000`: every tenth object or so, with the edits inside of
///   the clock.
/// - `draft-merge-10000`: another thread has committed changes of another property; half of the
///   objects are the same.
extension FreeholdEngine {
    private static let draftCount = 1_000

    func makeDrafts(of realm: Realm) throws -> Sample {
        let count = 10_000
        let value = try nanoseconds(per: count) {
            for _ in 0..<count { _ = try realm.draft() }
        }
        return Sample(value: value, answer: nil)
    }

    func makeDraftsOfManyClasses() throws -> Sample {
        if manyClasses == nil { _ = try openManyClasses() }
        guard let manyClasses else { return Sample(value: 0, answer: nil) }
        return try makeDrafts(of: manyClasses)
    }

    /// Up to 10,000 primary keys, spread over the table.
    private var editedIdentifiers: [Int] {
        let count = min(dataset.rows.count / 2, 10_000)
        let stride = dataset.rows.count / count
        return (0..<count).map { $0 * stride }
    }

    private func people(_ identifiers: [Int], in realm: Realm) -> [Person] {
        identifiers.map { realm.object(ofType: Person.self, forPrimaryKey: $0)! }
    }

    func edit(inDraft: Bool) throws -> Sample {
        try withCopy { realm in
            let draft = try inDraft ? realm.draft() : nil
            let edited = draft?.realm ?? realm
            if draft == nil { edited.beginWrite() }
            let people = people(editedIdentifiers, in: edited)
            let value = nanoseconds(per: people.count) {
                for person in people { person.age += 1 }
            }
            let sum = people.reduce(0) { $0 + $1.age }
            if let draft { draft.discard() } else { edited.cancelWrite() }
            return Sample(value: value, answer: sum)
        }
    }

    func saveDrafts() throws -> Sample {
        try withCopy { realm in
            let draft = try realm.draft()
            let value = try nanoseconds(per: dataset.commitIdentifiers.count) {
                for identifier in dataset.commitIdentifiers {
                    draft.object(ofType: Person.self, forPrimaryKey: identifier)!.age += 1
                    try draft.save()
                }
            }
            realm.refresh()
            let sum = people(dataset.commitIdentifiers, in: realm).reduce(0) { $0 + $1.age }
            return Sample(value: value, answer: sum)
        }
    }

    func writeMany() throws -> Sample {
        try withCopy { realm in
            let people = people(editedIdentifiers, in: realm)
            let value = try nanoseconds(per: people.count) {
                try realm.write { for person in people { person.age += 1 } }
            }
            return Sample(value: value, answer: realm.objects(Person.self).sum(of: \.age))
        }
    }

    func saveManyChanges(merging: Bool) throws -> Sample {
        try withCopy { realm in
            let identifiers = editedIdentifiers
            let draft = try realm.draft()
            let people = people(identifiers, in: draft.realm)
            if merging {
                // Half of the objects, and as many others.
                let half = identifiers.prefix(identifiers.count / 2)
                let others = Array(half) + identifiers.suffix(identifiers.count / 2).map { $0 + 1 }
                try realm.write {
                    for person in self.people(others, in: realm) { person.score += 1 }
                }
            }
            let value = try nanoseconds(per: people.count) {
                for person in people { person.age += 1 }
                try draft.save()
            }
            realm.refresh()
            return Sample(value: value, answer: realm.objects(Person.self).sum(of: \.age))
        }
    }

    private func openDrafts(of realm: Realm) throws -> [Draft] {
        try (0..<Self.draftCount).map { number in
            let draft = try realm.draft()
            let identifier = number * (dataset.rows.count / Self.draftCount)
            draft.object(ofType: Person.self, forPrimaryKey: identifier)!.age += 1
            return draft
        }
    }

    func draftMemory() throws -> Sample {
        try withCopy { realm in
            // What the realm itself keeps of what it has read.
            _ = realm.objects(Person.self).sum(of: \.age)
            var drafts: [Draft] = []
            let growth = try ResidentMemory.peakGrowth { drafts = try openDrafts(of: realm) }
            withExtendedLifetime(drafts) {}
            return Sample(value: Double(growth ?? 0), answer: nil)
        }
    }

    /// A version in use keeps its pages, so that commits need new ones.
    func commitsBesideFrozen() throws -> Sample {
        try withCopy { realm in
            let frozen = realm.freeze()
            let sample = try durableCommits(realm)
            withExtendedLifetime(frozen) {}
            return sample
        }
    }

    func commitsBesideDrafts() throws -> Sample {
        try withCopy { realm in
            let drafts = try openDrafts(of: realm)
            let sample = try durableCommits(realm)
            withExtendedLifetime(drafts) {}
            return sample
        }
    }
}
