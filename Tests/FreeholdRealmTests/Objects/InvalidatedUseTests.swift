import Freehold
import FreeholdRealmTestSupport
import Testing

/// What is used after `Realm.invalidate()`, or after its object was deleted: Realm's text,
/// inside and outside of transactions.
@Suite struct InvalidatedUseTests {
    enum Use: String, CaseIterable, Codable {
        case read, write, writeInTransaction, readByName, list, append

        var message: String {
            switch self {
            case .append, .list:
                """
                List is no longer valid. Either the parent object was deleted or the \
                containing Realm has been invalidated or closed.
                """
            default: "Object has been deleted or invalidated."
            }
        }
    }

    @Test(arguments: Use.allCases, [true, false])
    func isRefused(_ use: Use, _ invalidates: Bool) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [use = use as Use, invalidates = invalidates as Bool] in
            try withTemporaryRealm { realm in
                let holder = try realm.write { realm.create(Fixture.Holder.self) }
                let dog = try realm.write { realm.create(Fixture.Dog.self) }
                let numbers = holder.numbers
                if invalidates {
                    realm.invalidate()
                } else {
                    try realm.write { realm.delete([dog, holder] as [Object]) }
                }
                switch use {
                case .read: _ = dog.name
                case .write: dog.name = "x"
                case .writeInTransaction: try realm.write { dog.name = "x" }
                case .readByName: _ = dog["name"]
                case .list: _ = holder.numbers.count
                case .append: numbers.append(1)
                }
            }
        }
        expectMessage(result, use.message)
    }
}
