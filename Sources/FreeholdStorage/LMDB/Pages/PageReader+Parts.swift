internal import Synchronization

/// Walks of a large tree on several threads.
extension PageReader {
    /// More than one part for each thread, because some parts take longer than others.
    private static let partsPerThread = 8

    /// Walks the tree of a database: the upper levels on this thread, then the parts below on
    /// several. Each thread keeps a page set of its own, so a page that two of them visited is
    /// found when the sets are joined.
    ///
    /// Throws what a walk on one thread throws. If there are several defects, it may report another
    /// one of them.
    ///
    /// - Returns: The number of entries of the tree.
    func walkInParts(_ root: Subtree, pages: inout PageSet) throws(StorageError) -> UInt64 {
        var parts = [root]
        while parts.count < threadCount * Self.partsPerThread, parts[0].height > 1 {
            var children: [Subtree] = []
            for part in parts {
                let branch = try visit(part, pages: &pages, .database)
                for index in branch.nodes.indices {
                    children.append(child(index, of: branch, part))
                }
            }
            parts = children
        }
        let work = PartialWalks(self, parts)
        // This thread walks, too; alone, if the system can start no other.
        var threads: [SystemThread] = []
        while threads.count + 1 < min(threadCount, parts.count) {
            let thread = try? SystemThread.start(
                named: "freehold-walk", to: "check the pages", path: path, work.run)
            guard let thread else { break }
            threads.append(thread)
        }
        work.run()
        for thread in threads { thread.join() }
        return try work.finish(adding: &pages, root.root)
    }
}

/// The parts of a tree, each of which one of several threads walks.
private final class PartialWalks: Sendable {
    private let reader: PageReader
    private let parts: [PageReader.Subtree]
    /// The part that is walked next. Behind the last one after an error.
    private let next = Atomic(0)
    private let found = Locked(Found())

    private struct Found {
        var entryCount: UInt64 = 0
        /// Those of each thread that has ended.
        var pages: [PageSet] = []
        var error: StorageError?
    }

    init(_ reader: PageReader, _ parts: [PageReader.Subtree]) {
        self.reader = reader
        self.parts = parts
    }

    /// Walks parts until none is left.
    func run() {
        var pages = PageSet(count: reader.fileSize / reader.meta.pageSize)
        var entryCount: UInt64 = 0
        do throws(StorageError) {
            while true {
                let part = next.add(1, ordering: .relaxed).oldValue
                guard part < parts.count else { break }
                entryCount += try reader.walk(parts[part], pages: &pages, .database)
            }
        } catch {
            next.store(parts.count, ordering: .relaxed)
            found.withLock { $0.error = $0.error ?? error }
        }
        found.withLock {
            $0.entryCount += entryCount
            $0.pages.append(pages)
        }
    }

    /// When all threads have ended.
    ///
    /// - Parameters:
    ///   - pages: Those that were visited before; gets all others.
    ///   - root: The page that a page of two parts is reported for.
    func finish(adding pages: inout PageSet, _ root: UInt64) throws(StorageError) -> UInt64 {
        let found = found.withLock { $0 }
        if let error = found.error { throw error }
        for others in found.pages where !pages.formUnion(others) { throw reader.damagedPage(root) }
        return found.entryCount
    }
}
