import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

@Suite struct EnumTrapTests {
    @Test func anOptionalEnumWithoutCasesIsNil() {
        #expect(InvalidModels.NoCases().optional == nil)
    }

    @Test(arguments: ["read", "add", "create"])
    func anEnumWithoutCasesHasNoDefault(_ use: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [use] in
            if use == "read" { _ = InvalidModels.NoCases().choice }
            try withTemporaryRealm([InvalidModels.NoCases.self]) { realm in
                try realm.write {
                    if use == "add" {
                        realm.add(InvalidModels.NoCases())
                    } else {
                        realm.create(InvalidModels.NoCases.self)
                    }
                }
            }
        }
        expectMessage(
            result, "Enum 'EmptyEnum' has no cases.\n",
            "Remedy: Declare a case, or do not use the enum as the type of a persisted property.")
    }
}
