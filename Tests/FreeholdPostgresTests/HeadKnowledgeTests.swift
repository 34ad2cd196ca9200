@testable import FreeholdPostgres
import Testing

/// What ends a wait for the head: answers of the server, and each notification once.
struct HeadKnowledgeTests {
    /// A notification that somebody made up.
    private let forged = KnownHead("1 9223372036854775807") ?? KnownHead(epoch: 0, head: 0)

    @Test func answers() {
        var heads = HeadKnowledge()
        heads.note(answer: KnownHead(epoch: 1, head: 5))
        #expect(heads.endsWait(above: 4) == true)
        #expect(heads.endsWait(above: 4) == true)
        #expect(heads.endsWait(above: 5) == false)
        // They come in any order.
        heads.note(answer: KnownHead(epoch: 1, head: 3))
        #expect(heads.endsWait(above: 4) == true)
        heads.note(answer: KnownHead(epoch: 2, head: 1))
        #expect(heads.known == KnownHead(epoch: 2, head: 1))
        #expect(heads.endsWait(above: 1) == false)
    }

    /// Otherwise whoever waits, asks the server and waits again would do so without a pause.
    @Test func aForgedNotificationEndsOneWait() {
        var heads = HeadKnowledge()
        heads.note(answer: KnownHead(epoch: 1, head: 5))
        heads.note(hint: forged)
        #expect(heads.endsWait(above: 5) == true)
        heads.note(answer: KnownHead(epoch: 1, head: 5))
        #expect(heads.endsWait(above: 5) == false)
        #expect(heads.known == KnownHead(epoch: 1, head: 5))
        // True ones count afterwards as before.
        heads.note(hint: KnownHead(epoch: 1, head: 6))
        #expect(heads.endsWait(above: 5) == true)
        #expect(heads.endsWait(above: 5) == false)
        heads.note(hint: KnownHead(epoch: 2, head: 1))
        #expect(heads.endsWait(above: 5) == true)
    }

    /// Notifications come while the call is under way that tells as much.
    @Test func answersThatTellAsMuch() {
        var heads = HeadKnowledge()
        heads.note(hint: KnownHead(epoch: 1, head: 6))
        heads.note(answer: KnownHead(epoch: 1, head: 6))
        #expect(heads.endsWait(above: 6) == false)
        heads.note(hint: KnownHead(epoch: 1, head: 8))
        heads.note(answer: KnownHead(epoch: 1, head: 7))
        #expect(heads.endsWait(above: 7) == true)
        #expect(heads.endsWait(above: 7) == false)
        // What is known already.
        heads.note(hint: KnownHead(epoch: 1, head: 7))
        #expect(heads.endsWait(above: 7) == false)
    }
}
