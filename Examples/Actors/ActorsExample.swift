import Foundation
import Freehold

/// Shows realms and actors: run it, and read along.
@main
@MainActor
struct ActorsExample {
    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.count == 3, arguments[1] == "wrong-thread" {
            return try await WrongThread.commit(
                Realm.Configuration(fileURL: URL(fileURLWithPath: arguments[2])))
        }
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "freehold-actors-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try await ActorsExample(directory: directory).run()
    }

    let directory: URL
    var configuration: Realm.Configuration {
        Realm.Configuration(fileURL: directory.appendingPathComponent("library.realm"))
    }

    func run() async throws {
        try await pinnedActor()
        try await modelActor()
        try await mainActor()
        try await backgroundTask()
        try wrongThread()
        let problems = try await Realm.performBackgroundTask(configuration: configuration) {
            try $0.check()
        }
        print("\nThe file \(problems.isEmpty ? "is sound." : "has problems: \(problems)")")
    }

    private func pinnedActor() async throws {
        print("A global actor with a thread of its own keeps a live object:")
        let counter = try await Counter(configuration)
        print("  lent \(try await counter.lend(times: 20)) times, one object, 40 awaits")
    }

    private func modelActor() async throws {
        print("\nA model actor serves many tasks:")
        let library = Library(configuration)
        let titles = ["Snow Country", "Kusamakura", "Botchan", "I Am a Cat"]

        // Forty tasks insert four books. The check and the insertion are one transaction, so each
        // book is inserted once.
        let inserted = try await withThrowingTaskGroup(of: Bool.self) { group in
            for attempt in 0..<40 {
                let title = titles[attempt % titles.count]
                group.addTask {
                    try await library.insertIfAbsent(
                        Book(value: ["isbn": "isbn \(title)", "title": title])
                    ) { $0.title == title }
                }
            }
            var inserted = 0
            for try await wasAbsent in group where wasAbsent { inserted += 1 }
            return inserted
        }
        print("  40 tasks inserted \(inserted) books")

        // Two readers want the same book.
        async let mine = library.lend("isbn Botchan", to: "Ada")
        async let yours = library.lend("isbn Botchan", to: "Grace")
        let lent = try await [mine, yours]
        print("  of two readers \(lent.filter { $0 }.count) gets it")

        // Only `Sendable` values leave an actor: here the titles.
        let free = try await library.fetch(
            Book.self, where: { $0.reader == nil }, sortedBy: ["title"], limit: 3
        ) { $0.title }
        print("  free: \(free.joined(separator: ", "))")
        print("  removed \(try await library.remove(Book.self) { $0.title.starts(with: "I ") })")
    }

    private func mainActor() async throws {
        print("\nThe main actor writes without blocking:")
        let realm = try await Realm(configuration: configuration)

        // With `await`: the changes are on disk when the call returns.
        try await realm.asyncWrite {
            _ = realm.create(Book.self, value: ["isbn": "2", "title": "The Woman in the Dunes"])
        }
        print("  asyncWrite: \(realm.objects(Book.self).count) books")

        // With a completion: the caller continues at once.
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            realm.writeAsync {
                for book in realm.objects(Book.self) where book.reader != nil { book.reader = nil }
            } onComplete: { error in
                if let error { done.resume(throwing: error) } else { done.resume() }
            }
            print("  writeAsync: asked for")
        }
        print(
            """
              writeAsync: on the disk, \
            \(realm.objects(Book.self).where { $0.reader == nil }.count) books are free
            """
        )
    }

    private func backgroundTask() async throws {
        let total: Int = try await Realm.performBackgroundTask(configuration: configuration) {
            $0.objects(Book.self).sum(of: \.lendings)
        }
        print("\nA background task with a realm of its own counts \(total) lendings.")
    }

    private func wrongThread() throws {
        print("\nA live object on a wrong thread, in another process:")
        for line in try WrongThread.report(in: directory) { print("  \(line)") }
    }
}
