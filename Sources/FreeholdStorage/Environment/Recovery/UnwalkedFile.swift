internal import Synchronization

/// A file that this process writes before its pages are known to be sound, as after a kill or a
/// loss of power.
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
    private let walk: BackgroundWalk
    /// How many pages may be written behind the old ones before a commit waits for the walk.
    private let growthLimit: UInt64

    init(_ meta: MetaPage, _ block: ReuseBlock, growthLimit: UInt64, _ hooks: TestHooks) {
        self.meta = meta
        self.block = block
        self.growthLimit = growthLimit
        walk = BackgroundWalk(onPage: hooks.onWalkedPage)
        judged = JudgedPages(lastPage: meta.lastPage)
    }

    /// The damage that the walk found.
    var damage: StorageError? { walk.damage }

    /// Whether the file needs its free pages before it grows further. Long before that, the walk
    /// stops resting.
    func needsReuse(_ lastPage: Int) -> Bool {
        let growth = UInt64(lastPage) - meta.lastPage
        if growth > growthLimit / 2 { walk.hurry() }
        return growth > growthLimit
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

    /// Waits for the end of the walk, which no longer rests. Returns at once if there is none.
    func finishWalk() {
        walk.hurry()
        walk.wait()
    }

    /// For tests.
    func waitForWalk() { walk.wait() }

    /// Lets pages be reused, and cancels the walk. Call this or ``close()``, once.
    func end() {
        walk.cancel()
        block.end()
    }

    /// As ``end()``, and waits until the walk has closed its descriptor: at most for one page.
    func close() {
        end()
        walk.wait()
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

    /// The damage that a walk in the background found. Nothing is written from then on. The walk
    /// is right only if nothing was overwritten meanwhile.
    var foundDamage: StorageError? {
        guard !hasSoundPages, let damage = unwalkedFile.withLock({ $0 })?.damage, isReuseBlocked
        else { return nil }
        return damage
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
        if hasSoundPages { return endJudging() }
        if let unwalked = unwalkedFile.withLock({ $0 }) {
            if let damage = foundDamage { throw damage }
            if !isReuseBlocked {
                EventLog.say(
                    .warning, "\(path): LMDB's lock file was reset while it was in use")
                try walkNow(counters)
            } else if unwalked.needsReuse(lastPage) {
                try finishWalk(unwalked, counters)
            } else {
                return false
            }
            return true
        }
        if let unwalked = try beginJudging(hooks) {
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

    /// Returns whether pages were judged until now.
    private func endJudging() -> Bool {
        guard let unwalked = unwalkedFile.exchange(nil) else { return false }
        unwalked.end()
        return true
    }

    /// Nil if the file is small, or must be walked for another reason: pages larger than the
    /// system's, too little room behind the last page, doubtful meta pages, or no lock file.
    private func beginJudging(_ hooks: TestHooks) throws(StorageError) -> UnwalkedFile? {
        guard lastPage >= hooks.walkedPageCount, mappedPageSize != nil, lockDescriptor >= 0 else {
            return nil
        }
        let size = try fileSize
        let reader = try PageReader(
            descriptor: dataDescriptor, path: path, fileSize: size, isOurs: true)
        let lastPage = reader.meta.lastPage
        // The number of the last page decides what LMDB overwrites. It never becomes less.
        guard let limit = growthLimit(size), lastPage < UInt64(size / pageSize),
            reader.olderMeta.map({ $0.lastPage <= lastPage }) ?? true,
            let block = ReuseBlock(self)
        else { return nil }
        return UnwalkedFile(reader.meta, block, growthLimit: limit, hooks)
    }

    private static let leastGrowthLimit: UInt64 = 1024

    /// The number of pages by which the file may grow while none is reused: an eighth, but at most
    /// half of the room on the medium. Nil if that is hardly any.
    private func growthLimit(_ size: Int) -> UInt64? {
        guard let system = try? FileSystem.of(dataDescriptor).get() else { return nil }
        var room = UInt64(system.availableByteCount)
        if let limit = SystemProcess.fileSizeLimit {
            room = min(room, UInt64(limit) - min(UInt64(limit), UInt64(size)))
        }
        let limit = min(
            room / 2 / UInt64(pageSize), max(4 * Self.leastGrowthLimit, UInt64(lastPage) / 8))
        return limit < Self.leastGrowthLimit ? nil : limit
    }

    /// Waits for the walk in the background, which is nearer its end than a new one.
    private func finishWalk(_ unwalked: UnwalkedFile, _ counters: ActivityCounters)
        throws(StorageError)
    {
        unwalked.finishWalk()
        if let damage = foundDamage { throw damage }
        if hasSoundPages { _ = endJudging() } else { try walkNow(counters) }
    }

    private func walkNow(_ counters: ActivityCounters) throws(StorageError) {
        try PageReader(descriptor: dataDescriptor, path: path, fileSize: try fileSize, isOurs: true)
            .walk()
        counters.add(to: counters.pageWalks)
        soundPages.note()
        _ = endJudging()
    }

    /// Checks the pages of a file that needs its free pages, so that the next transaction can
    /// reuse them. A failure is found again by that transaction.
    func allowReuse(_ counters: ActivityCounters) {
        guard judgedPages != nil, let unwalked = unwalkedFile.withLock({ $0 }) else { return }
        try? finishWalk(unwalked, counters)
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
