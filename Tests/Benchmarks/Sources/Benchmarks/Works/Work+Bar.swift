/// What Freehold has to reach in one work: its value is at most `limit` times another value of
/// the same run.
///
/// A ratio and not a time, since machines differ and are noisy; a time only where a caller's
/// patience is what counts.
struct Bar {
    enum Reference {
        /// The peer's value in the same work.
        case peer(EngineName)
        /// Freehold's own value in another work, measured before.
        case own(Work)
        /// The peer's value in another work, measured before.
        case peerIn(Work, EngineName)
        /// A time.
        case nanosecond
        /// A size.
        case byte
        /// A number of pages.
        case page
    }

    let limit: Double
    let reference: Reference

    init(limit: Double, peer: EngineName) {
        self.limit = limit
        reference = .peer(peer)
    }

    init(limit: Double, own: Work) {
        self.limit = limit
        reference = .own(own)
    }

    init(limit: Double, peer: EngineName, in work: Work) {
        self.limit = limit
        reference = .peerIn(work, peer)
    }

    init(nanoseconds: Double) {
        limit = nanoseconds
        reference = .nanosecond
    }

    init(bytes: Double) {
        limit = bytes
        reference = .byte
    }

    init(pages: Double) {
        limit = pages
        reference = .page
    }
}

extension Bar: CustomStringConvertible {
    var description: String {
        switch reference {
        case .peer(let peer): "\(limit) x \(peer.rawValue)"
        case .own(let work): "\(limit) x \(work.rawValue)"
        case .peerIn(let work, let peer): "\(limit) x \(peer.rawValue)'s \(work.rawValue)"
        case .nanosecond: HumanFormat.nanoseconds(limit)
        case .byte: HumanFormat.bytes(Int(limit))
        case .page: "\(Int(limit)) pages"
        }
    }
}

