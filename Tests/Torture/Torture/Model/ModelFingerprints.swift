/// What counts of an object as a change of it.
struct ModelContent: Hashable {
    /// Where this differs, it is modified.
    let must: Int
    /// Where this differs, it may be: a nested collection that is replaced by an equal one, is
    /// another one.
    let may: Int

    static let nothing = ModelContent(must: 0, may: 0)
}

/// Which properties an observer observes.
enum ModelPaths: CaseIterable {
    case everything, nothing, name, nextRank, childNames, partSize

    var keyPaths: [String]? {
        switch self {
        case .everything: nil
        case .nothing: []
        case .name: ["name"]
        case .nextRank: ["next.rank"]
        case .childNames: ["children.name"]
        case .partSize: ["part.size"]
        }
    }
}

/// The contents of the objects of one version, as observers count them: those that links lead
/// to, over up to four links, included.
final class ModelFingerprints {
    private let model: PlainModel
    private var known: [Node: ModelContent] = [:]

    private struct Node: Hashable {
        let link: PlainLink
        let depth: Int
    }

    init(_ model: PlainModel) { self.model = model }

    /// What an item itself has; nil if it is not there.
    func own(item key: Int) -> PlainItem? {
        model.items[key].map { PlainItem(values: $0.values.map(Self.own)) }
    }

    func content(ofItem key: Int, _ paths: ModelPaths) -> ModelContent {
        guard let item = model.items[key] else { return .nothing }
        func plain(_ body: (inout Hasher) -> Void) -> ModelContent {
            var hasher = Hasher()
            body(&hasher)
            let value = hasher.finalize()
            return ModelContent(must: value, may: value)
        }
        switch paths {
        case .everything: return content(PlainLink(type: .item, key: key), 0)
        case .nothing: return .nothing
        case .name: return plain { $0.combine(item[.name]) }
        case .nextRank:
            return plain {
                $0.combine(item[.next])
                $0.combine(item[.next].item.flatMap { model.items[$0]?[.rank] })
            }
        case .childNames:
            return plain { hasher in
                hasher.combine(item[.children])
                for child in item[.children].elements {
                    hasher.combine(child.item.flatMap { model.items[$0]?[.name] })
                }
            }
        case .partSize:
            return plain {
                $0.combine(item[.part].part?.serial)
                $0.combine(item[.part].part?.size)
            }
        }
    }

    private func content(_ link: PlainLink, _ depth: Int) -> ModelContent {
        let node = Node(link: link, depth: depth)
        if let content = known[node] { return content }
        var (must, may) = (Hasher(), Hasher())
        var targets: [PlainLink] = []
        switch link.type {
        case .item:
            guard let item = model.items[link.key] else { break }
            for column in ItemColumn.allCases { must.combine(Self.own(item[column])) }
            may.combine(model.affected[link.key])
            targets = item.values.flatMap(\.links)
            if depth < 4 {
                for value in item.values {
                    for part in Self.outermost(value) { combine(part, depth + 1, &must, &may) }
                }
            }
        case .note:
            guard let note = model.notes[link.key] else { break }
            must.combine(note)
            targets = (note.items + [note.item].compactMap { $0 }).map {
                PlainLink(type: .item, key: $0)
            }
        case .ticket:
            guard let ticket = model.tickets[link.key] else { break }
            must.combine(ticket)
            targets = [ticket.item].compactMap { $0 }.map { PlainLink(type: .item, key: $0) }
        }
        if depth < 4 {
            for target in targets.sorted(by: { "\($0)" < "\($1)" }) {
                combine(content(target, depth + 1), &must, &may)
            }
        }
        let mustValue = must.finalize()
        may.combine(mustValue)
        let content = ModelContent(must: mustValue, may: may.finalize())
        known[node] = content
        return content
    }

    private func combine(_ content: ModelContent, _ must: inout Hasher, _ may: inout Hasher) {
        must.combine(content.must)
        may.combine(content.may)
    }

    private func combine(_ part: PlainPart, _ depth: Int, _ must: inout Hasher, _ may: inout Hasher)
    {
        must.combine(Self.own(part))
        if depth == 4 { return }
        for key in [part.target, part.owned].compactMap({ $0 }) {
            combine(content(PlainLink(type: .item, key: key), depth + 1), &must, &may)
        }
        for inner in part.inner { combine(inner, depth + 1, &must, &may) }
    }

    /// What an object itself has: of embedded ones, which.
    static func own(_ value: PlainValue) -> PlainValue {
        switch value {
        case .part(let part): .int(part.serial)
        case .list(let values): .list(values.map(own))
        case .map(let entries): .map(entries.mapValues(own))
        default: value
        }
    }

    private static func own(_ part: PlainPart) -> PlainPart {
        var part = part
        for index in part.inner.indices {
            part.inner[index] = PlainPart(
                serial: part.inner[index].serial, size: 0, label: "", sizes: [], inner: [])
        }
        return part
    }

    private static func outermost(_ value: PlainValue) -> [PlainPart] {
        switch value {
        case .part(let part): [part]
        case .list(let values): values.flatMap(outermost)
        case .map(let entries): entries.sorted { $0.key < $1.key }.flatMap { outermost($0.value) }
        default: []
        }
    }
}
