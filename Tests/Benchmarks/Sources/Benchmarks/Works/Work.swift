import ArgumentParser

/// One row of the table of benchmarks. The raw values are the names on the command line and in
/// the JSON file.
enum Work: String, CaseIterable, ExpressibleByArgument {
    case bulkInsert = "bulk-insert"
    case pkRead = "pk-read"
    case hotRead = "hot-read"
    case iterate3 = "iterate-3"
    case scanInt = "scan-int"
    case scanIntBool = "scan-int-bool"
    case scanContains = "scan-contains"
    case indexedEqual = "indexed-equal"
    case sortDouble = "sort-double"
    case sumDouble = "sum-double"
    case updateAll = "update-all"
    case durableCommit = "durable-commit"
    case deleteHalf = "delete-half"
    case fileSize = "file-size"
    case compactHalf = "compact-half"
    case halfDeletedSize = "half-deleted-size"
    case compactHalfSize = "compact-half-size"
    case writeCopy = "write-copy"
    case firstCommit = "first-commit"
    case firstCommitAfterKill = "first-commit-after-kill"
    case coldOpenRead = "cold-open-read"
    case coldOpenReadInteger = "cold-open-read-integer"
    case coldOpenReadText = "cold-open-read-text"
    case threadRoundTrip = "thread-round-trip"
    case asyncHold = "async-hold"
    case asyncHoldWorst = "async-hold-worst"
    case singleCommit = "single-commit"
    case groupedCommit = "grouped-commit"
    case gateThread = "gate-thread"
    case gateActor = "gate-actor"
    case freeze = "freeze"
    case freezeObject = "freeze-object"
    case freezeResults = "freeze-results"
    case freezeFirst = "freeze-first"
    case frozenReadOne = "frozen-read-1"
    case frozenReadEight = "frozen-read-8"
    case listAppend = "list-append"
    case listInsert = "list-insert"
    case listInsertCommit = "list-insert-commit"
    case listIterate = "list-iterate"
    case randomLoadPair = "random-load-pair"
    case linkFollow = "link-follow"
    case backlinkCount = "backlink-count"
    case backlinkDelete = "backlink-delete"
    case rangeCount = "range-count"
    case anyList = "any-list"
    case linkPath = "link-path"
    case foldedContains = "scan-contains-folded"
    case distinctDouble = "distinct-double"
    case sortLimit = "sort-limit"
    case fullText = "full-text"
    case scanIntString = "scan-int-string"
    case indexedEqualString = "indexed-equal-string"
    case sortDoubleString = "sort-double-string"
    case scanIntFoundation = "scan-int-foundation"
    case indexedEqualFoundation = "indexed-equal-foundation"
    case sortDoubleFoundation = "sort-double-foundation"
    case observeOne = "observe-one"
    case observeSorted = "observe-sorted"
    case observeObjects = "observe-objects"
    case observeDelivery = "observe-delivery"
    case observeMain = "observe-main"
    case observeProcess = "observe-process"
    case plainDecode = "plain-decode"
    case jsonImport = "json-import"
    case encryptedInsert = "encrypted-insert"
    case encryptedHotRead = "encrypted-hot-read"
    case coldScan = "cold-scan"
    case encryptedColdScan = "encrypted-cold-scan"
    case encryptedRead = "encrypted-pk-read"
    case encryptedEqual = "encrypted-indexed-equal"
    case migrateAdd = "migrate-add"
    case migrateRename = "migrate-rename"
    case migrateConvert = "migrate-convert"
    case migrateBlock = "migrate-block"
    case openManyClasses = "open-200-classes"
    case openManyClassesAgain = "open-200-classes-again"
    case draftMake = "draft-make"
    case draftMakeManyClasses = "draft-make-200-classes"
    case plainEdit = "plain-edit"
    case draftEdit = "draft-edit"
    case draftSaveOne = "draft-save-one"
    case plainWrite = "plain-write-10000"
    case draftSave = "draft-save-10000"
    case draftMerge = "draft-merge-10000"
    case draftMemory = "draft-memory-1000"
    case pinnedWriters = "pinned-commit"
    case draftWriters = "draft-writers"
    case historyCommit = "durable-commit-history"
    case historyUpdate = "update-all-history"
    case historyRead = "history-read"
}

