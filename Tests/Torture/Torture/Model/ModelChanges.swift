import Foundation
import Freehold

/// What should be and what is are not the same.
struct ModelDifference: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Makes the changes of a transaction, in a realm and in its model. Without a realm in the
/// model alone: for what the other process does.
///
/// A reference, so that blocks of asynchronous writes and of throwing ones can use it.
final class ModelChanges {
    typealias Item = ModelClasses.Item
    typealias Note = ModelClasses.Note
    typealias Part = ModelClasses.Part
    typealias Ticket = ModelClasses.Ticket

    var model: PlainModel
    let realm: Realm?
    /// What was done, in words; nil if it is not printed.
    var trace: ((String) -> Void)?
    /// Whether anything was changed.
    private(set) var hasChanges = false
    /// The largest key that a ticket ever had.
    var lastTicket: Int

    static let mostItems = 24

    init(_ model: PlainModel, realm: Realm?, lastTicket: Int = 0, trace: ((String) -> Void)? = nil)
    {
        (self.model, self.realm, self.lastTicket, self.trace) = (model, realm, lastTicket, trace)
    }

    func did(_ text: @autoclosure () -> String) {
        hasChanges = true
        trace?("    " + text())
    }

    /// What each transaction that changed anything does last.
    func finish() {
        if !hasChanges { return }
        model.time += 1
        guard let realm else { return }
        if let clock = realm.object(ofType: ModelClasses.Clock.self, forPrimaryKey: 0) {
            clock.time = model.time
            clock.serial = model.serial
        } else {
            realm.create(
                ModelClasses.Clock.self,
                value: ["id": 0, "time": model.time, "serial": model.serial])
        }
    }

    func apply(_ operation: ModelOperation) throws {
        switch operation.name {
        case .create, .createFromValue, .createMany, .upsert: create(operation)
        case .setScalar, .setScalars, .setLink, .setDynamically: set(operation)
        case .setPart, .changePart, .removePart, .deletePart: changeParts(operation)
        case .insert, .removeElement, .setElement, .moveElement, .swapElements, .replaceElements,
            .appendElements, .removeAllElements, .assignList:
            changeList(operation)
        case .insertMember, .removeMember, .changeMembers: changeSet(operation)
        case .setEntry, .removeEntry, .mergeEntries, .removeAllEntries: changeMap(operation)
        case .setAny, .changeNested: changeMixed(operation)
        case .createNote, .changeNote, .deleteNote, .createTicket, .deleteTicket, .deleteNotes:
            try changeOthers(operation)
        case .deleteItem, .deleteItems, .deleteQuery, .deleteAll: try delete(operation)
        default: break
        }
    }

    // MARK: What operands choose

    /// An item, by number; nil if there is none.
    func item(_ number: Int) -> Int? {
        model.items.isEmpty ? nil : model.itemKeys[number % model.items.count]
    }

    func live(_ key: Int?) -> Item? {
        key.flatMap { realm?.object(ofType: Item.self, forPrimaryKey: $0) }
    }

    func note(serial: Int) -> Note? {
        realm?.objects(Note.self).where { $0.serial == serial }.first
    }

    func live(_ link: PlainLink) -> Object? {
        switch link.type {
        case .item: live(link.key)
        case .note: note(serial: link.key)
        case .ticket: realm?.object(ofType: Ticket.self, forPrimaryKey: link.key)
        }
    }

    func mixed(_ value: PlainValue) -> AnyRealmValue {
        switch value {
        case .null, .part, .set: .none
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .float(let value): .float(value)
        case .double(let value): .double(value)
        case .text(let value): .string(value)
        case .data(let value): .data(value)
        case .date(let value): .date(value)
        case .decimal(let value): .decimal128(value)
        case .objectID(let value): .objectId(value)
        case .uuid(let value): .uuid(value)
        case .link(let link): live(link).map { .object($0) } ?? .none
        case .list(let values): .fromArray(values.map(mixed))
        case .map(let entries): .fromDictionary(entries.mapValues(mixed))
        }
    }

    /// A value as a literal has it.
    func literal(_ value: PlainValue) -> Any {
        switch value {
        case .null, .part, .set: NSNull()
        case .bool(let value): value
        case .int(let value): value
        case .float(let value): value
        case .double(let value): value
        case .text(let value): value
        case .data(let value): value
        case .date(let value): value
        case .decimal(let value): value
        case .objectID(let value): value
        case .uuid(let value): value
        case .link(let link): live(link) ?? NSNull()
        case .list(let values): values.map(literal)
        case .map(let entries): entries.mapValues(literal)
        }
    }

    func nextSerial() -> Int {
        model.serial += 1
        return model.serial
    }

    // MARK: Parts

    /// A new part, which links to what is in `model`.
    func part(_ draw: inout Draw, depth: Int = 2, items: [Int]) -> PlainPart {
        let serial = nextSerial()
        let size = draw.below(20)
        let label = draw.text()
        let target = items.isEmpty || draw.below(2) == 0 ? nil : draw.pick(items)
        let owned = items.isEmpty || draw.below(9) < 8 ? nil : draw.pick(items)
        let sizes = (0..<draw.below(4)).map { _ in draw.below(9) }
        let inner =
            depth > 0 && draw.below(4) == 3 ? [part(&draw, depth: depth - 1, items: items)] : []
        return PlainPart(
            serial: serial, size: size, label: label, target: target, owned: owned, sizes: sizes,
            inner: inner)
    }

    /// An unmanaged part.
    func made(_ part: PlainPart) -> Part {
        let made = Part()
        (made.serial, made.size, made.label) = (part.serial, part.size, part.label)
        (made.target, made.owned) = (live(part.target), live(part.owned))
        made.sizes.append(objectsIn: part.sizes)
        made.inner = part.inner.first.map(self.made)
        return made
    }

    /// The model after parts of an item lost their place; nil if that is denied, or takes the
    /// item itself along.
    func model(without parts: [PlainPart], of key: Int) -> PlainModel? {
        var changed = model
        return changed.delete([], parts: parts) && changed.items[key] != nil ? changed : nil
    }
}
