/// What the maps of this process's files may take of its address space.
///
/// A map cannot grow while a version of its file is read, so each is made far larger than its
/// file. But a process has 128 TiB for all of them: the first few files get the whole of what
/// they ask for, and the more are open, the less a further one gets. So a process with one file
/// never meets a limit, and one with thousands of them can open them all.
enum AddressSpace {
    /// The number of maps of each size, and the size: 96 TiB together. Further ones get the
    /// last size while there is any.
    private static let shares: [(count: Int, size: Int)] = [
        (32, 1 << 40), (512, 1 << 36), (8192, 1 << 32), (.max, 1 << 30),
    ]

    private static let openCount = Locked(processWide: 0)

    /// The most that one more map should take, as the number of those that exist suggests.
    static var shareOfNext: Int { share(ofMap: openCount.withLock { $0 }) }

    /// The most that a map should take if so many others exist.
    static func share(ofMap others: Int) -> Int {
        var first = 0
        for (count, size) in shares {
            if others - first < count { return size }
            first += count
        }
        preconditionFailure("The last share has no end.")
    }

    /// Counts a map that was made.
    static func mapWasMade() {
        openCount.withLock { $0 += 1 }
    }

    /// Counts a map that is gone.
    static func mapIsGone() {
        openCount.withLock { $0 -= 1 }
    }
}