extension Work {
    /// What the work's value counts.
    enum Unit {
        /// Nanoseconds for one object, row, query or commit.
        case nanoseconds
        case bytes
        /// Pages of the file that were read from the disk.
        case pages
    }

    var unit: Unit {
        switch self {
        case .fileSize, .halfDeletedSize, .compactHalfSize, .draftMemory: .bytes
        case .coldOpenRead, .coldOpenReadInteger, .coldOpenReadText: .pages
        default: .nanoseconds
        }
    }

    /// The works about threads, actors and background writers, which only Freehold has.
    static let crossing: Set<Work> = [
        .threadRoundTrip, .asyncHold, .asyncHoldWorst, .singleCommit, .groupedCommit, .gateThread,
        .gateActor, .freeze, .freezeObject, .freezeResults, .freezeFirst, .frozenReadOne,
        .frozenReadEight,
    ]

    /// The works about lists and links. They have stores of their own, which they make when
    /// they are first asked for.
    static let collections: Set<Work> = [
        .listAppend, .listInsert, .listInsertCommit, .listIterate, .randomLoadPair, .linkFollow,
        .backlinkCount,
        .backlinkDelete, .plainDecode, .jsonImport,
    ]

    /// The works about queries, with a store of their own, which is made when it is first asked
    /// for.
    static let queries: Set<Work> = [
        .rangeCount, .anyList, .linkPath, .foldedContains, .distinctDouble, .sortLimit, .fullText,
    ]

    /// Works that others are, in an encrypted file; and scans of files that were just opened.
    static let encryption: Set<Work> = [
        .encryptedInsert, .encryptedHotRead, .coldScan, .encryptedColdScan, .encryptedRead,
        .encryptedEqual,
    ]

    /// The works about whole files, which only Freehold has.
    static let files: Set<Work> = [
        .compactHalf, .halfDeletedSize, .compactHalfSize, .writeCopy, .firstCommit,
        .firstCommitAfterKill, .coldOpenRead, .coldOpenReadInteger, .coldOpenReadText,
    ]

    /// Works that others are, asked in another language.
    static let frontEnds: Set<Work> = [
        .scanIntString, .indexedEqualString, .sortDoubleString, .scanIntFoundation,
        .indexedEqualFoundation, .sortDoubleFoundation,
    ]

    /// The works about change notifications, which only Freehold has.
    static let observing: Set<Work> = [
        .observeOne, .observeSorted, .observeObjects, .observeDelivery, .observeMain,
        .observeProcess,
    ]

    /// The works about opening files whose classes changed, or are many, which only Freehold has.
    static let migrations: Set<Work> = [
        .migrateAdd, .migrateRename, .migrateConvert, .migrateBlock, .openManyClasses,
        .openManyClassesAgain,
    ]

    /// The works about drafts, and what they are compared with. Only Freehold has them.
    static let drafts: Set<Work> = [
        .draftMake, .draftMakeManyClasses, .plainEdit, .draftEdit, .draftSaveOne, .plainWrite,
        .draftSave, .draftMerge, .draftMemory, .pinnedWriters, .draftWriters,
    ]

    /// The works about history, which only Freehold has.
    static let history: Set<Work> = [.historyCommit, .historyUpdate, .historyRead]

    /// Whether one sample is the median of many, taken together with another work's.
    var isSampledOnce: Bool {
        switch self {
        case .threadRoundTrip, .asyncHold, .asyncHoldWorst, .frozenReadOne, .frozenReadEight: true
        case .observeOne, .observeSorted, .observeObjects, .observeDelivery, .observeMain,
            .observeProcess:
            true
        // The first one in a process is another work.
        case .openManyClasses: true
        default: false
        }
    }

    /// Whether the value depends on the clock, so that warming up and repeating make sense.
    var isTimed: Bool {
        unit == .nanoseconds
    }

