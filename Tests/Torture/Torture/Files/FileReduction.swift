/// Takes from a damage what it does not need to be found.
struct FileReduction {
    private let damage: FileDamage
    private let base: FileBase
    /// How many files are tried.
    private static let limit = 120

    init(_ damage: FileDamage, _ base: FileBase) {
        self.damage = damage
        self.base = base
    }

    /// - Parameter isFound: Whether a damage shows what was found.
    func reduced(_ isFound: (FileDamage) -> Bool) -> FileDamage {
        var best = damage
        best.edits = damage.edits.flatMap(differing)
        var tries = 0
        func attempt(_ change: (inout FileDamage) -> Void) -> Bool {
            guard tries < Self.limit else { return false }
            tries += 1
            var next = best
            change(&next)
            guard isFound(next) else { return false }
            best = next
            return true
        }
        // What cannot be repeated is kept as it was.
        guard attempt({ _ in }) else { return damage }
        if best.length != nil { _ = attempt { $0.length = nil } }
        if best.lock != nil { _ = attempt { $0.lock = nil } }
        // Half of the edits at a time, then a quarter, ...
        var size = max(best.edits.count / 2, 1)
        while size >= 1, tries < Self.limit {
            var start = 0
            while start < best.edits.count {
                let end = min(start + size, best.edits.count)
                if best.edits.count > 1, attempt({ $0.edits.removeSubrange(start..<end) }) {
                    continue
                }
                start = end
            }
            if size == 1 { break }
            size /= 2
        }
        return best
    }

    /// The runs of an edit's bytes that are not the base's.
    private func differing(_ edit: FileDamage.Edit) -> [FileDamage.Edit] {
        var runs: [FileDamage.Edit] = []
        for (index, byte) in edit.bytes.enumerated() {
            let offset = edit.offset + index
            guard offset < base.bytes.count, base.bytes[offset] != byte else { continue }
            if let last = runs.last, last.offset + last.bytes.count == offset, last.bytes.count < 8
            {
                runs[runs.count - 1].bytes.append(byte)
            } else {
                runs.append(FileDamage.Edit(offset: offset, bytes: [byte]))
            }
        }
        return runs
    }
}
