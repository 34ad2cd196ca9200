import Foundation
import Freehold

extension ModelSession {
    func observe(_ operation: ModelOperation) throws {
        if open != nil { return }
        if operation.name == .stopObserving {
            if mirrors.isEmpty { return }
            let mirror = mirrors.remove(at: operation.a % mirrors.count)
            trace?("    the observer of \(mirror.name), realm \(mirror.place), stops")
            mirror.token?.invalidate()
            return
        }
        let place = operation.d % 2
        // Observers know what is on the disk.
        try drain(place)
        if mirrors.count >= 10 { mirrors.removeFirst().token?.invalidate() }
        let count = mirrors.count
        try add(operation, place, try realm(place))
        if mirrors.count > count { trace?("    realm \(place): observe \(mirrors[count].name)") }
    }

    private func add(_ operation: ModelOperation, _ place: Int, _ realm: Realm) throws {
        let items = realm.objects(Item.self)
        let model = model(of: place)
        let item =
            model.items.isEmpty
            ? nil
            : realm.object(
                ofType: Item.self, forPrimaryKey: model.itemKeys[operation.a % model.items.count])
        switch operation.name {
        case .observeResults:
            var draw = Draw(operation.a)
            let condition = ModelCondition.drawn(&draw, depth: 1)
            let paths =
                operation.b % 2 == 0
                ? ModelPaths.everything
                : ModelPaths.allCases[operation.c % ModelPaths.allCases.count]
            var results = draw.below(4) == 0 ? items : items.where(condition.query)
            var name = "items where \(condition.text) \(condition.arguments)"
            if draw.below(2) == 1 {
                let order = ModelOrder.drawn(&draw)
                results = results.sorted(by: order.descriptors)
                name = "\(name) sorted by \(order.descriptors)"
            }
            switch draw.below(5) {
            case 3:
                results = results.sorted(by: [
                    Freehold.SortDescriptor(keyPath: "rank"),
                    Freehold.SortDescriptor(keyPath: "id"),
                ]).limit(5)
                name = "\(name), 5 of them by rank"
            case 4:
                results = results.sorted(by: \.id).distinct(by: ["kind"])
                name = "\(name), distinct by kind"
            default: break
            }
            mirrors.append(
                ModelCollectionMirror(
                    "\(name) (\(paths))", place, self, results, keyPaths: paths.keyPaths
                ) {
                    ModelEntry(identity: "\($0.id)", content: $1.content(ofItem: $0.id, paths))
                })
        case .observeSections:
            var draw = Draw(operation.a)
            let condition = ModelCondition.drawn(&draw, depth: 1)
            let sections = items.where(condition.query).sectioned(
                by: \.kind,
                sortDescriptors: [
                    Freehold.SortDescriptor(keyPath: "kind"),
                    Freehold.SortDescriptor(keyPath: "rank"),
                    Freehold.SortDescriptor(keyPath: "id"),
                ])
            mirrors.append(
                ModelSectionsMirror(
                    "sections where \(condition.text) \(condition.arguments)", place, self, sections
                ))
        case .observeRealm: mirrors.append(ModelRealmMirror(place, self, realm))
        default:
            guard let item else { return }
            observe(item, operation, place)
        }
    }

    private func observe(_ item: Item, _ operation: ModelOperation, _ place: Int) {
        let key = item.id
        func plain<C: RealmCollection>(
            _ name: String, _ collection: C, _ text: @escaping (C.Element) -> String
        ) {
            mirrors.append(
                ModelCollectionMirror(
                    "\(name) of item \(key)", place, self, collection, keyPaths: nil,
                    replaces: true, owner: key
                ) { element, _ in
                    ModelEntry(identity: text(element), content: .nothing)
                })
        }
        func objects<C: RealmCollection>(_ name: String, _ collection: C, replaces: Bool)
        where C.Element == Item {
            mirrors.append(
                ModelCollectionMirror(
                    "\(name) of item \(key)", place, self, collection, keyPaths: nil,
                    replaces: replaces, owner: key
                ) {
                    ModelEntry(
                        identity: "\($0.id)", content: $1.content(ofItem: $0.id, .everything))
                })
        }
        switch operation.name {
        case .observeObject: mirrors.append(ModelObjectMirror(place, self, item))
        case .observeProjection: mirrors.append(ModelProjectionMirror(place, self, item))
        case .observeMap:
            mirrors.append(
                ModelMapMirror("marks of item \(key)", place, self, item.marks, owner: key))
        default:
            switch operation.b % 8 {
            case 0: plain("numbers", item.numbers) { "\($0)" }
            case 1: plain("texts", item.texts) { $0 ?? "nil" }
            case 2: plain("tags", item.tags) { $0 }
            case 3: plain("sorted numbers", item.numbers.sorted()) { "\($0)" }
            case 4: objects("children", item.children, replaces: true)
            case 5: objects("previous", item.previous, replaces: false)
            case 6: objects("relatives", item.relatives, replaces: false)
            default:
                objects("children above 5", item.children.where { $0.rank > 5 }, replaces: true)
            }
        }
    }

    // MARK: Delivering

    func deliver(_ operation: ModelOperation) throws {
        let place = operation.a % 2
        guard let realm = places[place].realm, let scheduler = places[place].scheduler else {
            return
        }
        if operation.name == .step {
            realm.waitForNotifier()
            scheduler.runNext()
            if open?.place != place { try verify(place) }
        } else if open == nil {
            try deliverEverything(place)
        }
    }

    /// Does all that there is to do, after which every observer must know what there is.
    func deliverEverything(_ place: Int) throws {
        try drainAll()
        guard let realm = places[place].realm, let scheduler = places[place].scheduler else {
            return
        }
        func runAll() {
            repeat {
                realm.waitForNotifier()
                scheduler.runAll()
                realm.waitForNotifier()
            } while scheduler.workCount > 0
        }
        runAll()
        // The system decides when commits of the other process are reported.
        if !places[place].autorefresh || isPeerOpen { realm.refresh() }
        runAll()
        try verifyNewest(place)
        for mirror in mirrors where mirror.place == place {
            if let problem = mirror.problem() { throw ModelDifference(problem) }
        }
    }
}
