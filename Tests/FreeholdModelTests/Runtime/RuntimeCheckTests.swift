import Dispatch
import Foundation
import FreeholdRealmTestSupport
import FreeholdStorage
import Testing

@testable import Freehold

/// What the library takes for granted of Swift's runtime holds here, and each wrong expectation
/// is noticed before anything is read by it.
@Suite struct RuntimeCheckTests {
    @Test func theRuntimeOfThisProgramIsKnown() throws {
        #expect(RuntimeCheck.problem == nil)
        try RuntimeCheck.verify()
        try ClassDiscovery.verify()
    }

    /// One wrong number each: a neighbouring field, or what another runtime might have.
    @Test(arguments: [
        Wrong("an object's header", "metadata of a class") { $0.objectHeaderSize = 24 },
        Wrong("the place of instance sizes", "metadata of a class") { $0.instanceSizeOffset = 32 },
        Wrong("the place of alignment masks", "metadata of a class") {
            $0.alignmentMaskOffset = 30
        },
        Wrong("the place of descriptors", "lead to its descriptor") { $0.descriptorOffset = 32 },
        Wrong("the place of descriptors, as an address", "lead to its descriptor") {
            $0.descriptorOffset = 8
        },
        Wrong("the place of names", "lead to its descriptor") { $0.descriptorNameOffset = 12 },
        Wrong("the place of superclasses", "superclass") { $0.descriptorSuperclassOffset = 16 },
        Wrong("the kind of classes", "lead to its descriptor") { $0.classKind = 17 },
        Wrong("the reflection of classes", "fields of a class") { $0.classFieldOption = 0 },
        Wrong("the size of executors", "two words") { $0.executorWordCount = 1 },
        Wrong("one thread pointer for all", "same thread pointer") { $0.threadToken = { 64 } },
        Wrong("no thread pointer", "thread pointer") { $0.threadToken = { 0 } },
        Wrong("retaining what ends", "last reference") {
            $0.tryRetain = { $0.takeUnretainedValue() }
        },
        Wrong("retaining nothing", "last reference") { $0.tryRetain = { _ in nil } },
    ])
    func aWrongExpectationIsNoticed(_ wrong: Wrong) throws {
        var expected = RuntimeCheck.Expectations()
        #expect(RuntimeCheck.problem(with: expected) == nil)
        wrong.plant(&expected)
        let problem = try #require(RuntimeCheck.problem(with: expected))
        #expect(problem.contains(wrong.words))
        let error = #expect(throws: Realm.Error.self) { try RuntimeCheck.refuse(problem) }
        #expect(error?.code == .unsupportedRuntime)
        #expect(error?.message.contains(problem) == true)
    }

    struct Wrong: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let words: String
        let plant: @Sendable (inout RuntimeCheck.Expectations) -> Void

        init(
            _ name: String, _ words: String,
            _ plant: @escaping @Sendable (inout RuntimeCheck.Expectations) -> Void
        ) {
            testDescription = name
            self.words = words
            self.plant = plant
        }
    }

    @Test func aRealmIsNotOpenedOnAnUnknownRuntime() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: [Fixture.Dog.self])
            var expected = RuntimeCheck.Expectations()
            expected.objectHeaderSize = 24
            RuntimeCheck.$planted.withValue(expected) {
                let opening = #expect(throws: Realm.Error.self) {
                    try Realm(configuration: configuration)
                }
                #expect(opening?.code == .unsupportedRuntime)
                let migrating = #expect(throws: Realm.Error.self) {
                    try Realm.performMigration(for: configuration)
                }
                #expect(migrating?.code == .unsupportedRuntime)
            }
            #expect(!FileManager.default.fileExists(atPath: configuration.fileURL?.path ?? ""))
            let realm = try Realm(configuration: configuration)
            #expect(realm.isEmpty)
        }
    }

    /// In a process of its own: where the classes have been found once, they are known.
    @Test func classesThatAreNotNamedAreNotLookedForInUnknownLists() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            var expected = RuntimeCheck.Expectations()
            expected.typeListVersions = 1...2
            try RuntimeCheck.$planted.withValue(expected) {
                let configuration = Realm.Configuration(fileURL: directory.file())
                let error = #expect(throws: Realm.Error.self) {
                    try Realm(configuration: configuration)
                }
                try #require(error?.code == .unsupportedRuntime)
                try #require(error?.message.contains("objectTypes") == true)
                let named = Realm.Configuration(
                    fileURL: directory.file(), objectTypes: [Fixture.Dog.self])
                let realm = try Realm(configuration: named)
                try #require(realm.isEmpty)
            }
            directory.delete()
        }
    }

    // Records of 8 bytes would be every other one, among which the library's class may be.
    @Test(arguments: [
        (versions: 1...2 as ClosedRange<UInt>, size: 4, words: "version"),
        (versions: ClassDiscovery.knownVersions, size: .max, words: "this library's"),
    ])
    func unknownListsOfTypesAreRefused(versions: ClosedRange<UInt>, size: Int, words: String) throws
    {
        let problem = try #require(ClassDiscovery.problem(versions, recordSize: size))
        #expect(problem.contains(words))
        let error = #expect(throws: Realm.Error.self) { try ClassDiscovery.refuse(problem) }
        #expect(error?.code == .unsupportedRuntime)
        #expect(error?.message.contains("objectTypes") == true)
    }

    @Test func queuesThatCannotBeToldApartAreRefused() throws {
        let serial = DispatchQueue(label: "serial")
        let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let specimens = try #require(
            QueueIdentity.Specimens(serial: serial, concurrent: concurrent, global: .global()))
        #expect(try QueueIdentity.isSerial(serial, specimens))
        #expect(try QueueIdentity.isSerial(.main, specimens))
        #expect(try !QueueIdentity.isSerial(concurrent, specimens))
        #expect(try !QueueIdentity.isSerial(.global(), specimens))
        // One class for all, and a wrapper that is made otherwise.
        let alike = QueueIdentity.Specimens(serial: serial, concurrent: serial, global: .global())
        let unreadable = QueueIdentity.Specimens(
            field: "wrapped", serial: serial, concurrent: concurrent, global: .global())
        for unknown in [alike, unreadable] {
            #expect(unknown == nil)
            let error = #expect(throws: Realm.Error.self) {
                try QueueIdentity.isSerial(serial, unknown)
            }
            #expect(error?.code == .unsupportedRuntime)
        }
    }
}
