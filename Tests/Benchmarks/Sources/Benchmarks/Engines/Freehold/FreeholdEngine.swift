import CMeasurement
import Foundation
import Freehold

/// Freehold by its public interface, as an application uses it, with its defaults: each write
/// is synced to disk before it returns.
///
/// - `bulk-insert`: an unmanaged object for each row, made and added inside the clock.
/// - `pk-read`: a live object and one property for each key.
/// - `hot-read`: the property of one live object that is kept.
/// - `iterate-3`: live objects of all rows, in no order.
/// - `scan-…`, `indexed-equal`, `sum-double`, `sort-double`: a new query or collection for each
///   sample or name.
/// - `update-all`: a loop over live objects in one transaction, since there is no bulk statement.
/// - `durable-commit`: the object by its key, then a transaction that changes it.
/// - Writing works get a copy of the base's data file.
final class FreeholdEngine: Engine {
    static let name = EngineName.freehold
    static let works = Set(Work.allCases)

    let dataset: Dataset
    let directory: URL
    let baseFolder: URL
    let base: Realm
    /// What each call of the slowed-down asynchronous writes held its thread, once measured.
    var holds: [Double]?
    /// What a read of a frozen object takes, by the number of threads, once measured.
    var frozenReads: [Int: Double]?
    /// The realm with a list of all rows' numbers and with links, once made.
    var shelves: Realm?
    /// The realm of the works about queries, once made.
    var library: (realm: Realm, data: QueryDataset)?
    /// The encrypted realm with the base's rows, once made.
    var encrypted: Realm?
    /// The realm of 200 classes, once opened.
    var manyClasses: Realm?
    /// The realm with a few objects that all others link to, once made.
    var labelled: Realm?

    init(dataset: Dataset, directory: URL) throws {
        self.dataset = dataset
        self.directory = directory
        baseFolder = directory.appendingPathComponent("base")
        try StoreFiles.makeEmptyFolder(baseFolder)
        base = try Self.open(Self.file(in: baseFolder))
        try Self.insert(dataset.rows, base)
    }

