import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Keys that are changed, files that are expected, copies and diagnoses of encrypted realms, by
/// the public interface.
@Suite struct EncryptionKeyChangeTests {
    private static let key = Data((0..<64).map { UInt8($0) })
    private static let otherKey = Data((0..<64).map { UInt8($0 ^ 1) })

    private static func configuration(_ url: URL, _ key: Data? = key) -> Realm.Configuration {
        Realm.Configuration(fileURL: url, encryptionKey: key, objectTypes: Fixture.all)
    }

    @Test func openRealmsGoOnAfterAChange() throws {
        try withTemporaryDirectory { directory in
            let configuration = Self.configuration(directory.file())
            do {
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.add((0..<1_000).map { Fixture.Person(id: $0) }) }
                let frozen = Frozen(realm.objects(Fixture.Person.self))
                try Realm.changeEncryptionKey(of: configuration, to: Self.otherKey)
                // Threads open the file anew, by the old configuration, as thaw() does.
                try onNewThread {
                    let thawed = frozen.thaw()
                    let opened = try Realm(configuration: configuration)
                    #expect(
                        thawed?.count == 1_000 && opened.objects(Fixture.Person.self).count == 1_000
                    )
                }
                try realm.write { realm.add(Fixture.Person(id: 1_000)) }
                #expect(try realm.check().isEmpty)
            }
            #expect(realmCode { _ = try Realm(configuration: configuration) } == .invalidDatabase)
            #expect(
                try Realm(configuration: Self.configuration(directory.file(), Self.otherKey))
                    .objects(Fixture.Person.self).count == 1_001)
        }
    }

    @Test func whatCannotBeChanged() throws {
        try withTemporaryDirectory { directory in
            let configuration = Self.configuration(directory.file())
            func code(_ configuration: Realm.Configuration, _ key: Data = Self.otherKey) -> Realm
                .Error.Code?
            {
                realmCode { try Realm.changeEncryptionKey(of: configuration, to: key) }
            }
            #expect(code(configuration) == .fileNotFound)
            #expect(!FileManager.default.fileExists(atPath: directory.file().path))
            do { _ = try Realm(configuration: configuration) }
            #expect(code(configuration, Data(count: 63)) == .invalidInput)
            #expect(code(Self.configuration(directory.file(), Self.otherKey)) == .invalidDatabase)
            var reading = configuration
            reading.readOnly = true
            #expect(code(reading) == .filePermissionDenied)
            if !EncryptedSuite.isOn {
                do {
                    _ = try Realm(
                        configuration: Self.configuration(directory.file("plain.realm"), nil))
                }
                #expect(
                    code(Self.configuration(directory.file("plain.realm"), nil)) == .invalidDatabase
                )
            }
            #expect(try Realm(configuration: configuration).isEmpty)
        }
    }

    @Test func otherFilesAndOlderStatesAreRefused() throws {
        try withTemporaryDirectory { directory in
            var configuration = Self.configuration(directory.file())
            do {
                let realm = try Realm(configuration: configuration)
                try FileManager.default.copyItem(
                    at: directory.file(), to: directory.file("older.realm"))
                try realm.write { realm.add(Fixture.Person(id: 0)) }
                configuration.expectedFileIdentifier = realm.fileIdentifier
                configuration.minimumVersion = realm.version
                try realm.writeCopy(
                    toFile: directory.file("copy.realm"), encryption: .key(Self.key))
            }
            do {
                let realm = try Realm(configuration: configuration)
                #expect(
                    realm.fileIdentifier == configuration.expectedFileIdentifier
                        && realm.version == configuration.minimumVersion)
                try realm.compact()
            }
            #expect(try Realm(configuration: configuration).objects(Fixture.Person.self).count == 1)
            for (name, expected) in [
                ("older.realm", Realm.Error.Code.outdatedFile), ("copy.realm", .unexpectedFile),
                ("none.realm", .fileNotFound),
            ] {
                var other = configuration
                other.fileURL = directory.file(name)
                #expect(realmCode { _ = try Realm(configuration: other) } == expected)
            }
            #expect(!FileManager.default.fileExists(atPath: directory.file("none.realm").path))
        }
    }

    @Test(.disabled(if: EncryptedSuite.isOn, "Each file has a key then."))
    func plainCopiesOfEncryptedRealmsAreWarnedOf() async throws {
        let directory = try TemporaryDirectory()
        await #expect(processExitsWith: .success) { [path = directory.file().path as String] in
            let seen = Locker<[String]>([])
            Logger.shared = Logger(level: .warn) { _, message in seen.update { $0.append(message) }
            }
            let realm = try Realm(
                configuration: EncryptionKeyChangeTests.configuration(URL(fileURLWithPath: path)))
            try realm.write { realm.add(Fixture.Person(id: 0)) }
            func copy(_ name: String) -> URL { URL(fileURLWithPath: path + name) }
            try realm.writeCopy(toFile: copy("1"), encryption: .unencrypted)
            try realm.writeCopy(
                toFile: copy("2"), encryption: .key(EncryptionKeyChangeTests.otherKey))
            try realm.writeCopy(toFile: copy("3"), encryptionKey: EncryptionKeyChangeTests.otherKey)
            try #require(seen.value.isEmpty, "\(seen.value)")
            try realm.writeCopy(toFile: copy("4"))
            try realm.writeCopy(
                configuration: EncryptionKeyChangeTests.configuration(copy("5"), nil))
            try #require(
                seen.value.count == 2
                    && seen.value.allSatisfy { $0.contains("is encrypted, and its copy") },
                "\(seen.value)")
            for name in ["1", "4", "5"] {
                let plain = try Realm(
                    configuration: EncryptionKeyChangeTests.configuration(copy(name), nil))
                try #require(plain.objects(Fixture.Person.self).count == 1)
            }
        }
        directory.delete()
    }

    /// Traps end in logs.
    @Test func trapsDoNotSayPrimaryKeys() async throws {
        let directory = try TemporaryDirectory()
        let duplicate = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [path = directory.file().path as String] in
            let realm = try Realm(
                configuration: EncryptionKeyChangeTests.configuration(URL(fileURLWithPath: path)))
            try realm.write {
                realm.add([Fixture.Tagged(tag: "secret-tag"), Fixture.Tagged(tag: "secret-tag")])
            }
        }
        expectMessage(
            duplicate,
            """
            Attempting to create an object of type 'Fixture_Tagged' with an existing \
            primary key value.\n
            """
        )
        let deleted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [path = directory.file("b").path as String] in
            let realm = try Realm(
                configuration: EncryptionKeyChangeTests.configuration(URL(fileURLWithPath: path)))
            let person = Fixture.Person(id: 773_311)
            try realm.write {
                realm.add(person)
                realm.delete(person)
            }
            _ = person.name
        }
        expectMessage(deleted, "Object has been deleted or invalidated.")
        for result in [duplicate, deleted] {
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(!text.contains("secret-tag") && !text.contains("773311"))
        }
        directory.delete()
    }
}
