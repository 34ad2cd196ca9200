import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Reading the history of a realm.
@Suite struct RealmHistoryTests {
    @Test func transactionsNameWhatChanged() throws {
        try withHistory { realm in
            try realm.write(author: "import") {
                let order = realm.create(Order.self, value: ["id": 7, "number": "A-1"])
                order.customer = realm.create(Customer.self, value: ["name": "Ada"])
                order.lines.append(Line(value: ["text": "tea"]))
                realm.add(Memo(value: ["text": "n"]))
            }
            try realm.write {
                let order = try #require(realm.object(ofType: Order.self, forPrimaryKey: 7))
                order.total = 2
                order.number = "A-2"
                order.lines[0].count = 3
            }
            try realm.write { realm.delete(realm.objects(Order.self)) }
            let all = Array(try realm.history())
            try #require(all.count == 3)
            #expect(all.map(\.author) == ["import", nil, nil])
            #expect(Set(all[0].classNames) == ["Order", "Customer", "Line", "Memo"])
            #expect(all[0].changes(of: Order.self).map(\.text) == ["Order 7 inserted"])
            #expect(all[0].changes(of: Customer.self).map(\.text) == ["Customer \"Ada\" inserted"])
            #expect(all[0].changes(of: Memo.self).first { _ in true }?.primaryKey == nil)
            #expect(all[1].changes(of: Order.self).map(\.text) == ["Order 7 updated number,total"])
            let line = try #require(all[1].changes(of: Line.self).first { _ in true })
            #expect(line.owner?.description == "Order 7")
            let deletion = try #require(all[2].changes(of: Order.self).first { _ in true })
            guard case .deleted(let tombstone) = deletion.kind else {
                Issue.record("no deletion")
                return
            }
            #expect(tombstone == ["number": "A-2"])
            #expect(all[2].changes(of: Line.self).map(\.isDeletion) == [true])
            #expect(all[0].processIdentifier == ProcessInfo.processInfo.processIdentifier)
            #expect(abs(all[0].date.timeIntervalSinceNow) < 600)
        }
    }

