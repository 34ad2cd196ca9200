@testable import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import Synchronization
import Testing

final class FirstUseItem: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var value: Int
    @Persisted(originProperty: "item") var links: LinkingObjects<FirstUseLink>
}

final class FirstUseLink: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var item: FirstUseItem?
}

/// What the first use of a large class reads of its directory: as much as of a small one.
@Suite struct FirstUseTests {
    private enum Use: CaseIterable {
        case object, missingObject, count, first, last, indexed, link, backlinks, textKey, frozen,
            transaction
    }

    /// More objects than fit into the clusters that are loaded at once.
    private static let objectCount = 70_000

    private static func use(_ use: Use, _ realm: Realm) throws {
        let items = realm.objects(FirstUseItem.self)
        switch use {
        case .object: #expect(realm.object(ofType: FirstUseItem.self, forPrimaryKey: 40_000) != nil)
        case .missingObject:
            #expect(realm.object(ofType: FirstUseItem.self, forPrimaryKey: -1) == nil)
        case .count: #expect(items.count == objectCount)
        case .first: #expect(items.first?.value == 0)
        case .last: #expect(items.last?.value == objectCount - 1)
        case .indexed:
            #expect(items.filter("name == 'item 30000'").first?.value == 30_000)
            #expect(items.where { $0.name == "item 30000" }.count == 1)
        case .link: #expect(realm.objects(FirstUseLink.self).first?.item?.value == 50_000)
        case .backlinks:
            #expect(
                realm.object(ofType: FirstUseItem.self, forPrimaryKey: 50_000)?.links.count == 1)
        case .textKey:
            #expect(
                realm.object(ofType: FirstUseLink.self, forPrimaryKey: "link")?.item?.id == 50_000)
        case .frozen:
            #expect(
                realm.freeze().object(ofType: FirstUseItem.self, forPrimaryKey: 7)?.value == 7)
        case .transaction:
            // Of another class; this one is only read.
            try realm.write {
                let item = realm.object(ofType: FirstUseItem.self, forPrimaryKey: 50_001)
                #expect(item?.value == 50_001)
                realm.objects(FirstUseLink.self).first?.item = item
                realm.objects(FirstUseLink.self).first?.item = realm.object(
                    ofType: FirstUseItem.self, forPrimaryKey: 50_000)
            }
        }
    }

    private static func reads(_ realm: Realm) -> Int {
        realm.core.store.environment.counters.directoryReads.load(ordering: .relaxed)
    }

    @Test func readsAFewEntries() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: [FirstUseItem.self, FirstUseLink.self])
            do {
                let realm = try Realm(configuration: configuration)
                try realm.write {
                    for number in 0..<Self.objectCount {
                        let item = FirstUseItem()
                        item.id = number
                        item.name = "item \(number)"
                        item.value = number
                        realm.add(item)
                    }
                    let link = FirstUseLink()
                    link.name = "link"
                    link.item = realm.object(ofType: FirstUseItem.self, forPrimaryKey: 50_000)
                    realm.add(link)
                }
            }
            for use in Use.allCases {
                let realm = try Realm(configuration: configuration)
                #expect(Self.reads(realm) == 0, "The file was closed in between.")
                try Self.use(use, realm)
                #expect(Self.reads(realm) <= 10, "\(use)")
            }
            let realm = try Realm(configuration: configuration)
            #expect(try realm.check().isEmpty)
        }
    }
}
