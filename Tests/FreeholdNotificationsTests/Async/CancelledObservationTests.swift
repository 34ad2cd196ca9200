import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Tokens for which there will be no registration are not valid, as in Realm.
@Suite struct CancelledObservationTests {
    typealias Item = ObservedModels.Item

    private actor Listener {
        private(set) var callCount = 0
        func note() { callCount += 1 }
    }

    private func withFile(_ body: @Sendable (Realm.Configuration) async throws -> Void) async throws
    {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: ObservedModels.all)
        try await body(configuration)
        let problems = try await Realm.performBackgroundTask(configuration: configuration) {
            try $0.check()
        }
        #expect(problems.isEmpty)
        directory.delete()
    }

    /// In each case, whether the token was valid.
    private func observe(
        _ configuration: Realm.Configuration, on listener: Listener, isCancelled: Bool
    ) async throws -> [Bool] {
        let task = Task {
            let realm = try await Realm.open(configuration: configuration)
            let item = try realm.write {
                realm.create(Item.self, value: ["id": 1], update: .modified)
            }
            if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
            let tokens = await [
                realm.objects(Item.self).observe(on: listener) { listener, _ in listener.note() },
                item.observe(on: listener) { listener, _ in listener.note() },
                item.children.observe(on: listener) { listener, _ in listener.note() },
                item.marks.observe(on: listener) { listener, _ in listener.note() },
            ]
            return tokens.map { $0.invalidate() }
        }
        return try await task.value
    }

    @Test func tokensOfCancelledTasks() async throws {
        try await withFile { configuration in
            let listener = Listener()
            let areValid = try await observe(configuration, on: listener, isCancelled: true)
            #expect(areValid == [false, false, false, false])
            #expect(await listener.callCount == 0)
        }
    }

    @Test func tokensOfOthers() async throws {
        try await withFile { configuration in
            let areValid = try await observe(configuration, on: Listener(), isCancelled: false)
            #expect(areValid == [true, true, true, true])
        }
    }
}
