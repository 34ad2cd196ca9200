import Foundation
import Freehold

extension ModelSession {
    func move(_ operation: ModelOperation) throws {
        let place = operation.a % 3
        switch operation.name {
        case .refresh: try refresh(place)
        case .autorefresh:
            if place == 2 || open?.place == place { return }
            places[place].autorefresh.toggle()
            trace?("    realm \(place).autorefresh = \(places[place].autorefresh)")
            try realm(place).autorefresh = places[place].autorefresh
        case .freeze: try freeze(place, operation)
        case .lookFrozen: try verifyHolds()
        case .thaw: try thaw(place, operation)
        case .release:
            if !holds.isEmpty { holds.remove(at: operation.a % holds.count) }
        default: try refer(place, operation)
        }
    }

    private func refresh(_ place: Int) throws {
        let realm = try realm(place)
        let before = time(of: place)
        let moved = realm.refresh()
        trace?("    realm \(place).refresh() = \(moved), \(before) -> \(time(of: place))")
        if open?.place == place {
            if moved { throw ModelDifference("refresh() moved realm \(place) in its transaction") }
            return
        }
        if before != time(of: place), !moved, !isBusy(place) {
            throw ModelDifference("refresh() of realm \(place) says that nothing changed")
        }
        if places.indices.contains(where: isBusy) {
            try verify(place)
        } else {
            try verifyNewest(place)
        }
    }

    // MARK: Frozen

    private func freeze(_ place: Int, _ operation: ModelOperation) throws {
        let realm = try realm(place)
        // Of an open transaction the version before it is frozen.
        let frozen = realm.freeze()
        let time = frozen.object(ofType: ModelClasses.Clock.self, forPrimaryKey: 0)?.time ?? 0
        if !isBusy(place), time != (open?.place == place ? head.time : self.time(of: place)) {
            throw ModelDifference(
                "realm \(place) was frozen at version \(time), and reads \(self.time(of: place))")
        }
        guard let model = version(time) else {
            throw ModelDifference("a frozen realm reads version \(time), which was never committed")
        }
        let item =
            model.items.isEmpty
            ? nil
            : frozen.object(
                ofType: Item.self, forPrimaryKey: model.itemKeys[operation.b % model.items.count])
        trace?("    realm \(place).freeze()  // version \(time)")
        if holds.count > 3 { holds.removeFirst() }
        holds.append(Hold(realm: frozen, time: time, item: item))
    }

    func verifyHolds() throws {
        for hold in holds {
            if let difference = version(hold.time)?.difference(fromRealm: hold.realm) {
                throw ModelDifference("the frozen version \(hold.time): \(difference)")
            }
        }
    }

    private func thaw(_ place: Int, _ operation: ModelOperation) throws {
        guard !holds.isEmpty, open == nil else { return }
        try drainAll()
        let hold = holds[operation.b % holds.count]
        guard let item = hold.item else { return }
        let realm = try realm(place)
        let thawed = Frozen(item).thaw(in: realm)
        trace?("    item \(item.id) of the frozen version \(hold.time) is thawed in realm \(place)")
        try verify(place)
        if time(of: place) < hold.time {
            throw ModelDifference(
                "realm \(place) thawed version \(hold.time) and reads \(time(of: place))")
        }
        if !isBusy(place), let problem = problem(thawed, item.id, place) {
            throw ModelDifference("thawed in realm \(place): \(problem)")
        }
    }

    /// What is wrong with an object that came from another version.
    private func problem(_ item: Item?, _ key: Int, _ place: Int) -> String? {
        let model = model(of: place)
        guard let item else {
            return model.items[key] != nil ? "item \(key) is gone, and should be there" : nil
        }
        if model.items[key] == nil { return "item \(key) is there, and was deleted" }
        if item.isInvalidated { return "item \(key) is invalidated" }
        return item.id == key && item.rank == model.items[key]?[.rank].int
            ? nil : "item \(key) is item \(item.id)"
    }

    // MARK: References

    private func refer(_ place: Int, _ operation: ModelOperation) throws {
        if open != nil { return }
        try drainAll()
        let (source, target) = (try realm(place), operation.b % 3)
        let model = model(of: place)
        let time = time(of: place)
        if model.items.isEmpty { return }
        let key = model.itemKeys[operation.c % model.items.count]
        guard let item = source.object(ofType: Item.self, forPrimaryKey: key) else {
            throw ModelDifference("realm \(place) lacks item \(key)")
        }
        let realm = try realm(target)
        trace?(
            """
                a reference of realm \(place), version \(time), to item \(key), is \
            resolved in realm \(target)
            """
        )
        switch operation.d % 3 {
        case 0:
            let found = realm.resolve(ThreadSafeReference(to: item))
            if let problem = problem(found, key, target) {
                throw ModelDifference("resolved in realm \(target): \(problem)")
            }
        case 1:
            let found = realm.resolve(ThreadSafeReference(to: item.children))
            if (self.model(of: target).items[key] != nil) != (found != nil) {
                throw ModelDifference(
                    """
                    the children of item \(key) are \
                    \(found == nil ? "not there" : "there") in realm \(target)
                    """
                )
            }
            if let found,
                Array(found.map(\.id))
                    != self.model(of: target).items[key]![.children].elements.map({ $0.item! })
            {
                throw ModelDifference(
                    "the children of item \(key) in realm \(target) are \(found.map(\.id))")
            }
        default:
            var draw = Draw(operation.c)
            let condition = ModelCondition.drawn(&draw, depth: 1)
            let found = realm.resolve(
                ThreadSafeReference(to: source.objects(Item.self).where(condition.query)))
            let now = self.model(of: target)
            let expected = now.itemKeys.filter { condition.holds(now.items[$0]!, now) }
            if found?.map(\.id).sorted() != expected {
                throw ModelDifference(
                    """
                    \(condition.text) \(condition.arguments) resolved in realm \(target): \
                    \(found?.map(\.id).sorted() ?? []), not \(expected)
                    """
                )
            }
        }
        try verify(target)
        if self.time(of: target) < time {
            throw ModelDifference(
                """
                realm \(target) resolved a reference of version \(time) and reads \
                \(self.time(of: target))
                """
            )
        }
    }
}
