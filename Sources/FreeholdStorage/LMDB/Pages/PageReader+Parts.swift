/// Walks of a large tree on several threads.
extension PageReader {
    /// What is below some neighbouring children of a branch.
    private struct Part: Sendable {
        let nodes: Range<Int>
        var pages: PageSet
        var result: Result<UInt64, StorageError> = .success(0)
    }

    /// Walks the children of a branch in parts, each on a thread of its own and with pages of its
    /// own. A page of two parts is found when they are put together.
    ///
    /// Errors are those of a walk on one thread, but for a page to which two parts have a way:
    /// that is found after all other damage.
    ///
    /// - Parameter body: Walks some of the nodes, and returns the number of entries below them.
    /// - Returns: The number of entries below the branch.
    func walkInParts(
        of branch: Page, pages: inout PageSet,
        _ body: @escaping @Sendable (Range<Int>, inout PageSet) throws(StorageError) -> UInt64
    ) throws(StorageError) -> UInt64 {
        let count = min(threadCount, branch.nodes.count)
        let parts = (0..<count).map { index in
            let nodes =
                branch.nodes.count * index / count..<branch.nodes.count * (index + 1) / count
            return Locked(Part(nodes: nodes, pages: pages.emptied))
        }
        let walk = { @Sendable (part: Locked<Part>) in
            part.withLock { part in
                do throws(StorageError) {
                    part.result = .success(try body(part.nodes, &part.pages))
                } catch {
                    part.result = .failure(error)
                }
            }
        }
        // The last ones are walked here, as are those for which the system has no thread.
        var threads: [SystemThread] = []
        while threads.count + 1 < count {
            let part = parts[threads.count]
            let thread = try? SystemThread.start(
                named: "freehold-walk", to: "check the pages", path: path
            ) { walk(part) }
            guard let thread else { break }
            threads.append(thread)
        }
        for part in parts[threads.count...] { walk(part) }
        for thread in threads { thread.join() }
        var entryCount: UInt64 = 0
        for part in parts { entryCount += try part.withLock { $0.result }.get() }
        for part in parts where !pages.formUnion(part.withLock { $0.pages }) {
            throw damagedPage(branch.number)
        }
        return entryCount
    }
}
