/// The pages of a file that were judged before LMDB followed them, in a file that was not walked.
///
/// Nothing overwrites the pages that the file had when the first of them was judged
/// (``UnwalkedFile``). So a page stays as it was judged, and every page behind the last one was
/// written by LMDB from judged ones.
final class JudgedPages: @unchecked Sendable {
    // @unchecked: only the holder of the write grant uses it.

    /// The last page that the file had. LMDB wrote the later ones since.
    let lastPage: UInt64
    /// A bit for each judged page, in words of 64 pages.
    private var words: [UInt64: UInt64] = [:]
    /// How many pages were judged.
    private(set) var count = 0

    init(lastPage: UInt64) { self.lastPage = lastPage }

    /// Whether LMDB wrote a page after the first one was judged.
    func isNew(_ number: UInt64) -> Bool { number > lastPage }

    /// Judges a branch or a leaf: each node lies inside the page, the nodes fill it, and the keys
    /// ascend between the bounds that the pages above give.
    ///
    /// The bounds are compared whenever the page is reached. A page cannot lie within the bounds
    /// of two places of a tree, so one that is referred to twice is found at the second.
    func judge(_ page: MappedPage, _ bounds: KeyBounds, isFreeList: Bool) throws(MappedPage.Damage)
    {
        let number = page.number
        if isNew(number) { return }
        let bytes = UnsafeRawBufferPointer(start: page.start, count: page.size)
        if contains(number) {
            guard isInside(page, bounds, isFreeList) else { throw MappedPage.Damage() }
            return
        }
        guard let (isLeaf, nodes) = PageReader.nodes(bytes, of: number),
            bounds.holdInOrder(
                nodes[(isLeaf ? 0 : 1)...], on: bytes, isFreeList: isFreeList),
            // Of LMDB's other kinds of values, none is in our databases.
            !isLeaf || nodes.allSatisfy({ $0.header.flags & ~PageLayout.bigData == 0 })
        else { throw MappedPage.Damage() }
        insert(number)
    }

    /// Notes the head of a large value, which the caller has judged.
    func noteLargeValue(_ number: UInt64) {
        if !isNew(number), !contains(number) { insert(number) }
    }

    private func isInside(_ page: MappedPage, _ bounds: KeyBounds, _ isFreeList: Bool) -> Bool {
        guard let count = page.count else { return false }
        let first = page.isLeaf ? 0 : 1
        guard first < count, let low = page.node(at: first)?.key,
            let high = page.node(at: count - 1)?.key
        else { return false }
        return bounds.contains(low, isFreeList) && bounds.contains(high, isFreeList)
    }

    func contains(_ number: UInt64) -> Bool {
        (words[number / 64] ?? 0) & UInt64(1) << (number % 64) != 0
    }

    private func insert(_ number: UInt64) {
        words[number / 64, default: 0] |= UInt64(1) << (number % 64)
        count += 1
    }
}

/// The bounds of a page's keys: at least `low`, below `high`. Nil is unbounded.
struct KeyBounds {
    var low: UnsafeRawBufferPointer?
    var high: UnsafeRawBufferPointer?

    func contains(_ key: UnsafeRawBufferPointer, _ isFreeList: Bool) -> Bool {
        if let low, Self.isBelow(key, low, isFreeList) { return false }
        if let high, !Self.isBelow(key, high, isFreeList) { return false }
        return true
    }

    /// Whether the keys of nodes ascend within the bounds. Otherwise LMDB would find wrong
    /// entries or none, and insert new ones in wrong places.
    ///
    /// - Parameter nodes: Without the first node of a branch: that child holds everything below
    ///   the second one's key, whatever its own key says.
    func holdInOrder(
        _ nodes: ArraySlice<PageReader.Node>, on page: UnsafeRawBufferPointer, isFreeList: Bool
    ) -> Bool {
        var previous: UnsafeRawBufferPointer?
        for node in nodes {
            let key = UnsafeRawBufferPointer(rebasing: page[node.key])
            guard !key.isEmpty, !isFreeList || key.count == 8 else { return false }
            if let previous {
                if !Self.isBelow(previous, key, isFreeList) { return false }
            } else if let low, Self.isBelow(key, low, isFreeList) {
                return false
            }
            previous = key
        }
        guard let previous, let high else { return true }
        return Self.isBelow(previous, high, isFreeList)
    }

    private static func isBelow(
        _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, _ isFreeList: Bool
    ) -> Bool {
        // The free list's keys are integers in the processor's byte order.
        if isFreeList {
            return a.count == 8 && b.count == 8
                && a.loadUnaligned(as: UInt64.self) < b.loadUnaligned(as: UInt64.self)
        }
        return ByteComparison.compare(a, b) < 0
    }
}