    func sample(_ work: Work) throws -> Sample {
        switch work {
        case .bulkInsert: try bulkInsert()
        case .pkRead: pkRead(base)
        case .hotRead: hotRead(base)
        case .iterate3: iterate3()
        case .scanInt: count { $0.where { $0.age > 50 } }
        case .scanIntBool: count { $0.where { $0.age > 50 && $0.active } }
        case .scanContains:
            count { [needle = dataset.needle] in $0.where { $0.bio.contains(needle) } }
        case .indexedEqual: indexedEqual(base)
        case .sortDouble: sortDouble()
        case .sumDouble: sumDouble()
        case .updateAll: try updateAll()
        case .durableCommit: try durableCommit()
        case .deleteHalf: try deleteHalf()
        case .fileSize: Sample(value: Double(try StoreFiles.size(of: baseFolder)), answer: nil)
        case .compactHalf: try compactHalf()
        case .halfDeletedSize: try halfDeletedSize()
        case .compactHalfSize: try compactHalfSize()
        case .writeCopy: try writeCopy()
        case .firstCommit: try firstCommit(afterKill: false)
        case .firstCommitAfterKill: try firstCommit(afterKill: true)
        case .coldOpenRead: try coldOpenRead(ColdNumber.self) { $0 }
        case .coldOpenReadInteger: try coldOpenRead(ColdInteger.self) { $0 }
        case .coldOpenReadText: try coldOpenRead(ColdText.self) { "key \($0)" }
        case .threadRoundTrip: threadRoundTrip()
        case .asyncHold: try asyncHold(worst: false)
        case .asyncHoldWorst: try asyncHold(worst: true)
        case .singleCommit: try singleCommits()
        case .groupedCommit: try groupedCommits()
        case .gateThread: gateOnThread()
        case .gateActor: try gateOnActor()
        case .freeze: freeze()
        case .freezeObject: try freezeObject()
        case .freezeResults: try freezeResults()
        case .freezeFirst: try freezeFirst()
        case .frozenReadOne: frozenRead(threads: 1)
        case .frozenReadEight: frozenRead(threads: 8)
        case .listAppend: try listAppend()
        case .listInsert: try listInsert()
        case .listInsertCommit: try listInsertCommit()
        case .listIterate: try listIterate()
        case .randomLoadPair: try randomLoadPair()
        case .linkFollow: try linkFollow()
        case .backlinkCount: try backlinkCount()
        case .backlinkDelete: try backlinkDelete()
        case .rangeCount: try rangeCount()
        case .anyList: try anyList()
        case .linkPath: try linkPath()
        case .foldedContains: try foldedContains()
        case .distinctDouble: try distinctDouble()
        case .sortLimit: try sortLimit()
        case .fullText: try fullText()
        case .scanIntString: try scanIntString()
        case .indexedEqualString: try indexedEqualString()
        case .sortDoubleString: try sortDoubleString()
        case .scanIntFoundation: try scanIntFoundation()
        case .indexedEqualFoundation: try indexedEqualFoundation()
        case .sortDoubleFoundation: try sortDoubleFoundation()
        case .observeOne: try observeOne()
        case .observeSorted: try observeSorted()
        case .observeObjects: try observeObjects()
        case .observeDelivery: try observeDelivery()
        case .observeMain: try observeMain()
        case .observeProcess: try observeProcess()
        case .plainDecode: try plainDecode()
        case .jsonImport: try jsonImport()
        case .encryptedInsert: try bulkInsert(key: Self.encryptionKey)
        case .encryptedHotRead: hotRead(try encryptedBase())
        case .coldScan: try coldScan(key: nil)
        case .encryptedColdScan: try coldScan(key: Self.encryptionKey)
        case .encryptedRead: pkRead(try encryptedBase())
        case .encryptedEqual: indexedEqual(try encryptedBase())
        case .migrateAdd: try migrate([Later.Added.self], nil)
        case .migrateRename:
            try migrate([Later.Renamed.self]) { migration, _ in
                migration.renameProperty(onType: "Person", from: "bio", to: "biography")
            }
        case .migrateConvert: try migrate([Later.Converted.self], perRow: true, nil)
        case .migrateBlock:
            try migrate([Later.Converted.self], perRow: true) { migration, _ in
                migration.enumerateObjects(ofType: "Person") { old, new in
                    new?["age"] = "\(old?["age"] as? Int ?? 0) years"
                }
            }
        case .openManyClasses: try openManyClasses()
        case .openManyClassesAgain: try openManyClassesAgain()
        case .draftMake: try makeDrafts(of: base)
        case .draftMakeManyClasses: try makeDraftsOfManyClasses()
        case .plainEdit: try edit(inDraft: false)
        case .draftEdit: try edit(inDraft: true)
        case .draftSaveOne: try saveDrafts()
        case .plainWrite: try writeMany()
        case .draftSave: try saveManyChanges(merging: false)
        case .draftMerge: try saveManyChanges(merging: true)
        case .draftMemory: try draftMemory()
        case .pinnedWriters: try commitsBesideFrozen()
        case .draftWriters: try commitsBesideDrafts()
        case .historyCommit: try commitsWithHistory()
        case .historyUpdate: try updateAllWithHistory()
        case .historyRead: try readHistory()
        }
    }

    static func file(in folder: URL) -> URL {
        folder.appendingPathComponent("people.realm")
    }

    static func open(_ file: URL, key: Data? = nil, history: Realm.HistoryPolicy? = nil) throws
        -> Realm
    {
        var configuration = Realm.Configuration(
            fileURL: file, encryptionKey: key, objectTypes: [Person.self])
        configuration.history = history
        return try Realm(configuration: configuration)
    }

    static func insert(_ rows: [PersonRow], _ realm: Realm) throws {
        try realm.write {
            for row in rows {
                realm.add(Person(row))
            }
        }
    }

    /// Runs `body` with a realm that is a copy of the base store.
    func withCopy(history: Realm.HistoryPolicy? = nil, _ body: (Realm) throws -> Sample) throws
        -> Sample
    {
        try StoreFiles.withScratchFolder(in: directory) { folder in
            let file = Self.file(in: folder)
            // The data file alone: nobody writes to the base now, and the files beside it are
            // made anew.
            try FileManager.default.copyItem(at: Self.file(in: baseFolder), to: file)
            try StoreFiles.sync(file)
            let realm = try Self.open(file, history: history)
            try Self.commitOnce(realm)
            return try body(realm)
        }
    }

    /// Makes the first commits of a file, which walk its pages if nobody vouches for them, as
    /// in a copy: a work of its own (`first-commit`).
    static func commitOnce(_ realm: Realm) throws {
        guard let person = realm.objects(Person.self).first else { return }
        for step in [1, -1] { try realm.write { person.age += step } }
    }
}

