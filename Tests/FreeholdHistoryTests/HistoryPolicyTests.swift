import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import Testing

/// Policies of realms that are open already.
@Suite struct HistoryPolicyTests {
    @Test func openingARealmAgainGivesItAHistory() throws {
        try withTemporaryDirectory { directory in
            let realm = try Realm(configuration: history(of: directory, nil))
            try realm.write { realm.add(Memo()) }
            let again = try Realm(configuration: history(of: directory))
            #expect(again.isSameRealm(as: realm))
            try again.write { again.add(Memo()) }
            #expect(try Array(realm.history()).count == 1)
            // With values from here on.
            let policy = Realm.HistoryPolicy.kept(for: .forever, values: true)
            _ = try Realm(configuration: history(of: directory, policy))
            try realm.write(author: "values") { realm.add(Memo(value: ["text": "x"])) }
            let last = try #require(Array(try realm.history()).last)
            #expect(last.changes.map(\.newValues) == [["text": "x"]])
            // The first one again, which was not the last.
            _ = try Realm(configuration: history(of: directory))
            try realm.write { realm.add(Memo(value: ["text": "y"])) }
            #expect(Array(try realm.history()).last?.changes.map(\.newValues) == [[:]])
            _ = try Realm(configuration: history(of: directory, .off))
            #expect(throws: Realm.Error.self) { try realm.historyToken }
            #expect(try realm.check().isEmpty)
        }
    }

    @Test func aConfigurationIsMadeWithItsPolicy() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: [Memo.self],
                history: .kept(for: .hours(1), classes: [Memo.self], values: true))
            let policy = "history = kept(for: .seconds(3600.0), classes: [Memo], values: true);"
            #expect(configuration.description.contains(policy), "\(configuration)")
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.add(Memo()) }
            #expect(try Array(realm.history()).count == 1)
        }
        #expect(Realm.Configuration().description.contains("history = nil;"))
        #expect(Realm.HistoryPolicy.off.description == "off")
        #expect(Realm.HistoryPolicy.kept(for: .forever).description == "kept(for: .forever)")
    }

    /// As if another process had opened the file meanwhile.
    @Test func theFilesPolicyIsNotTheLastOneOfThisProcess() throws {
        try withTemporaryDirectory { directory in
            let realm = try Realm(configuration: history(of: directory))
            let store = realm.sharedStore
            let writeSet = try store.beginWrite(as: WriterIdentity())
            var policy = try #require(try HistoryReader(writeSet.base)).policy
            policy.keepsValues = true
            writeSet.setHistory(policy)
            _ = try store.commit(writeSet)
            let values = Realm.HistoryPolicy.kept(for: .forever, values: true)
            for (policy, kept) in [(values, ["text": "x"]), (.kept(for: .forever), [:])]
                as [(Realm.HistoryPolicy, [String: HistoryValue])]
            {
                _ = try Realm(configuration: history(of: directory, policy))
                try realm.write { realm.add(Memo(value: ["text": "x"])) }
                #expect(Array(try realm.history()).last?.changes.map(\.newValues) == [kept])
            }
            #expect(try realm.check().isEmpty)
        }
    }

    /// As if another process had opened the file with other policies meanwhile.
    @Test func openingARealmAgainRestoresItsHistory() throws {
        try withTemporaryDirectory { directory in
            let configuration = history(of: directory, .kept(for: .days(7)))
            let realm = try Realm(configuration: configuration)
            let store = realm.sharedStore
            for seconds in [nil, 5] as [Double?] {
                let writeSet = try store.beginWrite(as: WriterIdentity())
                writeSet.setHistory(seconds.map { HistoryPolicy(seconds: $0) })
                _ = try store.commit(writeSet)
                let again = try Realm(configuration: configuration)
                #expect(again.isSameRealm(as: realm))
                #expect(throws: Never.self) { try realm.historyToken }
                let found = try HistoryReader(store.newestSnapshot())
                let policy = try #require(found).policy
                #expect(policy.seconds == 604_800)
            }
            // The policy is there: nothing is written.
            let version = try store.newestSnapshot().version
            _ = try Realm(configuration: configuration)
            #expect(try store.newestSnapshot().version == version)
            #expect(try realm.check().isEmpty)
        }
    }

    /// In a transaction the policy stays that of the other process, until the realm is opened
    /// again; thawing does not open it.
    @Test func aTransactionAfterAnotherProcess() throws {
        try withTemporaryDirectory { directory in
            let configuration = history(of: directory, .kept(for: .days(7)))
            let realm = try Realm(configuration: configuration)
            let (store, frozen) = (realm.sharedStore, realm.freeze())
            let writeSet = try store.beginWrite(as: WriterIdentity())
            writeSet.setHistory(HistoryPolicy(seconds: 5))
            _ = try store.commit(writeSet)
            func seconds() throws -> Double? {
                try HistoryReader(store.newestSnapshot())?.policy.seconds
            }
            #expect(frozen.thaw().isSameRealm(as: realm))
            #expect(try seconds() == 5)
            try realm.write {
                #expect(frozen.thaw().isSameRealm(as: realm))
                #expect(throws: Never.self) { try Realm(configuration: configuration) }
                realm.add(Memo())
            }
            #expect(try seconds() == 5)
            _ = try Realm(configuration: configuration)
            #expect(try seconds() == 604_800)
            #expect(try realm.check().isEmpty)
        }
    }

    @Test func aTransactionKeepsItsPolicy() throws {
        try withHistory { realm in
            var configuration = realm.configuration
            try realm.write {
                #expect(throws: Never.self) { try Realm(configuration: configuration) }
                configuration.history = .off
                let error = #expect(throws: Realm.Error.self) {
                    try Realm(configuration: configuration)
                }
                #expect(error?.code == .alreadyOpen)
                realm.add(Memo())
            }
            #expect(try Array(realm.history()).count == 1)
        }
    }

    @Test func foreverInNumbers() throws {
        #expect(Realm.HistoryPolicy.Retention.days(.infinity) == .forever)
        #expect(Realm.HistoryPolicy.Retention.seconds(.infinity) == .forever)
    }
}

extension Realm {
    fileprivate func isSameRealm(as other: Realm) -> Bool { self == other }
}
