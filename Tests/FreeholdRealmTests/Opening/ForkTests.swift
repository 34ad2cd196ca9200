import Dispatch
import Foundation
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Glibc
import Testing

@testable import Freehold

/// A child uses the library although other threads of its parent were inside of it when it was
/// forked.
@Suite(.disabled(if: dlsym(nil, "__tsan_init") != nil, "ThreadSanitizer does not survive a fork."))
struct ForkTests {
    @Test func aChildOfABusyProcessUsesTheLibrary() async {
        await #expect(processExitsWith: .success) {
            endIfItHangs(after: 300)
            let directory = try TemporaryDirectory()
            // First uses take locks of the runtime, which a fork does not wait for.
            Work.useCaches(0)
            Work.useRealm(directory, "warm", 0)
            let isDone = Locker(false)
            for number in 0..<4 {
                startThread {
                    var round = 0
                    while !isDone.value {
                        for _ in 0..<50 { Work.useCaches(round) }
                        if number == 0 { Work.useRealm(directory, "parent", round) }
                        round += 1
                    }
                }
            }
            let fork = unsafeBitCast(
                try #require(dlsym(nil, "fork")), to: (@convention(c) () -> pid_t).self)
            for round in 0..<40 {
                let child = fork()
                if child == 0 {
                    endIfItHangs(after: 20)
                    Work.useCaches(round)
                    Work.useRealm(directory, "child \(round)", round)
                    _exit(0)
                }
                try requireZero(status(of: child), "round \(round)")
            }
            isDone.value = true
            directory.delete()
        }
    }

    /// The threads of the parent's background tasks are not in the child.
    @Test func aChildRunsBackgroundTasksThoughAllThreadsOfTheParentWereBusy() async {
        await #expect(processExitsWith: .success) {
            endIfItHangs(after: 300)
            let threads = BackgroundThreads(limit: 1)
            let (isBusy, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            try threads.run {
                isBusy.signal()
                mayEnd.wait()
            }
            isBusy.wait()
            let fork = unsafeBitCast(
                try #require(dlsym(nil, "fork")), to: (@convention(c) () -> pid_t).self)
            let child = fork()
            if child == 0 {
                endIfItHangs(after: 20)
                let ran = DispatchSemaphore(value: 0)
                try? threads.run { ran.signal() }
                ran.wait()
                _exit(0)
            }
            try requireZero(status(of: child))
            mayEnd.signal()
        }
    }
}

/// How a child ended. One that has not even left the handlers of the fork after a minute, where
/// it sets itself no alarm, is killed.
private func status(of child: pid_t) -> Int32 {
    let ended = DispatchSemaphore(value: 0)
    let result = Locker<Int32>(-1)
    startThread {
        var status: Int32 = -1
        result.value = waitpid(child, &status, 0) == child ? status : -1
        ended.signal()
    }
    if ended.wait(timeout: .now() + 60) == .timedOut {
        kill(child, SIGKILL)
        ended.wait()
    }
    return result.value
}

/// The threads of queues, from one of which a child may have been forked, block all signals.
private func endIfItHangs(after seconds: UInt32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGALRM)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    alarm(seconds)
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
        Realm.Configuration.defaultConfiguration = Realm.Configuration(
            schemaVersion: UInt64(round & 3))
        Realm.confinementHandler = { _ in }
        Logger.shared = Logger(level: .error) { _, _ in }
        Realm.pinnedByteWarningThreshold = 1 << 30
    }

    static func useRealm(_ directory: TemporaryDirectory, _ name: String, _ round: Int) {
        do {
            let configuration = Realm.Configuration(
                fileURL: directory.file("\(name).realm"), objectTypes: [Fixture.Dog.self])
            let realm = try Realm(configuration: configuration)
            try realm.write { _ = realm.create(Fixture.Dog.self) }
            precondition(
                realm.objects(Fixture.Dog.self).filter(
                    "age == 3 AND name == '\(round & 15)' OR age == 3"
                ).count > 0)
        } catch {
            fatalError("\(error)")
        }
    }
}

extension Fixture.Person {
    fileprivate subscript(_ number: Int) -> Int { age }
}