// MARK: - Reading

extension FreeholdEngine {
    private func pkRead(_ realm: Realm) -> Sample {
        var sum = 0
        let value = nanoseconds(per: dataset.lookupIdentifiers.count) {
            for identifier in dataset.lookupIdentifiers {
                sum &+= realm.object(ofType: Person.self, forPrimaryKey: identifier)!.age
            }
        }
        return Sample(value: value, answer: sum)
    }

    private func hotRead(_ realm: Realm) -> Sample {
        let person = realm.object(ofType: Person.self, forPrimaryKey: dataset.hotIdentifier)!
        var sum = 0
        let value = nanoseconds(per: dataset.hotReads) {
            for _ in 0..<dataset.hotReads {
                sum &+= person.age
                measurement_memory_barrier()
            }
        }
        return Sample(value: value, answer: sum)
    }

    private func iterate3() -> Sample {
        var sum = 0
        let value = nanoseconds(per: dataset.rows.count) {
            for person in base.objects(Person.self) {
                sum += person.age + Int(person.score) + (person.active ? 1 : 0)
            }
        }
        return Sample(value: value, answer: sum)
    }

    private func count(_ query: (Results<Person>) -> Results<Person>) -> Sample {
        var count = 0
        let value = nanoseconds(per: dataset.rows.count) {
            count = query(base.objects(Person.self)).count
        }
        return Sample(value: value, answer: count)
    }

    private func indexedEqual(_ realm: Realm) -> Sample {
        var sum = 0
        let value = nanoseconds(per: dataset.lookupNames.count) {
            for name in dataset.lookupNames {
                sum += realm.objects(Person.self).where { $0.name == name }.count
            }
        }
        return Sample(value: value, answer: sum)
    }

    private func sortDouble() -> Sample {
        var lowest = 0.0
        let value = nanoseconds(per: dataset.rows.count) {
            lowest = base.objects(Person.self).sorted(by: \.score).first!.score
        }
        return Sample(value: value, answer: Int(bitPattern: UInt(lowest.bitPattern)))
    }

    private func sumDouble() -> Sample {
        var sum = 0.0
        let value = nanoseconds(per: dataset.rows.count) {
            sum = base.objects(Person.self).sum(of: \.score)
        }
        return Sample(value: value, answer: Int(bitPattern: UInt(sum.bitPattern)))
    }
}

// MARK: - Writing

extension FreeholdEngine {
    private func bulkInsert(key: Data? = nil) throws -> Sample {
        try StoreFiles.withScratchFolder(in: directory) { folder in
            let realm = try Self.open(Self.file(in: folder), key: key)
            let value = try nanoseconds(per: dataset.rows.count) {
                try Self.insert(dataset.rows, realm)
            }
            return Sample(value: value, answer: realm.objects(Person.self).count)
        }
    }

    private func updateAll() throws -> Sample { try withCopy { try updateAll($0) } }

    func updateAll(_ realm: Realm) throws -> Sample {
        let value = try nanoseconds(per: dataset.rows.count) {
            try realm.write {
                for person in realm.objects(Person.self) {
                    person.age += 1
                }
            }
        }
        return Sample(value: value, answer: realm.objects(Person.self).sum(of: \.age))
    }

    private func durableCommit() throws -> Sample { try withCopy { try durableCommits($0) } }

    func durableCommits(_ realm: Realm) throws -> Sample {
        let value = try nanoseconds(per: dataset.commitIdentifiers.count) {
            for identifier in dataset.commitIdentifiers {
                let person = realm.object(ofType: Person.self, forPrimaryKey: identifier)!
                try realm.write { person.age += 1 }
            }
        }
        let sum = dataset.commitIdentifiers.reduce(0) { sum, identifier in
            sum + realm.object(ofType: Person.self, forPrimaryKey: identifier)!.age
        }
        return Sample(value: value, answer: sum)
    }

    private func deleteHalf() throws -> Sample {
        try withCopy { realm in
            let people = realm.objects(Person.self)
            let deleted = people.where { $0.age < 50 }.count
            let value = try nanoseconds(per: deleted) {
                try realm.write { realm.delete(people.where { $0.age < 50 }) }
            }
            return Sample(value: value, answer: people.count)
        }
    }
}
