import Foundation
import Freehold
import FreeholdStorage
import FreeholdTestSupport
import FreeholdWorkload

/// Opens a file that may be damaged, reads all of it in every way, writes to it
/// (``EverythingReader``), and says what that came to.
struct FileExamination {
    enum Outcome: String, CaseIterable {
        /// Not opened.
        case refused
        /// Opened; what is wrong was found by a read or by the check.
        case damaged
        /// As sound as it was.
        case sound
    }

    let path: String
    let base: FileBase
    /// Whether what is read must be what the base has, where nothing says otherwise.
    let isComparable: Bool
    private(set) var findings: [String] = []
    private(set) var outcome = Outcome.sound
    /// How many steps of the reader a file is read and written with: a few, so that there is
    /// time for many files.
    private static let stepCount = 2

    /// - Parameter turn: Of the reader: decides with which step it begins, and whether each
    ///   step opens the file anew. Nil for the plain way to read and write.
    init(_ path: String, _ base: FileBase, isComparable: Bool, turn: Int?) {
        self.path = path
        self.base = base
        self.isComparable = isComparable
        do {
            try stored()
            if base.isEveryType { if let turn { tour(turn) } else { live() } }
            let store = try open()
            let problems = try store.check(try store.newestSnapshot())
            if !problems.isEmpty {
                if outcome == .sound {
                    findings.append(
                        "A file that was sound is not after a commit: \(problems.prefix(3))")
                }
                outcome = .damaged
            }
        } catch {
            if outcome == .sound { outcome = .refused }
            judge(error)
        }
    }

    private func open() throws -> Store {
        try Store.open(FileBase.options(path, isEncrypted: base.isEncrypted, isTiny: base.isTiny))
    }

    /// The store is closed afterwards: the reader does not know what was found here.
    private mutating func stored() throws {
        let store = try open()
        try examine(store)
    }

    /// Errors that say that the file is not what it should be; any other is a finding.
    private static let expected: Set<StorageError.Code> = [
        .corrupted, .truncated, .notAnEnvironment, .foreignFile, .newerFormat, .unreadableFormat,
        .encryptionKeyMissing, .encryptionKeyWrong, .notEncrypted, .incompatibleLockFile,
        .fileExists,
        .replacedWhileOpen, .foreignProcessNamespace,
    ]

    private mutating func judge(_ error: any Error) {
        if let error = error as? StorageError {
            if !Self.expected.contains(error.code) {
                findings.append("The error is none of a damaged file's: \(error)")
            }
            if error.path == nil, !error.message.contains(path) {
                findings.append("The error does not say where: \(error)")
            }
        } else if let error = error as? Realm.Error {
            // Damage, a schema that is another one, or what the damaged values do not allow.
            if "\(error)".contains("internalLMDB") {
                findings.append("The error is LMDB's own: \(error)")
            }
        } else {
            findings.append("The error is of another type: \(error)")
        }
    }

    // MARK: The storage

    private mutating func examine(_ store: Store) throws {
        let snapshot = try store.newestSnapshot()
        let contents = FileContents(snapshot)
        for definition in snapshot.catalog.tables {
            let table = snapshot.table(definition.id)
            verifyChecksums(table)
            for column in definition.columns {
                guard let index = table.index(of: column.id) else { continue }
                var keys: [Int64] = []
                try index.appendKeys(from: .unbounded, to: .unbounded, to: &keys)
                _ = try index.estimatedCount(from: .unbounded, to: .unbounded, limit: 100)
            }
            _ = snapshot.facts(of: definition.id)
        }
        do {
            let problems = try store.check(snapshot)
            if !problems.isEmpty { outcome = .damaged }
        } catch {
            outcome = .damaged
            judge(error)
        }
        if outcome == .sound, isComparable, !base.contents.contains(contents) {
            findings.append(
                """
                The check finds nothing, and the rows are others: \
                \(Self.difference(contents, base.contents[0]))
                """
            )
        }
    }

    /// Asks for checksums as a program does that a value surprised: of each column of a
    /// cluster, and of each collection.
    private func verifyChecksums(_ table: TableView) {
        for index in 0..<table.clusterCount {
            let cluster = table.cluster(at: index)
            for column in table.definition.columns {
                for row in 0..<(column.collection == nil ? min(1, cluster.count) : cluster.count) {
                    _ = table.verifyChecksums(of: column.id, key: cluster.key(at: row))
                }
            }
        }
    }

    private static func difference(_ found: FileContents, _ expected: FileContents) -> String {
        let names = Set(found.rows.keys).union(expected.rows.keys).sorted()
        return names.compactMap { name in
            let (a, b) = (found.rows[name] ?? [:], expected.rows[name] ?? [:])
            let changed = Set(a.keys).union(b.keys).filter { a[$0] != b[$0] }.sorted().prefix(5)
            return changed.isEmpty
                ? nil : "\(name) \(Array(changed)), \(a.count) rows for \(b.count)"
        }.joined(separator: "; ")
    }

