import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct ConfinementHandlerTests {
    @Test func theHandlerIsCalledBeforeTheProcessEnds() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in
                let person = Smuggled(
                    value: try realm.write { realm.create(Fixture.Person.self, value: ["id": 7]) })
                Realm.confinementHandler = { report in
                    FileHandle.standardError.write(
                        try! JSONEncoder().encode(report) + Data("\n".utf8))
                }
                _ = try onNewThread { person.value.age }
            }
        }
        let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(
            separator: "\n")
        let report = try JSONDecoder().decode(
            ConfinementViolation.self,
            from: Data(try #require(lines.first { $0.hasPrefix("{") }).utf8))
        #expect(report.severity == .violation)
        #expect(report.operation == "Reading")
        #expect(report.className == "Fixture_Person")
        #expect(report.propertyName == "age")
        #expect(report.rowKey == 7)
        #expect(report.accessed.kind == .thread)
        #expect(
            lines.last { $0.contains("Fatal error") }?.contains(
                "Realm accessed from incorrect thread.") == true)
    }

    @Test func aViolationInsideOfTheHandlerEndsTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in
                let person = Smuggled(
                    value: try realm.write { realm.create(Fixture.Person.self, value: ["id": 7]) })
                Realm.confinementHandler = { _ in _ = person.value.name }
                _ = try onNewThread { person.value.age }
            }
        }
        expectMessage(
            result, "Realm accessed from incorrect thread.", "Reading 'Fixture_Person.name'")
    }

    @Test func thrownReportsAreNotHandled() throws {
        try withTemporaryRealm { realm in
            let smuggled = Smuggled(value: realm)
            let report = #expect(throws: ConfinementViolation.self) {
                try onNewThread { try smuggled.value.write {} }
            }
            #expect(report != nil && !ReportRecorder.shared.contains(report!))
        }
    }
}
