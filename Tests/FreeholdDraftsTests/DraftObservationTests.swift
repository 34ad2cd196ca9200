import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Observation
import Testing

/// Swift's Observation in a draft: a form is told of each edit, undo and rebase.
@Suite struct DraftObservationTests {
    final class Contact: Object, Observable {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name: String
        @Persisted var age: Int
        @Persisted var tags: List<String>
    }

    /// A form that shows two properties, and notes which are told of.
    private final class Form: Sendable {
        private let told = Locked<[String]>([])

        func show(_ contact: Contact) {
            withObservationTracking {
                _ = contact.name
            } onChange: {
                self.told.withLock { $0.append("name") }
            }
            withObservationTracking {
                _ = contact.tags.count
            } onChange: {
                self.told.withLock { $0.append("tags") }
            }
        }

        func take() -> [String] {
            told.withLock { told in
                defer { told = [] }
                return told.sorted()
            }
        }
    }

    private func withForm(
        _ body: (Realm, Draft, Contact, Form, ManualScheduler) throws -> Void
    ) throws {
        try withTemporaryRealm([Contact.self]) { realm in
            try realm.write { realm.create(Contact.self, value: ["id": 1, "name": "Ada"]) }
            let scheduler = ManualScheduler()
            let stepped = try Realm(configuration: realm.configuration, scheduler: scheduler)
            let draft = try stepped.draft()
            let contact = try #require(draft.object(ofType: Contact.self, forPrimaryKey: 1))
            let form = Form()
            form.show(contact)
            try body(realm, draft, contact, form, scheduler)
        }
    }

    @Test func edits() throws {
        try withForm { realm, draft, contact, form, scheduler in
            contact.age = 1
            scheduler.runAll()
            #expect(form.take() == [])
            contact.name = "Eve"
            #expect(form.take() == ["name"])
            contact.tags.append("a")
            scheduler.runAll()
            #expect(form.take() == ["tags"])
            form.show(contact)
            contact.name = "Grace"
            contact.tags.append("b")
            scheduler.runAll()
            #expect(form.take() == ["name", "tags"])
        }
    }

    @Test func undoAndGroups() throws {
        struct Stop: Error {}
        try withForm { realm, draft, contact, form, scheduler in
            contact.name = "Eve"
            contact.tags.append("a")
            scheduler.runAll()
            _ = form.take()
            form.show(contact)
            try draft.undo()
            #expect(form.take() == ["name", "tags"])
            form.show(contact)
            try draft.redo()
            #expect(form.take() == ["name", "tags"] && contact.name == "Eve")
            form.show(contact)
            #expect(throws: Stop.self) {
                try draft.group {
                    contact.name = "Mallory"
                    _ = form.take()
                    form.show(contact)
                    throw Stop()
                }
            }
            #expect(form.take().contains("name") && contact.name == "Eve")
        }
    }

    @Test func rebaseSaveAndDiscard() throws {
        try withForm { realm, draft, contact, form, scheduler in
            try realm.write {
                realm.object(ofType: Contact.self, forPrimaryKey: 1)?.name = "Grace"
            }
            scheduler.runAll()
            #expect(form.take() == [])
            try draft.rebase()
            #expect(form.take() == ["name"])
            form.show(contact)
            contact.age = 5
            try realm.write {
                realm.object(ofType: Contact.self, forPrimaryKey: 1)?.tags.append("theirs")
            }
            try draft.save()
            #expect(Set(form.take()) == ["tags"])
            form.show(contact)
            draft.discard()
            #expect(form.take().contains("name"))
        }
    }

    /// Without a run loop, an edit of a property is told of at once, the rest by `refresh()`.
    @Test func onAThread() throws {
        try withTemporaryRealm([Contact.self]) { realm in
            let configuration = realm.configuration
            try onNewThread {
                let draft = try Realm.draft(configuration: configuration)
                let contact = draft.create(Contact.self, value: ["id": 1, "name": "Ada"])
                let form = Form()
                form.show(contact)
                contact.name = "Eve"
                contact.tags.append("a")
                #expect(form.take() == ["name"])
                draft.realm.refresh()
                #expect(form.take() == ["tags"])
            }
        }
    }
}