    // MARK: The realm

    /// By the reader.
    private mutating func tour(_ turn: Int) {
        let reader = EverythingReader(
            FileBase.configuration(path, isEncrypted: base.isEncrypted, forReader: true),
            reopens: turn % 2 == 0
        ) { step in
            FileHandle.standardError.write(Data("step \(step)\n".utf8))
        }
        reader.run(from: turn / 2, count: Self.stepCount)
        for (step, error) in reader.errors {
            if outcome == .sound, isComparable {
                findings.append("The check finds nothing, and \(step) throws: \(error)")
            }
            judge(error)
        }
    }
    /// Reads and writes as programs do mostly.
    private mutating func live() {
        do {
            let realm = try Realm(
                configuration: FileBase.configuration(
                    path, isEncrypted: base.isEncrypted, forReader: false))
            realm.refresh()
            let before = realm.freeze()
            read(realm)
            do {
                try realm.write { change(realm) }
                _ = realm.objects(EveryType.Thing.self).where { $0.text.contains("written") }.count
                let problems = try realm.check()
                if !problems.isEmpty, outcome == .sound {
                    findings.append(
                        "A file that was sound is not after a commit: \(problems.prefix(3))")
                }
            } catch {
                if outcome == .sound { outcome = .damaged }
                judge(error)
            }
            if realm.isInWriteTransaction { realm.cancelWrite() }
            read(before)
        } catch {
            if outcome == .sound { outcome = .damaged }
            judge(error)
        }
        do {
            let store = try Store.open(
                FileBase.options(path, isEncrypted: base.isEncrypted, isTiny: base.isTiny))
            let old = try store.newestSnapshot()
            let writeSet = try store.beginWrite()
            store.cancel(writeSet)
            _ = FileContents(old)
        } catch {
            if outcome == .sound { outcome = .damaged }
            judge(error)
        }
    }

    private func read(_ realm: Realm) {
        let things = realm.objects(EveryType.Thing.self)
        let properties = realm.schema[EveryType.Thing.className()]?.properties ?? []
        _ = things.first?.description.utf8.count
        for thing in things {
            for property in properties { _ = thing[property.name] }
            _ = (
                thing.before.count, thing.containers.count, thing.next?.text,
                thing.place?.inner?.name, thing.note?.things.count
            )
            _ = (
                thing.ints.sorted(), thing.things.map(\.id), thing.tags.count, thing.scores["a"],
                thing.anys.count, thing.numbers.contains(1), thing.words.min()
            )
        }
        _ = (
            things.where { $0.int > 3 }.count, things.where { $0.text.starts(with: "1") }.count,
            things.where { $0.optionalText == nil }.count
        )
        _ = (
            things.where { $0.next.int > 1 }.count, things.where { $0.ints.contains(62) }.count,
            things.where { $0.any == .int(5) }.count
        )
        _ = (
            things.sorted(by: \.date).map(\.id), things.sum(of: \.double) as Double,
            things.max(of: \.double) as Double?, things.distinct(by: ["bool"]).count
        )
        _ =
            things.filter("ANY things.note.number > 3 OR scores['a'] == 5 OR place.floor == nil")
            .count
        _ = (
            realm.objects(EveryType.Note.self).where { $0.text.contains("straße") }.count,
            realm.objects(EveryType.Note.self).filter("text TEXT 'note'").count
        )
        for number in 0..<5 {
            _ = realm.object(ofType: EveryType.Thing.self, forPrimaryKey: number)?.data.count
            _ = realm.object(ofType: EveryType.Tag.self, forPrimaryKey: "tag\(number)")?.weight
        }
    }

    /// In a write.
    private func change(_ realm: Realm) {
        let things = realm.objects(EveryType.Thing.self)
        for thing in things.prefix(3) {
            thing.text = "written"
            thing.int += thing.int < 1000 ? 1 : -1
            thing.ints.append(7)
            thing.things.append(thing)
            thing.scores["written"] = 1
            thing.any = .string("written")
            thing.data = Data(repeating: 7, count: 5000)
            thing.note?.text = "written, the note"
            if !thing.texts.isEmpty { thing.texts.removeFirst() }
        }
        if let last = things.last { realm.delete(last) }
        if let thing = things.first(where: { !$0.ints.isEmpty }) { thing.ints.removeAll() }
        EveryType.fill(realm, 5000..<5003, salt: 3)
        realm.delete(realm.objects(EveryType.Note.self).where { $0.number == 2 })
    }
}
