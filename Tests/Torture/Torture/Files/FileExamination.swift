import Foundation
import Freehold
import FreeholdStorage
import FreeholdTestSupport
import FreeholdWorkload

/// Opens a file that may be damaged, reads all of it in every way, writes to it (``EverythingReader``), and says what that came to.
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
    /// How many steps of the reader a file is read and written with: a few, so that there is time for many files.
    private static let stepCount = 4

    /// - Parameter turn: Decides with which step the reader begins, and whether each step opens the file anew.
    init(_ path: String, _ base: FileBase, isComparable: Bool, turn: Int) {
        self.path = path
        self.base = base
        self.isComparable = isComparable
        do {
            try stored()
            if base.isEveryType { live(turn) }
            let store = try open()
            let problems = try store.check(try store.newestSnapshot())
            if !problems.isEmpty {
                if outcome == .sound { findings.append("A file that was sound is not after a commit: \(problems.prefix(3))") }
                outcome = .damaged
            }
        } catch {
            if outcome == .sound { outcome = .refused }
            judge(error)
        }
    }

    private func open() throws -> Store { try Store.open(FileBase.options(path, isEncrypted: base.isEncrypted, isTiny: base.isTiny)) }

    /// The store is closed afterwards: the reader does not know what was found here.
    private mutating func stored() throws {
        let store = try open()
        try examine(store)
    }

    /// Errors that say that the file is not what it should be; any other is a finding.
    private static let expected: Set<StorageError.Code> = [
        .corrupted, .truncated, .notAnEnvironment, .foreignFile, .newerFormat, .unreadableFormat, .encryptionKeyMissing, .encryptionKeyWrong, .notEncrypted, .incompatibleLockFile, .fileExists,
        .replacedWhileOpen, .foreignProcessNamespace,
    ]

    private mutating func judge(_ error: any Error) {
        if let error = error as? StorageError {
            if !Self.expected.contains(error.code) { findings.append("The error is none of a damaged file's: \(error)") }
            if error.path == nil, !error.message.contains(path) { findings.append("The error does not say where: \(error)") }
        } else if let error = error as? Realm.Error {
            // Damage, a schema that is another one, or what the damaged values do not allow.
            if "\(error)".contains("internalLMDB") { findings.append("The error is LMDB's own: \(error)") }
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
            findings.append("The check finds nothing, and the rows are others: \(Self.difference(contents, base.contents[0]))")
        }
    }

    private static func difference(_ found: FileContents, _ expected: FileContents) -> String {
        let names = Set(found.rows.keys).union(expected.rows.keys).sorted()
        return names.compactMap { name in
            let (a, b) = (found.rows[name] ?? [:], expected.rows[name] ?? [:])
            let changed = Set(a.keys).union(b.keys).filter { a[$0] != b[$0] }.sorted().prefix(5)
            return changed.isEmpty ? nil : "\(name) \(Array(changed)), \(a.count) rows for \(b.count)"
        }.joined(separator: "; ")
    }

    // MARK: The realm

    private mutating func live(_ turn: Int) {
        let reader = EverythingReader(FileBase.configuration(path, isEncrypted: base.isEncrypted), reopens: turn % 2 == 0) { step in
            FileHandle.standardError.write(Data("step \(step)\n".utf8))
        }
        reader.run(from: turn / 2, count: Self.stepCount)
        for (step, error) in reader.errors {
            if outcome == .sound { findings.append("The check finds nothing, and \(step) throws: \(error)") }
            judge(error)
        }
    }
}
