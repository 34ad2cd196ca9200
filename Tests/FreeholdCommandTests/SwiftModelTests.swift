import Foundation
import Freehold
import FreeholdInspection
import FreeholdRealmTestSupport
import FreeholdTestProcesses
import FreeholdTestSupport
import Testing

/// Model classes that `schema --swift` writes.
@Suite struct SwiftModelTests {
    private func findCompiler() -> String? {
        ((ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
            + ["/opt/swift/usr/bin"]).map { $0 + "/swiftc" }.first {
                FileManager.default.isExecutableFile(atPath: $0)
            }
    }

    /// They compile, and a program with them opens the file as its own.
    @Test func open() throws {
        // Compiled code reads no key from the environment of the suite.
        if EncryptedSuite.isOn { return }
        let compiler = try #require(findCompiler(), "There is no swiftc on the PATH.")
        let desk = try Desk()
        let random = Seed.random()
        try Shop.make(desk, "a.realm") { realm in
            var random = random
            Shop.fill(realm, &random, count: 10)
        }
        let models = try desk.run("schema", desk.path("a.realm"), "--swift").output
        let program = """
            import Foundation
            @main enum Program {
                static func main() throws {
                    var configuration = Realm.Configuration(
                        fileURL: URL(fileURLWithPath: CommandLine.arguments[1]), schemaVersion: 4)
                    configuration.readOnly = true
                    let realm = try Realm(configuration: configuration)
                    for one in realm.objects(Shop_Everything.self) { _ = one.description }
                    print(realm.objects(Shop_Item.self).count)
                }
            }
            """
        _ = try desk.write(models + "\n" + program, to: "Models.swift")
        let outcome = try build(compiler, desk)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        let run = ChildProcess(desk.directory.file("program"), [desk.path("a.realm")])
        run.environment = ProcessInfo.processInfo.environment.merging(
            ["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        let printed = try Command.run(of: run)
        #expect(printed.status == 0, "\(printed.errors)")
        #expect(printed.output == "10\n")
        desk.delete()
    }

    /// Links the models with the objects that the command was built from.
    private func build(_ compiler: String, _ desk: Desk) throws -> Command.Outcome {
        let products = Command.executable.deletingLastPathComponent()
        let list = products.appendingPathComponent("freehold.product/Objects.LinkFileList")
        let others = ["ArgumentParser", "FreeholdCommand", "FreeholdInspection", "FreeholdStudio"]
        let objects = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
            .map { String($0).trimmingCharacters(in: CharacterSet(charactersIn: "'\"")) }
            .filter { path in !others.contains { path.contains("/\($0)") } }
        _ = try desk.write(objects.joined(separator: "\n"), to: "objects")
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let process = ChildProcess(URL(fileURLWithPath: compiler))
        process.arguments =
            [
                "-swift-version", "6", "-parse-as-library", "-module-name", "Models", "-I",
                products.appendingPathComponent("Modules").path,
            ]
            + ["CLMDB", "CThread"].flatMap {
                [
                    "-Xcc",
                    "-fmodule-map-file="
                        + root.appendingPathComponent("Sources/\($0)/module.modulemap").path,
                ]
            } + [
                "-o", desk.path("program"), desk.path("Models.swift"),
                "@" + desk.path("objects"), "-llmdb", "-lstdc++",
            ]
        process.currentDirectoryURL = root
        return try Command.run(of: process)
    }

    /// Names that Swift has other uses for.
    @Test func names() {
        let schema = SchemaDescription(
            schemaVersion: 0,
            classes: [
                .init(
                    name: "Date", isEmbedded: false, primaryKey: nil, count: nil,
                    properties: [
                        .init(
                            name: "class", kind: .int, collection: nil, isOptional: false,
                            target: nil, index: nil),
                        .init(
                            name: "my name", kind: .object, collection: .list, isOptional: false,
                            target: "Date", index: nil),
                        .init(
                            name: "description", kind: .string, collection: nil, isOptional: true,
                            target: nil, index: .ordered),
                    ])
            ])
        let text = SwiftModels.text(schema, file: "a.realm")
        #expect(text.contains("final class DateModel: Freehold.Object {"))
        #expect(text.contains("@Persisted var `class`: Int"))
        #expect(text.contains("@Persisted var my_name: List<DateModel>"))
        #expect(text.contains("@Persisted(indexed: true) var description_: String?"))
        #expect(text.contains("_realmObjectName() -> String? { \"Date\" }"))
        #expect(text.contains("\"my_name\": \"my name\", \"description_\": \"description\""))
    }
}