    @Test func changesFindTheirObjects() throws {
        try withHistory { realm in
            try realm.write {
                realm.create(Order.self, value: ["id": 7])
                realm.create(Customer.self, value: ["name": "Ada"])
                realm.add(Memo(value: ["text": "n"]))
            }
            let transaction = try #require(try realm.history().first { _ in true })
            for change in transaction.changes {
                #expect(change.object(in: realm)?.objectSchema.className == change.className)
            }
            let note = transaction.changes(of: Memo.self).compactMap {
                $0.object(ofType: Memo.self, in: realm)
            }
            #expect(note.map(\.text) == ["n"])
            #expect(
                transaction.changes(of: Order.self).allSatisfy {
                    $0.object(ofType: Memo.self, in: realm) == nil
                })
            try realm.write { realm.deleteAll() }
            #expect(transaction.changes.allSatisfy { $0.object(in: realm) == nil })
        }
    }

    @Test func valuesAreKeptOnRequest() throws {
        try withHistory(.kept(for: .forever, values: true)) { realm in
            let token = try realm.historyToken
            try realm.write {
                let order = realm.create(Order.self, value: ["id": 1, "number": "x"])
                order.customer = realm.create(Customer.self, value: ["name": "Ada"])
                order.tags.insert("a")
            }
            try realm.write {
                realm.objects(Order.self)[0].number = "y"
                realm.objects(Order.self)[0].tags.insert("b")
            }
            try realm.write { realm.delete(realm.objects(Order.self)) }
            let all = Array(try realm.history(after: token))
            let changes = all.compactMap { $0.changes(of: Order.self).first { _ in true } }
            #expect(changes[0].oldValues.isEmpty)
            #expect(changes[0].newValues["number"] == "x")
            guard case .object(let customer)? = changes[0].newValues["customer"] else {
                Issue.record("no link")
                return
            }
            #expect(customer.description == "Customer \"Ada\"")
            #expect(changes[1].oldValues == ["number": "x", "tags": .set(["a"])])
            #expect(changes[1].newValues == ["number": "y", "tags": .set(["a", "b"])])
            #expect(changes[2].oldValues["total"] == .double(0))
            #expect(changes[2].newValues.isEmpty)
        }
    }

    @Test func historiesAreFiltered() throws {
        try withHistory { realm in
            try realm.write(author: "a") { realm.create(Order.self, value: ["id": 1]) }
            try realm.write(author: "b") { realm.add(Memo()) }
            try realm.write { realm.add(Memo()) }
            let all = try realm.history()
            #expect(all.by("a").map(\.author) == ["a"])
            #expect(all.by(nil).map(\.author) == [nil])
            #expect(all.excluding(author: "a").map(\.author) == ["b", nil])
            #expect(all.changing(Order.self).map(\.author) == ["a"])
            #expect(all.changing(Memo.self).excluding(author: nil).map(\.author) == ["b"])
        }
    }

    @Test func onlyListedClassesAreRecorded() throws {
        try withHistory(.kept(for: .forever, classes: [Memo.self])) { realm in
            try realm.write { realm.create(Order.self, value: ["id": 1]) }
            #expect(try Array(realm.history()).isEmpty)
            try realm.write {
                realm.add(Memo())
                realm.create(Order.self, value: ["id": 2])
            }
            #expect(try realm.history().flatMap(\.classNames) == ["Memo"])
        }
    }

    @Test func theHistoryIsHidden() throws {
        try withHistory { realm in
            #expect(realm.isEmpty)
            try realm.write { realm.add(Memo()) }
            #expect(!realm.isEmpty)
            #expect(
                realm.schema.objectSchema.map(\.className).sorted() == [
                    "Customer", "Line", "Memo", "Order",
                ])
            try realm.write { realm.deleteAll() }
            #expect(realm.isEmpty)
            #expect(try Array(realm.history()).count == 2)
        }
    }

    // MARK: Writing

    @Test func everyKindOfTransactionHasItsAuthor() throws {
        try withHistory { realm in
            realm.beginWrite(author: "begin")
            realm.add(Memo())
            try realm.commitWrite()
            realm.beginWrite(author: "cancelled")
            realm.add(Memo())
            realm.cancelWrite()
            let draft = try realm.draft()
            draft.author = "draft"
            draft.realm.add(Memo())
            try draft.save()
            realm.refresh()
            #expect(try realm.history().map(\.author) == ["begin", "draft"])
        }
    }

    @MainActor @Test func asynchronousWritesHaveTheirAuthors() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let realm = try await Realm.open(configuration: history(of: directory))
        let writes = (0..<12).map { number in
            Task { @MainActor in
                try await realm.asyncWrite(author: number < 6 ? "a" : "b") { realm.add(Memo()) }
            }
        }
        for write in writes { try await write.value }
        await withCheckedContinuation { continuation in
            realm.writeAsync(author: "c") {
                realm.add(Memo())
            } onComplete: { error in
                #expect(error == nil)
                continuation.resume()
            }
        }
        let all = Array(try realm.history())
        #expect(Set(all.map(\.author)) == ["a", "b", "c"])
        for author in ["a", "b"] {
            #expect(all.filter { $0.author == author }.reduce(0) { $0 + $1.changes.count } == 6)
        }
        let draft = try realm.draft()
        draft.author = "draft"
        draft.realm.add(Memo())
        try await draft.save()
        realm.refresh()
        #expect(try realm.history().map(\.author).last == "draft")
    }

    @Test func undoIsATransactionLikeOthers() throws {
        try withHistory { realm in
            realm.undoManager.isRecording = true
            try realm.write { realm.add(Memo(value: ["text": "a"])) }
            try realm.write { realm.objects(Memo.self)[0].text = "b" }
            #expect(try realm.undoManager.undo())
            #expect(realm.objects(Memo.self)[0].text == "a")
            #expect(try Array(realm.history()).count == 3)
        }
    }

    // MARK: Policies

    @Test func withoutAPolicyReadingThrows() throws {
        try withHistory(nil) { realm in
            try realm.write { realm.add(Memo()) }
            let error = #expect(throws: Realm.Error.self) { try realm.history() }
            #expect(error?.code == .historyDisabled)
            #expect("\(String(describing: error))".contains("Realm.Configuration.history"))
        }
    }

    @Test func thePolicyIsTheFilesOwn() throws {
        try withTemporaryDirectory { directory in
            var token: HistoryToken?
            try autoreleased {
                let realm = try Realm(configuration: history(of: directory))
                token = try realm.historyToken
            }
            try autoreleased {
                let realm = try Realm(configuration: history(of: directory, nil))
                try realm.write { realm.add(Memo()) }
                #expect(try Array(realm.history(after: token)).count == 1)
            }
            try autoreleased {
                let realm = try Realm(configuration: history(of: directory, .off))
                #expect(throws: Realm.Error.self) { try realm.historyToken }
            }
            let realm = try Realm(configuration: history(of: directory))
            let error = #expect(throws: Realm.Error.self) { try realm.history(after: token) }
            #expect(error?.code == .historyExpired)
        }
    }

    @Test func aForeignClassCannotBeListed() throws {
        try withTemporaryDirectory { directory in
            var configuration = history(of: directory, .kept(for: .forever, classes: [Order.self]))
            configuration.objectTypes = [Memo.self]
            let error = #expect(throws: Realm.Error.self) {
                try Realm(configuration: configuration)
            }
            #expect(error?.code == .invalidInput)
        }
    }

    private func autoreleased(_ body: () throws -> Void) rethrows { try body() }

    // MARK: Tokens

    @Test func tokensAreEncodedAndOrdered() throws {
        try withHistory { realm in
            let first = try realm.historyToken
            try realm.write { realm.add(Memo()) }
            let second = try realm.historyToken
            #expect(first < second)
            let bytes = try JSONEncoder().encode(second)
            #expect(try JSONDecoder().decode(HistoryToken.self, from: bytes) == second)
            #expect(HistoryToken(first.description) == first)
            #expect(HistoryToken("nonsense") == nil)
            #expect(try realm.history(after: first).map(\.token) == [second])
            #expect(try Array(realm.history(after: second)).isEmpty)
        }
    }

    @Test func deletedHistoryHasExpired() throws {
        try withHistory { realm in
            var tokens = [try realm.historyToken]
            for _ in 0..<4 {
                try realm.write { realm.add(Memo()) }
                tokens.append(try realm.historyToken)
            }
            try realm.deleteHistory(before: tokens[3])
            #expect(try realm.history().map(\.token) == [tokens[3], tokens[4]])
            #expect(try Array(realm.history(after: tokens[2])).count == 2)
            let error = #expect(throws: Realm.Error.self) { try realm.history(after: tokens[1]) }
            #expect(error?.code == .historyExpired)
        }
    }

    @MainActor @Test func historyIsDeletedBesideAsynchronousWrites() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let realm = try await Realm.open(configuration: history(of: directory))
        realm.undoManager.isRecording = true
        for _ in 0..<3 { try realm.write { realm.add(Memo()) } }
        let writes = (0..<5).map { _ in
            Task { @MainActor in try await realm.asyncWrite { realm.add(Memo()) } }
        }
        await Task.yield()
        try realm.deleteHistory(before: try realm.historyToken)
        for write in writes { try await write.value }
        realm.refresh()
        let count = try Array(realm.history()).count
        #expect(count >= 1 && count <= 6)
        #expect(realm.objects(Memo.self).count == 8)
        #expect(realm.undoManager.undoNames.count == 8)
        #expect(try realm.check().isEmpty)
    }

    @Test func copiesOfATransactionHaveItsEntry() throws {
        try withTemporaryDirectory { directory in
            let realm = try Realm(configuration: history(of: directory))
            try realm.write { realm.add(Memo()) }
            realm.beginWrite(author: "open")
            realm.add(Memo())
            let url = directory.file("copy.realm")
            try realm.writeCopy(toFile: url)
            realm.cancelWrite()
            var configuration = history(of: directory, nil)
            configuration.fileURL = url
            let copy = try Realm(configuration: configuration)
            #expect(try copy.history().map(\.author) == [nil, "open"])
            #expect(try realm.history().map(\.author) == [nil])
        }
    }

    @Test func preservedPropertiesOfOtherClassesStay() throws {
        try withTemporaryDirectory { directory in
            try autoreleased {
                let realm = try Realm(configuration: history(of: directory))
                try realm.write {
                    realm.create(Order.self, value: ["id": 1, "number": "x"])
                    realm.create(Customer.self, value: ["name": "Ada", "city": "London"])
                }
            }
            try autoreleased {
                // A program that does not know the other classes.
                var configuration = history(of: directory)
                configuration.objectTypes = [Customer.self]
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.delete(realm.objects(Customer.self)) }
            }
            let realm = try Realm(configuration: history(of: directory, nil))
            try realm.write { realm.delete(realm.objects(Order.self)) }
            let tombstones = try realm.history().flatMap(\.changes).compactMap { change in
                if case .deleted(let tombstone) = change.kind { tombstone } else { nil }
            }
            #expect(tombstones == [["city": "London"], ["number": "x"]])
        }
    }

    @Test func oldTransactionsExpireByThemselves() throws {
        try withHistory(.kept(for: .seconds(0))) { realm in
            for _ in 0..<5 { try realm.write { realm.add(Memo()) } }
            #expect(try Array(realm.history()).count == 1)
        }
    }

    @Test func copiesKeepTheHistory() throws {
        try withTemporaryDirectory { directory in
            let realm = try Realm(configuration: history(of: directory))
            let token = try realm.historyToken
            try realm.write { realm.add(Memo()) }
            let url = directory.file("copy.realm")
            try realm.writeCopy(toFile: url)
            var configuration = history(of: directory, nil)
            configuration.fileURL = url
            let copy = try Realm(configuration: configuration)
            #expect(try copy.history(after: token).map(\.token) == [try realm.historyToken])
            // From here on, they are two histories.
            try copy.write { copy.add(Memo()) }
            try realm.write { realm.add(Memo()) }
            let foreign = try realm.historyToken
            let error = #expect(throws: Realm.Error.self) { try copy.history(after: foreign) }
            #expect(error?.code == .historyExpired)
            #expect(try copy.check().isEmpty)
        }
    }

    @Test func compactionKeepsTheHistory() throws {
        try withHistory { realm in
            let token = try realm.historyToken
            for _ in 0..<20 { try realm.write { realm.add(Memo()) } }
            try realm.compact()
            #expect(try Array(realm.history(after: token)).count == 20)
        }
    }

    @Test func encryptedFilesKeepHistory() throws {
        try withHistory(.kept(for: .forever, values: true), key: Data(repeating: 7, count: 64)) {
            realm in
            for number in 0..<30 {
                try realm.write {
                    realm.create(
                        Order.self,
                        value: [
                            "id": number, "number": String(repeating: "n", count: number * 40),
                        ])
                }
            }
            let orders = try realm.history().flatMap { Array($0.changes(of: Order.self)) }
            #expect(orders.map(\.primaryKey) == (0..<30).map { .int($0) })
        }
    }

    @Test func migrationsKeepTheHistoryReadable() throws {
        try withTemporaryDirectory { directory in
            var token: HistoryToken?
            try autoreleased {
                let realm = try Realm(configuration: history(of: directory))
                token = try realm.historyToken
                try realm.write { realm.create(Order.self, value: ["id": 1, "number": "x"]) }
            }
            var configuration = history(of: directory, nil)
            configuration.objectTypes = [Memo.self]
            configuration.schemaVersion = 1
            configuration.migrationBlock = { migration, _ in
                #expect(!migration.oldSchema.objectSchema.contains { $0.className.contains(".") })
                migration.create("Memo", value: ["text": "migrated"])
                migration.deleteData(forType: "Order")
            }
            let realm = try Realm(configuration: configuration)
            let all = Array(try realm.history(after: token))
            #expect(all.map(\.classNames).map(Set.init) == [["Order"], ["Order", "Memo"]])
            #expect(all[0].changes.map(\.text) == ["Order 1 inserted"])
            #expect(all[1].changes(ofClassNamed: "Order").map(\.isDeletion) == [true])
            #expect(all[0].changes.first { _ in true }?.object(in: realm) == nil)
            #expect(try realm.check().isEmpty)
        }
    }
}
