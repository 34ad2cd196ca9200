import Testing

@testable import FreeholdPostgres

/// When pushes are announced: the first at once, then one in 5 ms, and none is forgotten.
struct AnnouncerTests {
    private let began = ContinuousClock.now

    private func makeAnnouncer() -> Announcer {
        Announcer(Statement(name: "announce", text: ""), at: began)
    }

    @Test func theFirstPushAtOnce() {
        var announcer = makeAnnouncer()
        #expect(announcer.deadline == nil && announcer.takeIfDue(at: began) == nil)
        #expect(announcer.announce(at: began) != nil)
        #expect(announcer.deadline == nil)
    }

    @Test func manyPushesTogether() {
        var announcer = makeAnnouncer()
        #expect(announcer.announce(at: began) != nil)
        #expect(announcer.announce(at: began + .milliseconds(1)) == nil)
        #expect(announcer.announce(at: began + .milliseconds(2)) == nil)
        #expect(announcer.deadline == began + .milliseconds(5))
        #expect(announcer.takeIfDue(at: began + .milliseconds(4)) == nil)
        #expect(announcer.takeIfDue(at: began + .milliseconds(5)) != nil)
        #expect(announcer.takeIfDue(at: began + .milliseconds(20)) == nil)
        #expect(announcer.announce(at: began + .milliseconds(20)) != nil)
    }
}
