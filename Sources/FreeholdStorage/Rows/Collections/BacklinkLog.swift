/// The links that the open transaction added and removed in a column with counted backlinks.
///
/// Such a column's index stores how often each row links to each target. Comparing a whole
/// collection with its stored form would cost too much. So each added or removed link is logged
/// here, and the commit applies the sums. A look-up inside of the transaction adds the sums to
/// the index.
struct BacklinkLog {
    struct Change {
        let target: LinkTarget
        let owner: Int64
        let change: Int
    }

    private(set) var changes = ContiguousArray<Change>()
    /// The sums of the first `summed` changes, computed on demand.
    private var sums: [LinkTarget: [Int64: Int]] = [:]
    private var summed = 0

    mutating func note(_ target: LinkTarget, from owner: Int64, _ change: Int) {
        changes.append(Change(target: target, owner: owner, change: change))
    }

    /// The change in the number of links from each row to a target. O(changes since the last
    /// call), then O(1).
    mutating func sums(of target: LinkTarget) -> [Int64: Int] {
        for change in changes[summed...] {
            sums[change.target, default: [:]][change.owner, default: 0] += change.change
        }
        summed = changes.count
        return sums[target] ?? [:]
    }

    /// The non-zero sums, by target, then row. O(changes log changes).
    var netChanges: ContiguousArray<Change> {
        let sorted = changes.sorted {
            ($0.target.table, $0.target.key, $0.owner) < ($1.target.table, $1.target.key, $1.owner)
        }
        var net = ContiguousArray<Change>()
        for change in sorted {
            if let last = net.last, last.target == change.target, last.owner == change.owner {
                net[net.count - 1] = Change(
                    target: last.target, owner: last.owner, change: last.change + change.change)
            } else {
                if net.last?.change == 0 { net.removeLast() }
                net.append(change)
            }
        }
        if net.last?.change == 0 { net.removeLast() }
        return net
    }
}