    /// Whether the work changes nothing, so that doing it once more has no effect.
    var onlyReads: Bool {
        switch self {
        case .pkRead, .hotRead, .iterate3, .scanInt, .scanIntBool, .scanContains, .indexedEqual,
            .sortDouble, .sumDouble, .gateThread, .gateActor,
            .freeze, .freezeObject, .freezeResults, .frozenReadOne, .frozenReadEight, .listIterate,
            .randomLoadPair, .linkFollow, .backlinkCount,
            .plainDecode:
            true
        case .rangeCount, .anyList, .linkPath, .foldedContains, .distinctDouble, .sortLimit,
            .fullText, .scanIntString, .indexedEqualString, .sortDoubleString,
            .scanIntFoundation, .indexedEqualFoundation, .sortDoubleFoundation, .encryptedHotRead,
            .coldScan, .encryptedColdScan, .encryptedRead,
            .encryptedEqual:
            true
        case .bulkInsert, .updateAll, .durableCommit, .deleteHalf, .fileSize, .compactHalf,
            .halfDeletedSize, .compactHalfSize, .writeCopy, .firstCommit, .firstCommitAfterKill,
            .coldOpenRead, .coldOpenReadInteger, .coldOpenReadText, .freezeFirst, .threadRoundTrip,
            .asyncHold, .asyncHoldWorst,
            .singleCommit,
            .groupedCommit, .listAppend,
            .listInsert, .listInsertCommit, .backlinkDelete, .jsonImport, .observeOne,
            .observeSorted, .observeObjects, .observeDelivery, .observeMain,
            .observeProcess, .encryptedInsert, .migrateAdd, .migrateRename, .migrateConvert,
            .migrateBlock, .openManyClasses, .openManyClassesAgain, .draftMake,
            .draftMakeManyClasses, .plainEdit, .draftEdit, .draftSaveOne, .plainWrite, .draftSave,
            .draftMerge, .draftMemory, .pinnedWriters, .draftWriters, .historyCommit,
            .historyUpdate, .historyRead:
            false
        }
    }

