import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport

/// What an any value should be, in plain Swift.
indirect enum ModelValue: Equatable {
    case none
    case int(Int)
    case double(Double)
    case text(String)
    /// A thing, by its name.
    case thing(String)
    case list([ModelValue])
    case map([String: ModelValue])

    /// What a value of a realm says.
    init(_ value: AnyRealmValue) {
        switch value {
        case .int(let value): self = .int(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .text(value)
        case .object(let object): self = .thing((object as? AnyValueModels.Thing)?.name ?? "?")
        case .list(let list): self = .list(list.map(ModelValue.init))
        case .dictionary(let map):
            self = .map(
                Dictionary(uniqueKeysWithValues: map.map { ($0.key, ModelValue($0.value)) }))
        default: self = .none
        }
    }

    static func random(_ random: inout SeededGenerator, depth: Int, things: [String]) -> ModelValue
    {
        switch random.int(0...(depth > 0 ? 8 : 5)) {
        case 0: .none
        case 1: .int(random.int(-9...9))
        case 2: .double(Double(random.int(-9...9)) / 4)
        case 3, 4:
            .text(
                String(
                    repeating: random.pick(["a", "ü", "🐶"]),
                    count: random.once(in: 20) ? 700 : random.int(0...9)))
        case 5: things.isEmpty ? .none : .thing(random.pick(things))
        case 6, 7:
            .list(
                (0..<random.int(0...4)).map { _ in
                    .random(&random, depth: depth - 1, things: things)
                })
        default:
            .map(
                Dictionary(
                    (0..<random.int(0...4)).map { _ in
                        (key(&random), .random(&random, depth: depth - 1, things: things))
                    }
                ) { $1 })
        }
    }

    static func key(_ random: inout SeededGenerator) -> String {
        random.pick(["", "a", "b", "c", "ß", "z", "ab"])
    }

    /// A value to assign.
    func value(_ things: [String: AnyValueModels.Thing]) -> AnyRealmValue {
        switch self {
        case .none: .none
        case .int(let value): .int(value)
        case .double(let value): .double(value)
        case .text(let value): .string(value)
        case .thing(let name): things[name].map { .object($0) } ?? .none
        case .list(let values): .fromArray(values.map { $0.value(things) })
        case .map(let entries): .fromDictionary(entries.mapValues { $0.value(things) })
        }
    }

    /// A thing was deleted.
    func without(_ name: String) -> ModelValue {
        switch self {
        case .thing(name): .none
        case .list(let values): .list(values.map { $0.without(name) })
        case .map(let entries): .map(entries.mapValues { $0.without(name) })
        default: self
        }
    }
}

/// A random change of a live collection somewhere inside of a value, and of its model.
struct ModelChange {
    var random: SeededGenerator
    let things: [String: AnyValueModels.Thing]

    private mutating func newValue() -> (model: ModelValue, value: AnyRealmValue) {
        let model = ModelValue.random(&random, depth: 2, things: things.keys.sorted())
        return (model, model.value(things))
    }

    /// Nil if the value is no collection, and so has nothing to change in place.
    mutating func apply(to value: AnyRealmValue, _ model: ModelValue) -> ModelValue? {
        switch (value, model) {
        case (.list(let list), .list(var values)):
            if let index = values.indices.randomElement(using: &random), !random.once(in: 3),
                let changed = apply(to: list[index], values[index])
            {
                values[index] = changed
            } else {
                change(list, &values)
            }
            return .list(values)
        case (.dictionary(let map), .map(var entries)):
            if let key = entries.keys.sorted().randomElement(using: &random), !random.once(in: 3),
                let held = map[key],
                let changed = apply(to: held, entries[key]!)
            {
                entries[key] = changed
            } else {
                change(map, &entries)
            }
            return .map(entries)
        default: return nil
        }
    }

    private mutating func change(_ list: List<AnyRealmValue>, _ values: inout [ModelValue]) {
        let new = newValue()
        let index = values.indices.randomElement(using: &random)
        switch (random.int(0...9), index) {
        case (0, let index?):
            list.remove(at: index)
            values.remove(at: index)
        case (1, let index?):
            list[index] = new.value
            values[index] = new.model
        case (2, let index?):
            let other = random.int(0...values.count - 1)
            list.swapAt(index, other)
            values.swapAt(index, other)
        case (3, let index?):
            let target = random.int(0...values.count - 1)
            list.move(from: index, to: target)
            values.insert(values.remove(at: index), at: target)
        case (4, let index?):
            let end = random.int(index...values.count)
            // What is there, twice.
            list.replaceSubrange(
                index..<end, with: Array(list[index..<end]) + Array(list[index..<end]))
            values.replaceSubrange(index..<end, with: values[index..<end] + values[index..<end])
            if values.count > 8 {
                list.removeSubrange(4...)
                values.removeSubrange(4...)
            }
        case (5, _) where random.once(in: 4):
            list.removeAll()
            values.removeAll()
        case (6, let index?):
            list.insert(new.value, at: index)
            values.insert(new.model, at: index)
        default:
            list.append(new.value)
            values.append(new.model)
        }
    }

    private mutating func change(
        _ map: Map<String, AnyRealmValue>, _ entries: inout [String: ModelValue]
    ) {
        let new = newValue()
        let key = ModelValue.key(&random)
        switch random.int(0...5) {
        case 0, 1:
            map.removeObject(for: key)
            entries[key] = nil
        case 2 where random.once(in: 4):
            map.removeAll()
            entries.removeAll()
        default:
            map[key] = new.value
            entries[key] = new.model
        }
    }
}
