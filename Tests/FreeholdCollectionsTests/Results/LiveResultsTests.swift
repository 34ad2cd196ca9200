import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Collections follow the data.
@Suite struct LiveResultsTests {
    @Test func theOpenTransactionIsSeen() throws {
        try withItems(100) { fixture in
            let old = fixture.items.where { $0.age >= 1000 }
            #expect(old.count == 0)
            fixture.realm.beginWrite()
            fixture.items[5].age = 1000
            #expect(old.count == 1)
            #expect(old.first?.id == fixture.plain[5].id)
            fixture.items[7].age = 1001
            #expect(old.map(\.age) == [1000, 1001])
            #expect(old.sorted(by: \.age, ascending: false).map(\.age) == [1001, 1000])
            fixture.realm.delete(fixture.items[5])
            #expect(old.map(\.age) == [1001] && fixture.items.count == 99)
            fixture.realm.cancelWrite()
            #expect(old.isEmpty && fixture.items.count == 100)
        }
    }

    /// A cancelled transaction and its successor have the same base and may have made the same
    /// number of changes.
    @Test func nothingIsKeptFromACancelledTransaction() throws {
        try withItems(100) { fixture in
            let old = fixture.items.where { $0.age >= 1000 }
            for position in 0..<10 {
                fixture.realm.beginWrite()
                fixture.items[position].age = 1000
                #expect(old.map(\.id) == [fixture.plain[position].id])
                fixture.realm.cancelWrite()
                #expect(old.map(\.id) == [])
            }
        }
    }

    @Test func positionsFollowEachChange() throws {
        try withItems(300) { fixture in
            let active = fixture.items.where { $0.active }
            try fixture.realm.write {
                while let item = active.first { item.active = false }
            }
            #expect(active.isEmpty)
            try fixture.realm.write {
                for index in 0..<fixture.items.count where index % 2 == 0 {
                    fixture.items[index].active = true
                }
            }
            #expect(active.count == 150)
            try fixture.realm.write {
                while let item = active.last { fixture.realm.delete(item) }
            }
            #expect(fixture.items.count == 150)
        }
    }

    @Test func deletingACollection() throws {
        try withItems(1200) { fixture in
            let doomed = fixture.items.where { $0.age < 10 }
            try fixture.realm.write { fixture.realm.delete(doomed) }
            #expect(doomed.isEmpty)
            #expect(fixture.items.map(\.id) == fixture.plain.filter { $0.age >= 10 }.map(\.id))
            try fixture.realm.write { fixture.realm.delete(fixture.items) }
            #expect(fixture.items.isEmpty)
        }
    }

    @Test func refreshing() throws {
        try withItems(100) { fixture in
            let old = fixture.items.where { $0.age >= 1000 }
            #expect(old.isEmpty)
            fixture.realm.autorefresh = false
            let configuration = fixture.realm.configuration
            let id = fixture.plain[3].id
            try onNewThread {
                let realm = try Realm(configuration: configuration)
                try realm.write {
                    realm.object(ofType: ResultsItem.self, forPrimaryKey: id)?.age = 2000
                }
            }
            #expect(old.isEmpty)
            #expect(fixture.realm.refresh())
            #expect(old.map(\.id) == [id])
        }
    }

    @Test func invalidation() throws {
        try withItems(10) { fixture in
            let items = fixture.items
            #expect(!items.isInvalidated)
            fixture.realm.invalidate()
            #expect(items.isInvalidated)
            #expect(fixture.items.count == 10 && !fixture.items.isInvalidated)
        }
    }
}
