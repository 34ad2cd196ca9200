import FreeholdStorage
import Testing

@Suite("Environment: open, read, write")
struct EnvironmentBasicsTests {
    @Test func createsWritesAndReadsBack() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.realm")
        do {
            let environment = try Environment.open(.init(path))
            #expect(environment.isNewlyCreated)
            let before = try environment.read()
            let after = try environment.put("hello", "world")
            #expect(try before.text("hello") == nil)
            #expect(try after.text("hello") == "world")
            #expect(after.version == before.version + 1)
            #expect(try environment.read() === after)
        }
        let environment = try Environment.open(.init(path))
        #expect(!environment.isNewlyCreated)
        #expect(try environment.read().text("hello") == "world")
        #expect(directory.names == ["a.realm", "a.realm-lock", "a.realm.control"])
    }
}
