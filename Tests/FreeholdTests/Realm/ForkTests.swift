import Dispatch
import Foundation
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Glibc
import Testing

@testable import Freehold

/// A child uses the library although other threads of its parent were inside of it when it was forked.
@Suite(.disabled(if: dlsym(nil, "__tsan_init") != nil, "ThreadSanitizer does not survive a fork.")) struct ForkTests {
    @Test func aChildOfABusyProcessUsesTheLibrary() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            // What is used for the first time is the runtime's matter, whose locks nobody keeps from a fork.
            Work.useCaches(0)
            Work.useRealm(directory, "warm", 0)
            let isDone = Locker(false)
            let busy = (0 ..< 4).map { number in
                Thread {
                    var round = 0
                    while !isDone.value {
                        for _ in 0 ..< 50 { Work.useCaches(round) }
                        if number == 0 { Work.useRealm(directory, "parent", round) }
                        round += 1
                    }
                }
            }
            for thread in busy { thread.start() }
            let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: (@convention(c) () -> pid_t).self)
            for round in 0 ..< 40 {
                let child = fork()
                if child == 0 {
                    endIfItHangs()
                    Work.useCaches(round)
                    Work.useRealm(directory, "child \(round)", round)
                    _exit(0)
                }
                var status: Int32 = -1
                try #require(waitpid(child, &status, 0) == child)
                try #require(status == 0, "round \(round)")
            }
            isDone.value = true
            directory.delete()
        }
    }

    /// The threads of the parent's background tasks are not in the child.
    @Test func aChildRunsBackgroundTasksThoughAllThreadsOfTheParentWereBusy() async {
        await #expect(processExitsWith: .success) {
            let threads = BackgroundThreads(limit: 1)
            let (isBusy, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            try threads.run {
                isBusy.signal()
                mayEnd.wait()
            }
            isBusy.wait()
            let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: (@convention(c) () -> pid_t).self)
            let child = fork()
            if child == 0 {
                endIfItHangs()
                let ran = DispatchSemaphore(value: 0)
                try? threads.run { ran.signal() }
                ran.wait()
                _exit(0)
            }
            var status: Int32 = -1
            try #require(waitpid(child, &status, 0) == child)
            try #require(status == 0)
            mayEnd.signal()
        }
    }
}

/// The threads of queues, from one of which a child may have been forked, block all signals.
private func endIfItHangs() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGALRM)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    alarm(20)
}

private enum Work {
    /// Takes each lock of the process's state once.
    static func useCaches(_ round: Int) {
        _ = SortDescriptor(keyPath: \Fixture.Person.[round & 7])
        _ = SortDescriptor(keyPath: \Fixture.Person.name)
        _ = QueueIdentity.number(of: DispatchQueue(label: "fork"))
        _ = StoredClasses.type(named: "Class \(round & 7)", isEmbedded: false)
        _ = try? ClassSchema.shared(for: Fixture.Person.self)
        _ = try? SchemaSet.resolve([Fixture.Person.self, Fixture.Dog.self])
        Realm.Configuration.defaultConfiguration = Realm.Configuration(schemaVersion: UInt64(round & 3))
        Realm.confinementHandler = { _ in }
        Logger.shared = Logger(level: .error) { _, _ in }
        Realm.pinnedByteWarningThreshold = 1 << 30
    }

    static func useRealm(_ directory: TemporaryDirectory, _ name: String, _ round: Int) {
        do {
            let configuration = Realm.Configuration(fileURL: directory.file("\(name).realm"), objectTypes: [Fixture.Dog.self])
            let realm = try Realm(configuration: configuration)
            try realm.write { _ = realm.create(Fixture.Dog.self) }
            precondition(realm.objects(Fixture.Dog.self).filter("age == 3 AND name == '\(round & 15)' OR age == 3").count > 0)
        } catch {
            fatalError("\(error)")
        }
    }
}

extension Fixture.Person {
    fileprivate subscript(_ number: Int) -> Int { age }
}
