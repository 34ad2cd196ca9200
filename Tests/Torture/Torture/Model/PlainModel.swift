import Foundation
import Freehold

/// The properties of an item, in the order of the model's records.
enum ItemColumn: Int, CaseIterable, Hashable {
    case rank, name, text, score, ratio, flag, small, big, data, date, decimal, objectID, uuid,
        kind, mood
    case part, next, owned, needed, note
    case numbers, texts, children, parts, tags, friends, marks, related, rooms, anything, things

    static let scalars = Array(allCases[..<15])
    static let mixed: [ItemColumn] = [.anything, .things]
    static let collections: [ItemColumn] = [
        .numbers, .texts, .children, .parts, .tags, .friends, .marks, .related, .rooms, .things,
    ]

    /// What a new object has.
    var initial: PlainValue {
        switch self {
        case .rank, .small: .int(0)
        case .name: .text("")
        case .ratio: .float(0)
        case .flag: .bool(false)
        case .data: .data(Data())
        case .decimal: .decimal(0)
        case .kind: .text("plain")
        case .numbers, .texts, .children, .parts, .things: .list([])
        case .tags, .friends: .set([])
        case .marks, .related, .rooms: .map([:])
        default: .null
        }
    }
}

/// An item. One that was deleted, and made again with the same key, is the same item, for
/// observers and references, too.
struct PlainItem: Hashable {
    var values: [PlainValue] = PlainItem.initial
    private static let initial = ItemColumn.allCases.map(\.initial)

    subscript(column: ItemColumn) -> PlainValue {
        get { values[column.rawValue] }
        set { values[column.rawValue] = newValue }
    }
}

struct PlainNote: Hashable {
    var text = ""
    var number = 0
    var item: Int?
    var items: [Int] = []
}

struct PlainTicket: Hashable {
    var title = ""
    var item: Int?
}

/// What a realm should have.
struct PlainModel {
    var items: [Int: PlainItem] = [:]
    var notes: [Int: PlainNote] = [:]
    var tickets: [Int: PlainTicket] = [:]
    var time = 0
    var serial = 0
    /// When an item's any values were last affected. Assigning an equal nested collection makes
    /// another one, which observers may get.
    var affected: [Int: Int] = [:]

    var itemKeys: [Int] { items.keys.sorted() }
    var noteKeys: [Int] { notes.keys.sorted() }

    /// All objects that an any value may hold.
    var links: [PlainLink] {
        itemKeys.map { PlainLink(type: .item, key: $0) }
            + noteKeys.map { PlainLink(type: .note, key: $0) }
            + tickets.keys.sorted().map { PlainLink(type: .ticket, key: $0) }
    }
}

// MARK: - Deleting

extension PlainModel {
    /// Deletes objects, and parts that were taken out, with what goes along. False, and nothing
    /// is deleted, if a rule denies it.
    mutating func delete(_ links: [PlainLink], parts: [PlainPart] = [], denies: Bool = true) -> Bool
    {
        var going = Set(links)
        var work = links
        func follow(_ key: Int?) {
            guard let key else { return }
            let link = PlainLink(type: .item, key: key)
            if going.insert(link).inserted { work.append(link) }
        }
        for part in parts.flatMap(\.chain) { follow(part.owned) }
        while let link = work.popLast() {
            guard link.type == .item, let item = items[link.key] else { continue }
            follow(item[.owned].item)
            for part in item.values.flatMap(\.parts) { follow(part.owned) }
        }
        if denies {
            for link in going where link.type == .item {
                if let needed = items[link.key]?[.needed].link, !going.contains(needed) {
                    return false
                }
            }
        }
        for link in going {
            switch link.type {
            case .item: items[link.key] = nil
            case .note: notes[link.key] = nil
            case .ticket: tickets[link.key] = nil
            }
        }
        forget(going)
        return true
    }

