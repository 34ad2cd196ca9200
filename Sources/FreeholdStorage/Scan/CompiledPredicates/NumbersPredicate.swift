/// A list of doubles that satisfies a matcher.
final class NumbersPredicate: CompiledPredicate {
    private let hop: CollectionHop
    private let matcher: ScanNumbersMatcher
    /// The numbers of the current row; reused, so that the buffer is allocated once.
    private var numbers: ContiguousArray<Double> = []

    /// - Parameter hop: A hop into a list of doubles.
    init(_ hop: CollectionHop, _ matcher: ScanNumbersMatcher) {
        self.hop = hop
        self.matcher = matcher
        super.init(table: hop.table, rowCost: 150, matchesNull: false)
    }

    override func matches(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Bool {
        numbers.removeAll(keepingCapacity: true)
        hop.forEachLeaf(row, cluster) { leaf in
            for element in 0..<leaf.count {
                numbers.append(
                    leaf.values.isNull(at: element) ? .nan : leaf.values.double(at: element))
            }
            return true
        }
        return matcher.matches(numbers)
    }

    override var summary: String { "\(hop.name) matches \(matcher.name)" }
}
