internal import Synchronization

/// A file that this process writes although its pages were not walked and nobody vouches for
/// them, as after a kill or a loss of power.
///
/// Its pages are kept as they are. Each page is judged before LMDB comes to it (``WriteGuard``),
/// and what LMDB writes goes behind the last page (``ReuseBlock``). So damage that no path has met
/// cannot spread: a wrong number in the list of free pages, or a second way to a page, may make
/// LMDB free a page in use, but not overwrite it.
///
/// A walk of the version that was the newest makes the file sound. It runs beside commits, which
/// change none of its pages. After it, pages are reused.
final class UnwalkedFile: Sendable {
    let judged: JudgedPages
    /// The meta page of the version that was the newest.
    private let meta: MetaPage
    private let block: ReuseBlock
    private let walk = BackgroundWalk()

    init(_ meta: MetaPage, _ block: ReuseBlock) {
        self.meta = meta
        self.block = block
        judged = JudgedPages(lastPage: meta.lastPage)
    }

    /// The damage that the walk found.
    var damage: StorageError? { walk.damage }

    /// Whether so much was written behind the old pages that a walk costs little beside it.
    func hasGrown(to lastPage: Int) -> Bool {
        lastPage - Int(meta.lastPage) > max(4096, Int(meta.lastPage) / 8)
    }

    /// Walks the pages in the background, and notes it if they are sound.
    func walkInBackground(_ handle: EnvironmentHandle) {
        guard let fileSize = try? handle.fileSize,
            case .success(let descriptor) = Files.duplicate(handle.dataDescriptor)
        else { return }
        walk.start(
            PageReader(
                descriptor: descriptor, path: handle.path, fileSize: fileSize, meta: meta),
            noting: handle.soundPages)
    }

    /// For tests.
    func waitForWalk() { walk.wait() }

    /// Lets pages be reused, and ends the walk. Call it once.
    func end() {
        walk.cancel()
        block.end()
    }
}

/// Whether the pages of a file are known to be sound. It never becomes unknown again.
final class PageSoundness: Sendable {
    private let known: Atomic<Bool>

    init(isKnown: Bool) { known = Atomic(isKnown) }

    var isKnown: Bool { known.load(ordering: .acquiring) }

    func note() { known.store(true, ordering: .releasing) }
}

extension EnvironmentHandle {
    /// The pages that were judged so far; nil if all are sound.
    var judgedPages: JudgedPages? {
        hasSoundPages ? nil : unwalkedFile.withLock { $0 }?.judged
    }

    /// The damage that a walk in the background found. Nothing is written from then on.
    var foundDamage: StorageError? {
        hasSoundPages ? nil : unwalkedFile.withLock { $0 }?.damage
    }

    /// Makes sure that LMDB follows no damaged page in the transactions from now on. The caller
    /// has the right to write.
    ///
    /// LMDB's write path trusts each page that it reads, and the free list. On damage it
    /// aborts, moves bytes by wrong lengths, or overwrites pages in use. So the pages are
    /// walked, once; then everything that LMDB itself writes is sound, in this process and in
    /// others that did the same. The pages of large files are judged one by one instead
    /// (``UnwalkedFile``), so that the first commit costs the same in files of all sizes.
    ///
    /// - Returns: Whether the pages are newly known to be sound.
    /// - Throws: `corrupted` or `truncated`. Nothing is ever written to a damaged file.
    func prepareForWriting(_ hooks: TestHooks, _ counters: ActivityCounters) throws(StorageError)
        -> Bool
    {
        let unwalked = unwalkedFile.withLock { $0 }
        if hasSoundPages {
            guard let unwalked else { return false }
            _ = unwalkedFile.exchange(nil)
            unwalked.end()
            return true
        }
        if let unwalked {
            if let damage = unwalked.damage { throw damage }
            if !unwalked.hasGrown(to: lastPage) { return false }
        } else if let unwalked = try beginJudging(hooks) {
            _ = unwalkedFile.exchange(unwalked)
            EventLog.say(
                .info,
                "\(path) was changed or not closed since its pages were checked; they are again")
            if hooks.walksInBackground { unwalked.walkInBackground(self) }
            return false
        }
        try walkNow(counters)
        return true
    }

    /// Nil if the file is small, or must be walked for another reason: pages larger than the
    /// system's, too little room behind the last page, or no lock file.
    private func beginJudging(_ hooks: TestHooks) throws(StorageError) -> UnwalkedFile? {
        guard lastPage >= hooks.walkedPageCount, mappedPageSize != nil, lockDescriptor >= 0 else {
            return nil
        }
        let size = try fileSize
        let room = UInt64(size / 8 + 16 << 20)
        guard SystemProcess.fileSizeLimit.map({ UInt64($0) > UInt64(size) + room }) ?? true,
            let system = try? FileSystem.of(dataDescriptor).get(),
            system.availableByteCount > room
        else { return nil }
        let meta = try PageReader(
            descriptor: dataDescriptor, path: path, fileSize: size, isOurs: true
        ).meta
        guard meta.lastPage < UInt64(size / meta.pageSize),
            let block = ReuseBlock(raw, lockDescriptor: lockDescriptor)
        else { return nil }
        return UnwalkedFile(meta, block)
    }

    private func walkNow(_ counters: ActivityCounters) throws(StorageError) {
        try PageReader(descriptor: dataDescriptor, path: path, fileSize: try fileSize, isOurs: true)
            .walk()
        counters.add(to: counters.pageWalks)
        soundPages.note()
        unwalkedFile.exchange(nil)?.end()
    }

    /// Walks the pages of a file that needs its free pages, so that the next transaction can
    /// reuse them. A failure is found again by that transaction.
    func allowReuse(_ counters: ActivityCounters) {
        if judgedPages != nil { try? walkNow(counters) }
    }

    func noteJudgedPages(_ counters: ActivityCounters) {
        guard let judgedPages else { return }
        counters.judgedPages.store(judgedPages.count, ordering: .relaxed)
    }
}

extension Environment {
    /// For tests: waits until the walk in the background has ended, if one was begun.
    package func waitForPageWalk() { handle.unwalkedFile.withLock { $0 }?.waitForWalk() }
}
