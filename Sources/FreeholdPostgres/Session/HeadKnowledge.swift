/// What a session knows of the head of its realm.
///
/// Only the server's answers count. A notification may be anybody's: it ends waits, each once, and
/// the caller then asks the server.
struct HeadKnowledge {
    /// The newest head of an answer.
    private(set) var known = KnownHead(epoch: 0, head: 0)
    /// The newest head of the notifications that have not ended a wait yet; nil where an answer
    /// told as much.
    private var hint: KnownHead?

    mutating func note(answer head: KnownHead) {
        known = max(known, head)
        if let hint, hint <= known { self.hint = nil }
    }

    /// Notes a notification that has ended no wait.
    mutating func note(hint head: KnownHead) {
        if head > known { hint = max(hint ?? head, head) }
    }

    /// Whether a wait that begins is over at once. A hint ends one wait and is then forgotten.
    mutating func endsWait(above sequence: Int64) -> Bool {
        if known.head > sequence { return true }
        guard let hint, hint.epoch > known.epoch || hint.head > sequence else { return false }
        self.hint = nil
        return true
    }
}
