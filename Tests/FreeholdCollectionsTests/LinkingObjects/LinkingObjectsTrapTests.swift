import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

@Suite struct LinkingObjectsTrapTests {
    @Test func positionsOutOfBounds() async {
        let high = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withOwners(4) { _, first, _ in _ = first.owners[2] }
        }
        expectMessage(
            high, "Index 2 is out of bounds (must be less than 2).",
            "LinkingObjects<Relations_Owner> is live")
        let negative = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try withOwners(4) { _, first, _ in _ = first.owners[-1] }
        }
        expectMessage(negative, "Cannot pass a negative value for 'index'.")
        let unmanaged = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = Relations.Pet().owners[0] }
        expectMessage(
            unmanaged, "Index 0 is out of bounds (must be less than 0).",
            "add the object to a realm first")
        let several = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withOwners(4) { _, first, _ in _ = first.owners.objects(at: [0, 2]) }
        }
        expectMessage(
            several, "Indexes for collection are out of bounds.",
            "LinkingObjects<Relations_Owner> has 2 elements now")
        let none = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Relations.Pet().owners.objects(at: [0])
        }
        expectMessage(none, "Indexes for collection are out of bounds.")
    }

    @Test func whatNeedsARealm() async {
        let text =
            """
            This method may only be called on RLMLinkingObjects instances retrieved from \
            an RLMRealm
            """
        let query = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Relations.Pet().owners.where { $0.age == 1 }
        }
        expectMessage(query, text, "where of LinkingObjects")
        let sorted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { _ = Relations.Pet().owners.sorted(by: \.age) }
        expectMessage(sorted, text)
        let freeze = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { _ = Relations.Pet().owners.freeze() }
        expectMessage(freeze, text)
        let thaw = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Relations.Pet().owners.thaw()
        }
        expectMessage(thaw, text)
        let reference = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = ThreadSafeReference(to: Relations.Pet().owners)
        }
        expectMessage(
            reference,
            """
            Cannot construct reference to unmanaged object, which can be passed across \
            threads directly
            """
        )
    }

    @Test func readOnly() async {
        let assigned = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try withOwners(4) { realm, first, second in
                try realm.write { first.owners = second.owners }
            }
        }
        expectMessage(
            assigned, "LinkingObjects properties are read-only",
            "Set or clear the links of the Relations_Owner objects")
        let named = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withOwners(4) { realm, first, second in
                try realm.write { first["owners"] = second.owners }
            }
        }
        expectMessage(named, "LinkingObjects properties are read-only")
    }

    @Test func ofWhatIsGone() async {
        let deleted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withOwners(4) { realm, first, _ in
                try realm.write { realm.delete(first) }
                _ = first.owners
            }
        }
        expectMessage(
            deleted, "Object has been deleted or invalidated.", "Using 'Relations_Pet.owners'")
        let invalidated = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try withOwners(4) { realm, first, _ in
                let owners = first.owners
                realm.invalidate()
                if owners.isInvalidated { _ = owners.count }
            }
        }
        expectMessage(
            invalidated, "Access to invalidated Results objects",
            "The realm of this LinkingObjects<Relations_Owner>")
    }

    @Test func sortedOrAggregatedByIt() async {
        let sorted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withOwners(4) { realm, _, _ in
                _ = realm.objects(Relations.Pet.self).sorted(byKeyPath: "owners")
            }
        }
        expectMessage(
            sorted,
            "Cannot sort on key path 'owners': property 'Relations_Pet.owners' does not exist.")
        let sum = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withOwners(4) { realm, _, _ in
                _ = realm.objects(Relations.Pet.self).sum(ofProperty: "owners") as Int
            }
        }
        expectMessage(sum, "Invalid property name 'owners' for class 'Relations_Pet'.")
    }

    @Test func collectionsOfOtherRealms() async {
        let deleted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withOwners(4) { _, first, _ in
                try withOwners(4) { realm, _, _ in try realm.write { realm.delete(first.owners) } }
            }
        }
        expectMessage(deleted, "Can only delete objects from the Realm they belong to.")
    }
}
