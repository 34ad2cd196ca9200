import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// What steps of undo take, and what they refuse.
@Suite struct UndoMemoryTests {
    /// A step of one changed integer took 852 bytes of resident memory (27 November 2026).
    @Test func bytesOfAStep() throws {
        try Book.withPerson { realm, person in
            let undo = realm.undoManager
            undo.isRecording = true
            undo.stepLimit = 1_000
            for age in 1...1_000 { try realm.write { person.age = age } }
            #expect(undo.undoNames.count == 1_000)
            #expect(undo.byteCount > 500 * 1_000 && undo.byteCount < 1_500 * 1_000)
        }
    }

    @Test func limitsAreNotNegative() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try Book.withPerson { realm, _ in realm.undoManager.byteLimit = -1 }
        }
        expectMessage(result, "An undo limit cannot be negative.", "Pass 0")
    }

    @Test func noUndoInsideOfAGroup() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try Book.withPerson { realm, _ in
                try realm.undoManager.group { _ = try realm.undoManager.undo() }
            }
        }
        expectMessage(result, "is not possible inside of a group", "RealmUndoManager.group")
    }

    @Test func draftsHaveUndoOfTheirOwn() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try Book.withPerson { realm, _ in _ = try realm.draft().realm.undoManager }
        }
        expectMessage(result, "The realm of a draft has no undo manager.", "Draft.undo()")
    }
}
