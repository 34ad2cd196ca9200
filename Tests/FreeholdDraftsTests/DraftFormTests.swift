import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Observation
import Testing

/// Swift's Observation sees the edits of a draft, undo, saving and rebasing.
@Suite struct DraftFormTests {
    final class Member: Object, Observable {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name: String
        @Persisted var age: Int
        @Persisted var tags: List<String>
        @Persisted var home: Place?
        @Persisted var club: Club?
    }

    final class Place: EmbeddedObject, Observable {
        @Persisted var city: String
    }

    final class Club: Object, Observable {
        @Persisted var name: String
        @Persisted(originProperty: "club") var members: LinkingObjects<Member>
    }

    /// The lines of a form, each tracked anew after it was told of.
    private final class Form: Sendable {
        private let told = Locked<[String]>([])

        func track(_ name: String, _ read: () -> Void) {
            withObservationTracking(read) { self.told.withLock { $0.append(name) } }
        }

        func track(_ member: Member) {
            track("name") { _ = member.name }
            track("age") { _ = member.age }
            track("tags") { _ = Array(member.tags) }
            track("city") { _ = member.home?.city }
            track("club") { _ = member.club?.members.count }
        }

        /// The lines that were told of and not taken.
        var names: [String] { told.withLock { $0.sorted() } }

        /// The lines that were told of since the last call, which are tracked again.
        func take(_ member: Member) -> [String] {
            let names = told.withLock { told in
                defer { told = [] }
                return told
            }
            for name in Set(names) {
                switch name {
                case "name": track(name) { _ = member.name }
                case "age": track(name) { _ = member.age }
                case "tags": track(name) { _ = Array(member.tags) }
                case "city": track(name) { _ = member.home?.city }
                default: track(name) { _ = member.club?.members.count }
                }
            }
            return names.sorted()
        }
    }

    private func withMember(_ body: (Realm, Draft, Member, Form) throws -> Void) throws {
        try withTemporaryRealm([Member.self, Place.self, Club.self]) { realm in
            try realm.write {
                realm.create(
                    Member.self,
                    value: [
                        "id": 1, "name": "Ada", "home": ["city": "London"], "club": ["name": "C"],
                    ])
            }
            let draft = try realm.draft()
            let member = try #require(draft.object(ofType: Member.self, forPrimaryKey: 1))
            let form = Form()
            form.track(member)
            try body(realm, draft, member, form)
        }
    }

    private func elsewhere(_ realm: Realm, _ body: @escaping @Sendable (Member) -> Void) throws {
        let configuration = realm.configuration
        try onNewThread {
            let realm = try Realm(configuration: configuration)
            let member = try #require(realm.object(ofType: Member.self, forPrimaryKey: 1))
            try realm.write { body(member) }
        }
    }

    @Test func editsUndoAndRedo() throws {
        try withMember { realm, draft, member, form in
            draft.group { member.name = "Eve" }
            #expect(form.take(member).contains("name"))
            draft.group { member.home?.city = "Paris" }
            #expect(form.take(member) == ["city"])
            member.tags.append("a")
            #expect(form.take(member) == [])
            draft.checkpoint()
            #expect(form.take(member).contains("tags"))
            try draft.undo()
            #expect(form.take(member).contains("tags"))
            try draft.undo()
            try draft.undo()
            let told = form.take(member)
            #expect(told.contains("name") && told.contains("city") && !told.contains("age"))
            try draft.redo()
            #expect(form.take(member).contains("name"))
            #expect(!draft.realm.refresh() && form.take(member) == [])
            member.age = 5
            #expect(draft.realm.refresh() && form.take(member).contains("age"))
        }
    }

    @Test func backlinks() throws {
        try withMember { _, draft, member, form in
            draft.group { draft.create(Member.self, value: ["id": 2, "club": member.club as Any]) }
            #expect(form.take(member) == ["club"])
        }
    }

    @Test func whatOthersChangedIsToldByRebasingAndSaving() throws {
        try withMember { realm, draft, member, form in
            try elsewhere(realm) { $0.age = 40 }
            #expect(form.take(member) == [])
            try draft.rebase()
            #expect(form.take(member).contains("age"))
            draft.group { member.name = "Eve" }
            _ = form.take(member)
            try elsewhere(realm) { $0.tags.append("b") }
            try draft.save()
            let told = form.take(member)
            #expect(told.contains("tags") && !told.contains("name") && !told.contains("age"))
        }
    }

    /// A group that throws is undone; what was read inside of it is wrong.
    @Test func aGroupThatThrows() throws {
        struct Stop: Error {}
        try withMember { _, draft, member, form in
            #expect(throws: Stop.self) {
                try draft.group {
                    member.age = 7
                    form.track("read inside") { _ = member.age }
                    throw Stop()
                }
            }
            #expect(form.take(member).contains("read inside"))
        }
    }

    /// Rows that get other keys when the draft is saved are followed.
    @Test func objectsThatMove() throws {
        try withMember { realm, draft, member, form in
            let club = draft.create(Club.self, value: ["name": "mine"])
            form.track("club's name") { _ = club.name }
            try elsewhere(realm) { $0.realm?.create(Club.self, value: ["name": "theirs"]) }
            try draft.save()
            #expect(form.take(member).contains("club's name"))
            form.track("club's name") { _ = club.name }
            draft.group { club.name = "changed" }
            #expect(form.take(member).contains("club's name"))
            try draft.save()
        }
    }

    @Test func discarding() throws {
        try withMember { _, draft, member, form in
            draft.discard()
            #expect(member.isInvalidated && form.names == ["age", "city", "club", "name", "tags"])
        }
    }
}
