import FreeholdTestSupport

/// What a draft had deleted, and a merge kept, because others had changed it. The next step of
/// undo or redo that would bring it back does not touch it. It sets the links to it that it would
/// set.
struct KeptRows {
    private var items: Set<Int64>
    private var named: Set<String>
    private var owners: Set<String>
    private var addresses: Set<Int>

    init(before base: MergeModel, _ mine: MergeModel, _ merged: MergeModel) {
        func kept<Key: Hashable, Value>(_ rows: KeyPath<MergeModel, [Key: Value]>) -> Set<Key> {
            Set(base[keyPath: rows].keys).subtracting(mine[keyPath: rows].keys)
                .intersection(merged[keyPath: rows].keys)
        }
        items = kept(\.items)
        named = kept(\.named)
        owners = kept(\.owners)
        addresses = base.numbers.subtracting(mine.numbers).intersection(merged.numbers)
    }

    private var isEmpty: Bool {
        items.isEmpty && named.isEmpty && owners.isEmpty && addresses.isEmpty
    }

    /// - Parameter steps: The next one last.
    func forgetReturn(in steps: inout [DraftModel.Step]) {
        var rest = self
        for index in steps.indices.reversed() where !rest.isEmpty {
            rest.forgetReturn(in: &steps[index])
        }
    }

    private mutating func forgetReturn(in step: inout DraftModel.Step) {
        for key in items where step.from.items[key] == nil {
            guard let item = step.to.items[key] else { continue }
            items.remove(key)
            step.from.items[key] = item
        }
        for title in named where step.from.named[title] == nil {
            guard let row = step.to.named[title] else { continue }
            named.remove(title)
            step.from.named[title] = row
        }
        for label in owners where step.from.owners[label] == nil {
            guard let owner = step.to.owners[label] else { continue }
            owners.remove(label)
            step.from.owners[label] = owner
            addresses.subtract(owner.addresses.compactMap(\.number))
        }
        for (label, owner) in step.to.owners {
            guard let old = step.from.owners[label] else { continue }
            let numbers = Set(old.addresses.map(\.number))
            let returning = Set(owner.addresses.compactMap(\.number)).intersection(addresses)
                .filter { !numbers.contains($0) }
            if returning.isEmpty { continue }
            addresses.subtract(returning)
            let added = owner.addresses.filter { returning.contains($0.number ?? -1) }
            step.from.owners[label]?.addresses = old.addresses + added
        }
    }
}

extension MergeModel {
    /// The numbers of all addresses in lists.
    fileprivate var numbers: Set<Int> {
        Set(owners.values.flatMap { $0.addresses.compactMap(\.number) })
    }
}
