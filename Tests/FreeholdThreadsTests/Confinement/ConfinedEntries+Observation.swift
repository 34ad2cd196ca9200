import Foundation
import Freehold
import FreeholdRealmTestSupport

private final class PersonView: Projection<Fixture.Person> {
    @Projected(\Fixture.Person.name) var title
}

extension ConfinedEntry {
    /// What registers observers.
    static let observation: [String: ConfinedEntry] = [
        "realm.observe": .init("Realm.observe(_:)") { _ = $0.realm.observe { _, _ in } },
        "object.observe": .init("Object.observe(_:) of 'Fixture_Person'") {
            _ = $0.person.observe { _ in }
        },
        "object.observe(on:)": .init("Object.observe(on:) of 'Fixture_Person'") {
            _ = $0.person.observe(on: DispatchQueue(label: "other")) { _ in }
        },
        "results.observe": .init("observe(_:) of Results<Fixture_Person>") {
            _ = $0.people.observe { _ in }
        },
        "projection.observe": .init("Object.observe(_:) of 'Fixture_Person'") {
            _ = PersonView(projecting: $0.person).observe { _ in }
        },
        "projection.observe(on:)": .init("Object.observe(on:) of 'Fixture_Person'") {
            _ = PersonView(projecting: $0.person).observe(on: DispatchQueue(label: "other")) { _ in
            }
        },
        "projected collection.observe": .init("observe(_:) of List 'Fixture_Holder.dogs'") {
            _ = $0.dogs.projectTo.name.observe { _ in }
        },
    ]
}
