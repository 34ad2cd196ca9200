/// Judges the pages of one database that LMDB can follow in an operation of a write transaction,
/// before the operation.
///
/// LMDB follows pages of the version before the transaction (*base* pages) and its own copies of
/// those that it changed. Only base pages can be damaged. Which ones an operation reaches:
///
/// - **Reading and putting** a key: the path to the key. A split makes new pages of the path's
///   own. The head of the key's large value, which is freed.
/// - **Deleting** a key: at each height, a page that has become too small takes entries of a
///   neighbour or is merged with it (`mdb_rebalance`). To move a branch's first child, LMDB
///   looks for the least key below it (`mdb_page_search_lowest`): the path along the first
///   children. After the last entry of a leaf, the cursor moves to the next leaf
///   (`mdb_cursor_sibling`).
/// - **Moving** a cursor by an entry: the next leaf or the previous one.
///
/// A page that was merged covers several base pages. So after a deletion, the neighbour of a copy
/// may be farther away than that of the base page of its key. A ``PageIsland`` has the base pages
/// of one height that deletions may have merged. Each deletion extends the islands of its key by
/// a page in both directions; so their neighbours are judged before LMDB can reach them. A page
/// that was merged can also have lost the keys below its least one to the page before it. So in
/// an island, reading and putting count as deletions.
///
/// O(depth²) pages for each operation, each once; most have been judged for another one.
final class GuardedTree {
    typealias Damage = MappedPage.Damage

    private let tree: JudgedTree
    /// The islands of the pages that are part of one, by page number.
    private var islands: [UInt64: PageIsland] = [:]
    private var hasChanged = false

    init(_ tree: JudgedTree) { self.tree = tree }

    func willRead(_ key: UnsafeRawBufferPointer) throws(Damage) {
        if tree.isEmpty || key.isEmpty { return }
        let path = try tree.path(to: key)
        try judgeValue(path)
        if isNearDeletions(path) { try spread(path) }
    }

    func willPut(_ key: UnsafeRawBufferPointer, appending: Bool = false) throws(Damage) {
        hasChanged = true
        if tree.isEmpty { return }
        // LMDB goes to the last entry, to compare the keys.
        if appending {
            let path = try tree.edge(isLast: true)
            if isNearDeletions(path) { try spread(path) }
        }
        try willRead(key)
    }

    func willDelete(_ key: UnsafeRawBufferPointer) throws(Damage) {
        if tree.isEmpty || key.isEmpty { return }
        let path = try tree.path(to: key)
        try judgeValue(path)
        if path.isExact || hasChanged { try spread(path) }
        hasChanged = true
    }

    /// - Parameter key: The key from which a cursor moves by at most one entry; empty for the
    ///   first.
    func willMove(from key: UnsafeRawBufferPointer) throws(Damage) {
        if tree.isEmpty { return }
        try willMove(from: try key.isEmpty ? tree.edge(isLast: false) : tree.path(to: key))
    }

    func willMoveToLast() throws(Damage) {
        if !tree.isEmpty { try willMove(from: tree.edge(isLast: true)) }
    }

    private func willMove(from path: TreePath) throws(Damage) {
        if isNearDeletions(path) { try spread(path) }
        try judgeValues(path)
        for isNext in [false, true] {
            if let path = try tree.neighbour(of: path, isNext: isNext) { try judgeValues(path) }
        }
    }

    /// Judges every page. O(pages).
    func willDeleteAll() throws(Damage) {
        if tree.isEmpty { return }
        var path: TreePath? = try tree.edge(isLast: false)
        while let leaf = path {
            try judgeValues(leaf)
            path = try tree.neighbour(of: leaf, isNext: true)
        }
    }

    private func judgeValue(_ path: TreePath) throws(Damage) {
        if path.isExact { try tree.judgeValue(at: path.last.index, of: path.last) }
    }

    private func judgeValues(_ path: TreePath) throws(Damage) {
        for index in 0..<path.last.count { try tree.judgeValue(at: index, of: path.last) }
    }

    // MARK: Islands

    private func isNearDeletions(_ path: TreePath) -> Bool {
        !islands.isEmpty && path.steps.contains { islands[$0.number] != nil }
    }

    /// Extends the islands of a path's pages. The root has no neighbours.
    private func spread(_ path: TreePath) throws(Damage) {
        for count in stride(from: tree.depth, to: 1, by: -1) {
            let page = path.prefix(count)
            let island: PageIsland
            if let known = islands[page.last.number] {
                island = known.current
            } else {
                island = PageIsland(page)
                try add(page, to: island)
            }
            try extend(island, isNext: false)
            try extend(island, isNext: true)
        }
    }

    private func extend(_ island: PageIsland, isNext: Bool) throws(Damage) {
        while let page = try tree.neighbour(of: island.edge(isNext), isNext: isNext) {
            guard let other = islands[page.last.number]?.current else {
                island.setEdge(page, isNext)
                return try add(page, to: island)
            }
            // A page cannot be in two places.
            if other === island { throw Damage() }
            island.absorb(other, isNext)
        }
    }

    private func add(_ page: TreePath, to island: PageIsland) throws(Damage) {
        islands[page.last.number] = island
        if page.steps.count < tree.depth { _ = try tree.edge(below: page, isLast: false) }
    }
}

/// Neighbouring pages of one height that deletions of a transaction may have merged.
final class PageIsland {
    private var first: TreePath
    private var last: TreePath
    /// The island of which this one has become a part.
    private var successor: PageIsland?

    init(_ page: TreePath) {
        first = page
        last = page
    }

    var current: PageIsland {
        var island = self
        while let next = island.successor {
            // Shortens the way for the next time.
            if let afterNext = next.successor { island.successor = afterNext }
            island = next
        }
        return island
    }

    func edge(_ isLast: Bool) -> TreePath { isLast ? last : first }

    func setEdge(_ page: TreePath, _ isLast: Bool) {
        if isLast { last = page } else { first = page }
    }

    /// Takes an island that begins where this one ends.
    func absorb(_ other: PageIsland, _ isNext: Bool) {
        setEdge(other.edge(isNext), isNext)
        other.successor = self
    }
}