extension Work {
    /// Nil for a work that only others are compared with.
    var bar: Bar? {
        switch self {
        case .bulkInsert: Bar(limit: 0.23, peer: .grdb)
        case .pkRead: Bar(limit: 0.5, peer: .lmdb)
        case .hotRead: Bar(limit: 0.06, peer: .lmdb)
        case .iterate3: Bar(limit: 0.043, peer: .grdb)
        case .scanInt: Bar(limit: 0.0137, peer: .grdb)
        case .scanIntBool: Bar(limit: 0.03, peer: .grdb)
        case .scanContains: Bar(limit: 0.093, peer: .grdb)
        case .indexedEqual: Bar(limit: 0.18, peer: .grdb)
        case .sortDouble: Bar(limit: 0.24, peer: .grdb)
        case .sumDouble: Bar(limit: 0.0123, peer: .grdb)
        case .updateAll: Bar(limit: 0.155, peer: .grdb)
        case .durableCommit: Bar(limit: 1.15, peer: .lmdb)
        case .deleteHalf: Bar(limit: 0.2, peer: .grdb)
        case .fileSize: Bar(limit: 0.74, peer: .lmdb)
        case .compactHalf: Bar(nanoseconds: 2e9)
        case .halfDeletedSize: nil
        case .compactHalfSize: Bar(limit: 0.55, own: .halfDeletedSize)
        case .writeCopy, .firstCommit, .firstCommitAfterKill: nil
        case .coldOpenRead, .coldOpenReadInteger, .coldOpenReadText: Bar(pages: 40)
        case .threadRoundTrip: nil
        case .asyncHold: Bar(limit: 2, own: .threadRoundTrip)
        case .asyncHoldWorst: Bar(nanoseconds: 1_000_000)
        case .singleCommit: nil
        case .groupedCommit: Bar(limit: 0.1, own: .singleCommit)
        case .gateThread: Bar(nanoseconds: 2)
        case .gateActor: Bar(nanoseconds: 10)
        case .freeze, .freezeObject, .freezeResults: Bar(nanoseconds: 250)
        case .freezeFirst: Bar(nanoseconds: 1_000)
        case .listAppend: Bar(nanoseconds: 60)
        case .listInsert: Bar(nanoseconds: 300)
        case .listInsertCommit: Bar(limit: 1.5, own: .durableCommit)
        case .listIterate: Bar(nanoseconds: 10)
        case .randomLoadPair: nil
        case .linkFollow: Bar(limit: 2.2, own: .randomLoadPair)
        case .backlinkCount: Bar(nanoseconds: 35)
        case .backlinkDelete: Bar(nanoseconds: 17_000_000)
        case .rangeCount: Bar(nanoseconds: 40_000)
        case .anyList: Bar(nanoseconds: 100)
        case .linkPath: Bar(nanoseconds: 40)
        case .foldedContains: Bar(nanoseconds: 12)
        case .distinctDouble: Bar(nanoseconds: 15)
        case .sortLimit: Bar(nanoseconds: 20_000)
        case .fullText: Bar(nanoseconds: 1_000_000)
        case .scanIntString: Bar(limit: 0.0137, peer: .grdb, in: .scanInt)
        case .indexedEqualString: Bar(limit: 0.18, peer: .grdb, in: .indexedEqual)
        case .sortDoubleString: Bar(limit: 0.24, peer: .grdb, in: .sortDouble)
        case .scanIntFoundation: Bar(limit: 0.0137, peer: .grdb, in: .scanInt)
        case .indexedEqualFoundation: Bar(limit: 0.15, peer: .grdb, in: .indexedEqual)
        case .sortDoubleFoundation: Bar(limit: 0.24, peer: .grdb, in: .sortDouble)
        case .observeOne: Bar(nanoseconds: 100_000)
        case .observeSorted: Bar(nanoseconds: 20_000_000)
        case .observeObjects: Bar(nanoseconds: 200_000)
        case .observeDelivery: nil
        case .observeMain: Bar(nanoseconds: 1_000_000)
        case .observeProcess: Bar(nanoseconds: 3_000_000)
        case .plainDecode: nil
        case .jsonImport: Bar(limit: 2, own: .plainDecode)
        case .encryptedInsert: Bar(limit: 1.6, own: .bulkInsert)
        case .encryptedHotRead: Bar(limit: 1.1, own: .hotRead)
        case .coldScan: nil
        case .encryptedColdScan: Bar(limit: 4, own: .coldScan)
        case .encryptedRead, .encryptedEqual: nil
        case .migrateAdd, .migrateRename: Bar(nanoseconds: 10_000_000)
        case .migrateConvert: Bar(nanoseconds: 2_000)
        case .migrateBlock: nil
        case .openManyClasses: Bar(nanoseconds: 30_000_000)
        case .openManyClassesAgain: Bar(nanoseconds: 1_000_000)
        case .draftMake: Bar(nanoseconds: 5_000)
        case .draftMakeManyClasses: Bar(limit: 1.2, own: .draftMake)
        case .plainEdit, .plainWrite, .pinnedWriters: nil
        case .draftEdit: Bar(limit: 1.1, own: .plainEdit)
        case .draftSaveOne: Bar(limit: 1.2, own: .durableCommit)
        case .historyCommit: Bar(limit: 1.1, own: .durableCommit)
        case .historyUpdate: Bar(limit: 2, own: .updateAll)
        case .historyRead: Bar(nanoseconds: 1_000)
        case .draftSave: Bar(limit: 2, own: .plainWrite)
        case .draftMerge: Bar(limit: 3, own: .plainWrite)
        case .draftMemory: Bar(bytes: 32 * 1_048_576)
        case .draftWriters: Bar(limit: 1.1, own: .pinnedWriters)
        case .frozenReadOne: nil
        // Where more threads cost nothing, the measured values are on either side of 1.
        case .frozenReadEight: Bar(limit: 1.1, own: .frozenReadOne)
        }
    }
}
