import Freehold
import FreeholdPrograms
import FreeholdRealmTestSupport
import Testing

/// Programs as they are written, compiled in debug builds; `torture programs` runs the same in
/// release builds.
@Suite struct NaturalProgramTests {
    @Test(.timeLimit(.minutes(10)), arguments: NaturalProgram.all)
    func program(_ program: NaturalProgram) async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: [Note.self])
        let problems = try await program.run(configuration)
        #expect(problems == [])
        try expectSound(configuration)
        directory.delete()
    }
}
