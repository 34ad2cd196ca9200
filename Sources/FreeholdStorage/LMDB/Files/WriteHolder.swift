internal import Synchronization

/// The owner of a writer, such as a realm's confinement: to detect a writer that waits for
/// itself, and for diagnostics.
package final class WriterHome: Sendable {
    /// Whether the caller runs where the writer runs, so that the writer cannot proceed while
    /// the caller waits.
    package let isHere: @Sendable () -> Bool
    /// For diagnostics, after the word "by": "the realm opened at App/Library.swift:12 on the
    /// main thread".
    package let describe: @Sendable () -> String
    /// Whether a transaction is open that only the home can end. False while it is being
    /// committed.
    private let isOpen = Atomic<Bool>(false)
    /// The thread that runs a block of the transaction; 0 if none does.
    private let blockThread = Atomic<UInt>(0)
    private let thread: @Sendable () -> UInt

    /// - Parameter thread: The calling thread's token.
    package init(
        thread: @escaping @Sendable () -> UInt, isHere: @escaping @Sendable () -> Bool,
        describe: @escaping @Sendable () -> String
    ) {
        self.thread = thread
        self.isHere = isHere
        self.describe = describe
    }

    package func setOpen(_ isOpen: Bool) { self.isOpen.store(isOpen, ordering: .relaxed) }

    /// Runs a block of the open transaction; the transaction cannot end before the block does.
    package func runningBlock<Result>(_ block: () throws -> Result) rethrows -> Result {
        blockThread.store(thread(), ordering: .relaxed)
        defer { blockThread.store(0, ordering: .relaxed) }
        return try block()
    }

    /// Whether a transaction is open that cannot end while the caller waits for it.
    var waitsForCaller: Bool {
        guard isOpen.load(ordering: .relaxed) else { return false }
        return blockThread.load(ordering: .relaxed) == thread() || isHere()
    }
}

/// The requester of a write grant.
package struct WriterIdentity: Sendable {
    /// Nil for the library's own writes.
    package var home: WriterHome?
    /// Where the program made the request; nil if unknown.
    package var fileID: StaticString?
    package var line: UInt
    /// The kernel's number of the thread; 0 if it is not known.
    package var thread: Int

    package init(
        home: WriterHome? = nil, fileID: StaticString? = nil, line: UInt = 0, thread: Int = 0
    ) {
        self.home = home
        self.fileID = fileID
        self.line = line
        self.thread = thread
    }

    /// The place of the request, such as "App/Library.swift:12".
    var site: String? { fileID.map { "\($0):\(line)" } }
}

/// The holder of this process's write grant, and since when it holds it.
struct WriteHolder: Sendable {
    let identity: WriterIdentity
    let since = ContinuousClock.now

    init(_ identity: WriterIdentity) { self.identity = identity }

    /// Whether the grant cannot end while the caller waits for it.
    var waitsForCaller: Bool { identity.home?.waitsForCaller ?? false }

    /// The holder, such as "by thread 12 ('import') of this process, for 3.2 s, in the write
    /// that began at App/Library.swift:12, of the realm opened at …".
    var description: String {
        var text =
            identity.thread == 0
            ? "by this process"
            : "by \(Self.threadName(identity.thread, of: "self")) of this process"
        text += ", for \(Self.text(ContinuousClock.now - since))"
        if let site = identity.site { text += ", in the write that began at \(site)" }
        if let home = identity.home { text += ", of \(home.describe())" }
        return text
    }

    /// The thread's number and name, such as "thread 12 ('import')".
    static func threadName(_ thread: Int, of process: String) -> String {
        let name = commandName("/proc/\(process)/task/\(thread)/comm")
        return name.isEmpty ? "thread \(thread)" : "thread \(thread) ('\(name)')"
    }

    /// The kernel's name of a process or thread; empty if it has ended.
    static func commandName(_ path: String) -> String {
        String(decoding: Files.beginning(of: path, upTo: 32).prefix { $0 != 10 }, as: UTF8.self)
    }

    /// Seconds with one decimal, such as "3.2 s".
    static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return "\(seconds).\(attoseconds / 100_000_000_000_000_000) s"
    }
}