    private mutating func forget(_ gone: Set<PlainLink>) {
        if gone.isEmpty { return }
        let goneItems = Set(gone.filter { $0.type == .item }.map(\.key))
        for key in items.keys {
            for column in [ItemColumn.next, .owned, .needed, .note]
            where items[key]![column].link.map(gone.contains) == true {
                items[key]![column] = .null
            }
            for column in [ItemColumn.part, .parts, .rooms] {
                items[key]![column] = items[key]![column].without(goneItems)
            }
            items[key]![.children] = .list(
                items[key]![.children].elements.filter { !gone.contains($0.link!) })
            items[key]![.friends] = .set(
                items[key]![.friends].members.filter { !gone.contains($0.link!) })
            items[key]![.related] = .map(
                items[key]![.related].entries.mapValues { $0.mixed(without: gone) })
            for column in ItemColumn.mixed {
                items[key]![column] = items[key]![column].mixed(without: gone)
            }
        }
        for key in notes.keys {
            if let item = notes[key]!.item, goneItems.contains(item) { notes[key]!.item = nil }
            notes[key]!.items.removeAll(where: goneItems.contains)
        }
        for key in tickets.keys {
            if let item = tickets[key]!.item, goneItems.contains(item) { tickets[key]!.item = nil }
        }
    }
}

extension PlainValue {
    /// Embedded objects, which have lost links.
    fileprivate func without(_ gone: Set<Int>) -> PlainValue {
        switch self {
        case .part(var part):
            part.forget(gone)
            return .part(part)
        case .list(let values): return .list(values.map { $0.without(gone) })
        case .map(let values): return .map(values.mapValues { $0.without(gone) })
        default: return self
        }
    }
}

// MARK: - Links back

extension PlainModel {
    /// Which items have a link to each: by the column, sorted, one that links twice from a list
    /// twice.
    func backlinks(_ column: ItemColumn) -> [Int: [Int]] {
        var found: [Int: [Int]] = [:]
        for (key, item) in items {
            for link in item[column].links where link.type == .item {
                found[link.key, default: []].append(key)
            }
        }
        return found.mapValues { $0.sorted() }
    }
}

// MARK: - Comparing

extension PlainModel {
    /// What differs from what a realm has; nil if nothing does.
    func difference(from found: PlainModel) -> String? {
        var lines: [String] = []
        if time != found.time || serial != found.serial {
            lines.append(
                """
                clock: the realm has \(found.time) (\(found.serial)), the model \(time) \
                (\(serial))
                """
            )
        }
        func compare<Record: Equatable>(
            _ name: String, _ expected: [Int: Record], _ found: [Int: Record],
            _ text: (Record, Record) -> String
        ) {
            for key in Set(expected.keys).union(found.keys).sorted()
            where expected[key] != found[key] {
                switch (expected[key], found[key]) {
                case (nil, _): lines.append("\(name) \(key): the realm has it, the model does not")
                case (_, nil): lines.append("\(name) \(key): the realm lacks it")
                case (let a?, let b?): lines.append("\(name) \(key): \(text(a, b))")
                }
            }
        }
        if items != found.items {
            compare("item", items, found.items) { expected, found in
                ItemColumn.allCases.filter { expected[$0] != found[$0] }.map {
                    "\($0): the realm has \(found[$0]), the model \(expected[$0])"
                }.joined(separator: "; ")
            }
        }
        if notes != found.notes {
            compare("note", notes, found.notes) { "the realm has \($1), the model \($0)" }
        }
        if tickets != found.tickets {
            compare("ticket", tickets, found.tickets) { "the realm has \($1), the model \($0)" }
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// The same in every process, for equal models.
    var fingerprint: UInt64 {
        var text = "\(time) \(serial)"
        for (key, item) in items.sorted(by: { $0.key < $1.key }) {
            text += "\n\(key)" + item.values.map { " \($0)" }.joined()
        }
        for (key, note) in notes.sorted(by: { $0.key < $1.key }) { text += "\n\(key) \(note)" }
        for (key, ticket) in tickets.sorted(by: { $0.key < $1.key }) {
            text += "\n\(key) \(ticket)"
        }
        return text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
