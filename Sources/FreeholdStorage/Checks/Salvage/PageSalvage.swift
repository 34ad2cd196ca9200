/// Collects the entries of a damaged file from its pages, without LMDB, which would abort.
///
/// First it walks the trees of the newest version, skipping every unsound page. The contents
/// below such a page are on pages that no tree reaches and that the free list does not name. No
/// page records its database or version. So each entry of these pages is tried for every place
/// that its key allows. It is accepted if its value's checksum, which is seeded with the place,
/// agrees (`SalvageSource.adoptStrays`).
struct PageSalvage {
    private enum Tree {
        case free
        case main
        case database(Database)
    }

    let reader: PageReader
    private(set) var entries = SalvagedEntries()
    /// The entries of the unnamed database that are not trees.
    private(set) var mainEntries: [SalvagedEntries.Key: SalvagedEntries.Value] = [:]
    /// Entries on pages that no tree reaches.
    private(set) var strays: [(key: SalvagedEntries.Key, value: SalvagedEntries.Value)] = []
    private(set) var problems: [String] = []
    private(set) var isDamaged: Bool
    /// Whether the unreached pages may include free ones.
    private(set) var mayFindOldPages: Bool
    private var seen: PageSet

    /// - Parameter isDamaged: Whether the trees are already known to be untrustworthy.
    init(_ reader: PageReader, isDamaged: Bool) {
        self.reader = reader
        self.isDamaged = isDamaged
        mayFindOldPages = isDamaged
        seen = PageSet(count: reader.fileSize / reader.meta.pageSize)
    }

    mutating func run() {
        walk(reader.meta.freeTree, .free)
        walk(reader.meta.mainTree, .main)
        if isDamaged { collectStrays() }
    }

    private mutating func note(_ problem: String) {
        if problems.count < SalvageReport.greatestProblemCount { problems.append(problem) }
    }

    // MARK: Trees

    private mutating func walk(_ tree: TreeRecord, _ kind: Tree) {
        if tree.isEmpty { return }
        walk(tree.root, height: tree.depth, kind, SalvagedEntries.KeyRange())
    }

    private mutating func walk(
        _ number: UInt64, height: Int, _ kind: Tree, _ range: SalvagedEntries.KeyRange
    ) {
        let page: PageReader.Page
        do throws(StorageError) {
            guard height > 0, height <= PageLayout.maximumDepth else {
                throw reader.damagedPage(number)
            }
            page = try reader.page(number)
            guard page.isLeaf == (height == 1), seen.insert(number) else {
                throw reader.damagedPage(number)
            }
        } catch {
            return lose(range, kind, error)
        }
        for (index, node) in page.nodes.enumerated() {
            if page.isLeaf {
                collect(page, node, kind, range)
            } else {
                let below = SalvagedEntries.KeyRange(
                    low: index == 0 ? range.low : SalvagedEntries.Key(page.key(node)),
                    high: index + 1 < page.nodes.count
                        ? SalvagedEntries.Key(page.key(page.nodes[index + 1])) : range.high)
                walk(node.header.child, height: height - 1, kind, below)
            }
        }
    }

    private mutating func lose(
        _ range: SalvagedEntries.KeyRange, _ kind: Tree, _ error: StorageError
    ) {
        isDamaged = true
        switch kind {
        case .free:
            mayFindOldPages = true
            note("A part of the list of free pages cannot be read. \(error.message)")
        case .main:
            for database in Database.allCases
            where range.contains(SalvagedEntries.Key(database.name.utf8)) {
                entries.lose(SalvagedEntries.KeyRange(), database)
            }
            note("A part of the unnamed database cannot be read. \(error.message)")
        case .database(let database):
            entries.lose(range, database)
            note("A part of the database \"\(database.name)\" cannot be read. \(error.message)")
        }
    }

    private mutating func collect(
        _ page: PageReader.Page, _ node: PageReader.Node, _ kind: Tree,
        _ range: SalvagedEntries.KeyRange
    ) {
        let key = SalvagedEntries.Key(page.key(node))
        do throws(StorageError) {
            guard range.contains(key) else { throw reader.damagedPage(page.number) }
            switch kind {
            case .free:
                _ = try value(page, node)
                for free in try reader.freedPages(node, on: page) { _ = seen.insert(free) }
            case .main:
                if node.header.flags & PageLayout.subTree != 0 {
                    return walkDatabase(key, page, node)
                }
                mainEntries[key] = try value(page, node)
            case .database(let database):
                let value = try value(page, node)
                // Indexes are rebuilt.
                if database != .indexes { entries.add(key, value, database) }
            }
        } catch {
            lose(SalvagedEntries.KeyRange(low: key, high: key + [0]), kind, error)
        }
    }

    private mutating func walkDatabase(
        _ name: SalvagedEntries.Key, _ page: PageReader.Page, _ node: PageReader.Node
    ) {
        guard let database = Database.allCases.first(where: { name.elementsEqual($0.name.utf8) })
        else {
            isDamaged = true
            return note(
                "There is a database with the name \"\(String(decoding: name, as: UTF8.self))\".")
        }
        guard let tree = page.data(node).withUnsafeBytes(TreeRecord.init(_:)) else {
            isDamaged = true
            return entries.lose(SalvagedEntries.KeyRange(), database)
        }
        walk(tree, .database(database))
    }

    /// The place of a leaf's value, and its run of pages, which is checked to be in the file.
    private func place(_ page: PageReader.Page, _ node: PageReader.Node) throws(StorageError) -> (
        value: SalvagedEntries.Value, run: Range<UInt64>?
    ) {
        let run = try reader.overflowRun(node, on: page)
        let (first, offset) =
            run.map { ($0.lowerBound, PageLayout.headerSize) }
            ?? (page.number, node.data.lowerBound)
        return (
            .inFile(
                offset: Int(first) * reader.meta.pageSize + offset, count: node.header.dataSize),
            run
        )
    }

    private mutating func value(_ page: PageReader.Page, _ node: PageReader.Node)
        throws(StorageError) -> SalvagedEntries.Value
    {
        let (value, run) = try place(page, node)
        for next in run ?? 0..<0 { _ = seen.insert(next) }
        return value
    }

    // MARK: Strays

    private mutating func collectStrays() {
        let end = min(reader.meta.lastPage &+ 1, UInt64(reader.fileSize / reader.meta.pageSize))
        var number = PageLayout.firstPage
        while number < end {
            if seen.insert(number), let page = try? reader.page(number), page.isLeaf {
                for node in page.nodes where node.header.flags & PageLayout.subTree == 0 {
                    if let value = try? value(page, node) {
                        strays.append((SalvagedEntries.Key(page.key(node)), value))
                    }
                }
            }
            number += 1
        }
    }

    /// All values that sound leaves have for a key, on all pages, including free ones.
    func valuesOnAllPages(of key: [UInt8]) -> [SalvagedEntries.Value] {
        var found: [SalvagedEntries.Value] = []
        var number = PageLayout.firstPage
        while number < UInt64(reader.fileSize / reader.meta.pageSize) {
            if let page = try? reader.page(number), page.isLeaf {
                for node in page.nodes where page.key(node).elementsEqual(key) {
                    if let value = try? place(page, node).value { found.append(value) }
                }
            }
            number += 1
        }
        return found
    }
}
