import Foundation
import FreeholdTestSupport

/// One step of a sequence. It is valid in any state: its operands choose from what there is
/// then, and what makes no sense is left out.
struct ModelOperation: Codable, Hashable {
    var name: Name
    /// Which object, mostly.
    var a = 0
    /// Which property, or what of several ways.
    var b = 0
    /// Which place, or another object.
    var c = 0
    /// What value, see ``Draw``, or which realm.
    var d = 0

    enum Name: String, Codable, CaseIterable {
        // Changes.
        case create, createFromValue, createMany, upsert, setScalar, setScalars, setLink,
            setDynamically
        case setPart, changePart, removePart
        case insert, removeElement, setElement, moveElement, swapElements, replaceElements,
            appendElements, removeAllElements, assignList
        case insertMember, removeMember, changeMembers
        case setEntry, removeEntry, mergeEntries, removeAllEntries
        case setAny, changeNested
        case createNote, changeNote, deleteNote, createTicket, deleteTicket
        case deleteItem, deleteItems, deleteQuery, deletePart, deleteNotes, deleteAll
        // Transactions.
        case begin, commit, commitSkipping, cancel, throwingWrite, emptyWrite
        case writeAsync, groupAsync, cancelAsync, asyncWrite, drain
        // Reading.
        case look, query, slice, sections, aggregates, values, find
        // Observers.
        case observeResults, observeObject, observeCollection, observeMap, observeSections,
            observeProjection, observeRealm, stopObserving
        case step, deliver
        // Versions.
        case refresh, autorefresh, freeze, lookFrozen, thaw, release, reference
        // Life of the file.
        case invalidate, close, reopen, compact, copy, migrate, check
        // The other process.
        case peerWrite, peerRead, peerHold, peerRelease, peerKill, peerKillInTransaction
    }
}

extension ModelOperation.Name {
    /// Whether it changes data, in the open transaction or in one of its own.
    var isChange: Bool { ModelOperation.weights[self].map(\.isChange) ?? false }
}

extension ModelOperation {
    /// How often each comes.
    private static let table: [(names: [Name], weight: Int, isChange: Bool)] = [
        ([.create, .setScalar], 30, true),
        ([.createFromValue, .upsert, .setScalars, .setLink], 12, true),
        ([.setDynamically, .createMany], 4, true),
        ([.setPart, .changePart], 12, true),
        ([.removePart, .deletePart], 4, true),
        ([.insert, .removeElement, .setElement], 14, true),
        ([.moveElement, .swapElements, .replaceElements, .appendElements, .assignList], 6, true),
        ([.removeAllElements], 2, true),
        ([.insertMember, .removeMember, .changeMembers], 8, true),
        ([.setEntry, .removeEntry, .mergeEntries], 8, true),
        ([.removeAllEntries], 2, true),
        ([.setAny, .changeNested], 12, true),
        ([.createNote, .changeNote, .createTicket], 8, true),
        ([.deleteNote, .deleteTicket, .deleteItems, .deleteQuery], 4, true),
        ([.deleteItem], 10, true),
        ([.deleteNotes, .deleteAll], 1, true),
        ([.begin], 36, false),
        ([.commit], 22, false),
        ([.commitSkipping, .cancel], 6, false),
        ([.throwingWrite], 5, false),
        ([.emptyWrite], 1, false),
        ([.writeAsync], 14, false),
        ([.groupAsync, .cancelAsync], 4, false),
        ([.asyncWrite, .drain], 4, false),
        ([.look], 12, false),
        ([.query], 24, false),
        ([.slice, .sections, .aggregates], 6, false),
        ([.values, .find], 6, false),
        ([.observeResults], 10, false),
        ([.observeObject, .observeCollection], 8, false),
        ([.observeMap, .observeSections, .observeProjection, .observeRealm], 3, false),
        ([.stopObserving], 4, false),
        ([.step, .deliver], 14, false),
        ([.refresh], 14, false),
        ([.autorefresh], 3, false),
        ([.freeze, .thaw, .lookFrozen, .reference], 6, false),
        ([.release], 3, false),
        ([.invalidate, .close], 2, false),
        ([.reopen, .compact, .copy], 2, false),
        ([.check], 1, false),
        ([.migrate], 1, false),
        ([.peerWrite, .peerRead], 3, false),
        ([.peerHold, .peerRelease, .peerKill, .peerKillInTransaction], 1, false),
    ]

    fileprivate static let weights: [Name: (weight: Int, isChange: Bool)] = Dictionary(
        uniqueKeysWithValues: table.flatMap { entry in
            entry.names.map { ($0, (entry.weight, entry.isChange)) }
        })

    private static let drawn: [Name] = table.flatMap { entry in
        entry.names.flatMap { Array(repeating: $0, count: entry.weight) }
    }

    static func random(_ random: inout SeededGenerator, only names: (Name) -> Bool = { _ in true })
        -> ModelOperation
    {
        var name = random.pick(drawn)
        while !names(name) { name = random.pick(drawn) }
        func operand() -> Int { random.once(in: 6) ? 0 : random.int(1...999_999) }
        return ModelOperation(name: name, a: operand(), b: operand(), c: operand(), d: operand())
    }

    /// Changes that the other process, an asynchronous write or a throwing one makes: they
    /// follow from one number.
    static func changes(_ count: Int, from number: Int, local: Bool) -> [ModelOperation] {
        var random = SeededGenerator(seed: UInt64(truncatingIfNeeded: number) &* 31)
        return (0..<count).map { _ in
            ModelOperation.random(&random) {
                $0.isChange && (local || ($0 != .createTicket && $0 != .deleteTicket))
            }
        }
    }
}

/// What is run, and kept to be run again.
struct ModelSequence: Codable {
    var seed: UInt64
    var isEncrypted: Bool
    /// Whether clusters, leaves and index entries are tiny, so that few rows fill many of them.
    var isTiny: Bool
    /// Whether commits wait for the disk, as they do in programs.
    var isSynced: Bool
    var operations: [ModelOperation]

    init(seed: UInt64, count: Int) {
        var random = SeededGenerator(seed: seed)
        self.seed = seed
        isEncrypted = random.once(in: 4) && ModelSession.canEncrypt
        isTiny = random.once(in: 2)
        isSynced = random.once(in: 16)
        operations = (0..<count).map { _ in ModelOperation.random(&random) }
    }
}