    /// What one operation is, for the printed table.
    var summary: String {
        switch self {
        case .bulkInsert: "insert all rows in one transaction, a row"
        case .pkRead: "object by random primary key and one property, a read"
        case .hotRead: "one Int of one live object again and again, a read"
        case .iterate3: "all objects, three properties of each, an object"
        case .scanInt: "count age > 50 without an index, a row"
        case .scanIntBool: "count age > 50 and active, a row"
        case .scanContains: "count bio contains \"99999\", a row"
        case .indexedEqual: "count name == x by the index, a query"
        case .sortDouble: "sort all by score and read the first, a row"
        case .sumDouble: "sum of score, a row"
        case .updateAll: "age + 1 on all in one transaction, a row"
        case .durableCommit: "change one property, synced to disk, a commit"
        case .deleteHalf: "delete age < 50 in one transaction, a deleted row"
        case .fileSize: "files after the insert"
        case .compactHalf: "compact the open file after age < 50 was deleted, synced, once"
        case .halfDeletedSize: "files before that"
        case .compactHalfSize: "files after that"
        case .writeCopy: "copy the file with all rows, synced, once"
        case .firstCommit:
            "open a file that was left sound, read an object, change it, commit, synced, once"
        case .firstCommitAfterKill: "the same of a file that was not closed, as after a kill"
        case .coldOpenRead:
            "open a file of which no page is in memory, and read an object by its integer key"
        case .coldOpenReadInteger:
            "the same, where the integer may be null, so it is not the row key"
        case .coldOpenReadText: "the same, by a text"
        case .threadRoundTrip:
            "wake a sleeping thread and be woken by it, without Freehold, the median of 1,000"
        case .asyncHold:
            """
            the actor's thread held by an asyncWrite of one object, syncs taking 20 ms, \
            the median call
            """
        case .asyncHoldWorst: "the same, the worst of 1,000 calls"
        case .singleCommit: "1,000 synchronous writes of one object, a commit"
        case .groupedCommit: "1,000 asyncWrite calls of one object in flight at once, a commit"
        case .gateThread: "the check of the confinement alone, on the realm's thread, a check"
        case .gateActor: "the same, on the realm's actor"
        case .freeze: "freeze a realm, a call"
        case .freezeObject: "freeze an object of a realm of 200 classes, a call"
        case .freezeResults: "the same with results"
        case .freezeFirst:
            "freeze an object that was read since a commit, its first call, the median"
        case .frozenReadOne: "a thread reads objects of a frozen realm, a read"
        case .frozenReadEight: "8 threads, the same, a read of one core"
        case .listAppend: "append integers to one list in one transaction, an integer"
        case .listInsert:
            "insert into the middle of a list of all rows inside a transaction, an insertion"
        case .listInsertCommit: "the same, each a synced transaction of its own"
        case .listIterate: "all integers of one list, an integer"
        case .randomLoadPair:
            "two dependent random loads over as much memory as the linked objects take, a pair"
        case .linkFollow: "follow the link of a random object and read a property, a link"
        case .backlinkCount: "count the 200,000 objects that link to one, of five in turns, a count"
        case .backlinkDelete: "delete an object that 200,000 others link to, committed, a deletion"
        case .rangeCount: "count 10,000 rows in a range of an indexed integer, a query"
        case .anyList: "count 100,000 objects any of whose 5 integers equals x, an object"
        case .linkPath: "count next.next.name == x over two links, a row"
        case .foldedContains: "count bio contains[c] \"MEMBER 99\", a row"
        case .distinctDouble: "the first row of each of 1,000 doubles, a row"
        case .sortLimit: "the first ten rows by an indexed integer, a query"
        case .fullText: "count the texts with two words, of 100,000 texts of 200 bytes, a query"
        case .scanIntString: "`scan-int` as a predicate string, parsed each time, a row"
        case .indexedEqualString:
            "`indexed-equal` as one parsed string with an argument each, a query"
        case .sortDoubleString: "`sort-double` by the name of the property, a row"
        case .scanIntFoundation: "`scan-int` as a #Predicate, a row"
        case .indexedEqualFoundation:
            "`indexed-equal` as a #Predicate, made for each query, a query"
        case .sortDoubleFoundation: "`sort-double` by Foundation's SortDescriptor, a row"
        case .observeOne:
            "find one change among all rows, observed, and deliver it, the median of 200"
        case .observeSorted:
            """
            the same of 100,000 rows, filtered and sorted, where each change moves a row, \
            the median of 20
            """
        case .observeObjects:
            "the same of 1,000 observed objects of which one changed, the median of 200"
        case .observeDelivery:
            "the realm's own part of observe-one: to move, and to call the block, the median of 200"
        case .observeMain:
            """
            from the end of a commit on another thread to the block on the idle main \
            thread, the median of 200
            """
        case .observeProcess:
            """
            from the end of a commit in another process to the block on the idle main \
            thread, the median of 200
            """
        case .plainDecode: "JSON of records with a nested list to plain structs, a record"
        case .encryptedInsert: "`bulk-insert` into an encrypted file, a row"
        case .encryptedHotRead: "`hot-read` of an encrypted file, a read"
        case .coldScan: "`scan-int` of a file that was just opened, a row"
        case .encryptedColdScan: "the same, of an encrypted file"
        case .encryptedRead: "`pk-read` of an encrypted file, a read"
        case .encryptedEqual: "`indexed-equal` of an encrypted file, a query"
        case .jsonImport: "the same JSON to objects in a realm, committed, an object"
        case .migrateAdd: "open all rows with two more properties, a file"
        case .migrateRename: "open all rows with a renamed property, a file"
        case .migrateConvert: "open all rows with Int become String, a row"
        case .migrateBlock: "the same, and a block that sets a property of each, a row"
        case .openManyClasses: "the first realm of a process, 200 classes of 20 properties, a file"
        case .openManyClassesAgain: "the same on another thread while one is open"
        case .draftMake: "make a draft of a realm, a draft"
        case .draftMakeManyClasses: "the same of a realm of 200 classes"
        case .plainEdit: "set a property of 10,000 objects in a transaction, an edit"
        case .draftEdit: "the same in a draft"
        case .draftSaveOne: "change one property in a draft and save it, synced, a save"
        case .plainWrite: "change a property of 10,000 objects in a synced transaction, an object"
        case .draftSave: "the same in a draft that is saved"
        case .draftMerge:
            "the same, where others changed 10,000 objects since, half of them the same, an object"
        case .draftMemory: "the memory of 1,000 drafts of one change each"
        case .pinnedWriters: "`durable-commit` beside one frozen realm of the version before"
        case .draftWriters: "`durable-commit` beside 1,000 drafts of one change each"
        case .historyCommit: "`durable-commit` of a file that keeps history"
        case .historyUpdate: "`update-all` of a file that keeps history"
        case .historyRead: "read the history of as many changes as there are rows, a change"
        }
    }
}
