/// The report of an access to a realm from a thread or queue that it is not confined to.
///
/// Functions that can throw throw it; all others print its ``description`` and end the process. The report holds texts
/// and numbers only, so it can be logged or sent elsewhere.
public struct ConfinementViolation: Error, Hashable, Codable, Sendable {
    /// What happened, in one sentence that programs may rely on: "Realm accessed from incorrect thread."
    public let message: String
    /// What was tried, as "Reading 'Person.name'".
    public let access: String
    /// The realm's file; empty if it was not opened.
    public let path: String
    /// Where the realm was opened.
    public let opened: Place
    /// Where it was accessed from. File and line are known only for functions that take them.
    public let accessed: Place
    /// What to do about it.
    public let remedy: String

    init(message: String, access: String, path: String, opened: Place, accessed: Place, remedy: String) {
        self.message = message
        self.access = access
        self.path = path
        self.opened = opened
        self.accessed = accessed
        self.remedy = remedy
    }
}

extension ConfinementViolation {
    /// A place in the program while it runs: the line of source, the thread, the queue.
    public struct Place: Hashable, Codable, Sendable {
        /// `Module/File.swift`, where known.
        public let file: String?
        /// The line in ``file``; known where the file is.
        public let line: UInt?
        /// The kernel's number of the thread.
        public let threadID: Int
        /// The thread's name at the time of the report; empty if the thread has none or has ended.
        public let threadName: String
        /// Whether the thread is the process's main thread.
        public let isMainThread: Bool
        /// The label of the dispatch queue, if any.
        public let queue: String?

        /// The caller's place.
        static func here(file: String? = nil, line: UInt? = nil) -> Place {
            let thread = ThreadIdentity.current
            return Place(
                file: file, line: line, threadID: thread.systemID, threadName: thread.name, isMainThread: thread.isMain,
                queue: QueueIdentity.currentLabel)
        }
    }
}

extension ConfinementViolation: CustomStringConvertible {
    /// The message on a line of its own, then the diagnosis.
    public var description: String {
        var lines = [message, "  What: \(access)" + (path.isEmpty ? "" : " of the realm at '\(path)'")]
        if opened != accessed { lines.append("  Opened: \(opened)") }
        lines.append("  Accessed: \(accessed)")
        lines.append("  Remedy: \(remedy)")
        return lines.joined(separator: "\n")
    }
}

extension ConfinementViolation.Place: CustomStringConvertible {
    /// The line of source, the thread and the queue, as far as they are known, on one line.
    public var description: String {
        var parts: [String] = []
        if let file { parts.append("at \(file):\(line ?? 0)") }
        var thread = isMainThread ? "on the main thread (\(threadID)" : "on thread \(threadID)"
        if !threadName.isEmpty { thread += isMainThread ? ", '\(threadName)'" : " ('\(threadName)')" }
        if isMainThread { thread += ")" }
        parts.append(thread)
        if let queue { parts.append("on the queue '\(queue)'") }
        return parts.joined(separator: " ")
    }
}
