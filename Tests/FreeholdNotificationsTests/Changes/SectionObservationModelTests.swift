import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Random transactions, from several realms and threads: the sections that an observer knows,
/// with its change sets applied, are always those that there are.
@Suite struct SectionObservationModelTests {
    typealias Item = ObservedModels.Item

    @Test(arguments: SectionObservationModelTests.seeds)
    func whatIsKnownWithTheChangesIsWhatThereIs(seed own: UInt64?) throws {
        let seed = Seed.random(own).seed
        try withObservatory { place in
            var transactions = try SectionTransactions(place, seed: seed)
            let items = place.realm.objects(Item.self)
            let mirrors: [any SectionMirroring] = [
                SectionMirror(
                    "by name", seed,
                    items.sectioned(by: \.name, sortDescriptors: ["name", "rank"]),
                    SectionTransactions.content),
                SectionMirror(
                    "in the order of ranks", seed,
                    items.sectioned(sortDescriptors: ["rank"]) { $0.name },
                    SectionTransactions.content),
                SectionMirror(
                    "filtered", seed,
                    items.where { $0.rank > 20 }.sectioned(
                        by: { $0.rank % 4 }, sortDescriptors: ["name"]), SectionTransactions.content
                ),
                SectionMirror(
                    "by links", seed,
                    items.sectioned(by: { $0.next?.name }, sortDescriptors: ["id"]),
                    SectionTransactions.content),
                SectionMirror(
                    "names alone", seed,
                    items.sectioned(by: { $0.rank % 3 }, sortDescriptors: ["rank"]),
                    keyPaths: ["name"]
                ) { [$0.name] },
                SectionMirror("members alone", seed, items.sectioned(by: \.name), keyPaths: []) {
                    _ in []
                },
            ]
            for _ in 0..<40 {
                for _ in 0..<Int.random(in: 0...3, using: &transactions.random) {
                    try transactions.transact()
                }
                if transactions.move() { for mirror in mirrors { mirror.verify() } }
            }
            place.deliver()
            for mirror in mirrors { mirror.verify() }
            withExtendedLifetime(mirrors) {}
        }
    }

    private static let seeds: [UInt64?] = [nil, 1, 2, 3]
}
