import FreeholdStorage
import FreeholdTestSupport

/// Random predicates with hops, computed values and mixed values, on the tables of a ``HopWorld``.
struct RandomHops {
    let world: HopWorld
    var random: SeededGenerator
    /// What the scopes around are about.
    private var scopes: [Scope] = []

    init(world: HopWorld, random: SeededGenerator) {
        self.world = world
        self.random = random
    }

    /// What a predicate is about: rows of a table, or values; in a map they have keys.
    enum Scope {
        case rows(TableID, hasKeys: Bool)
        case values(ColumnType, hasKeys: Bool)

        var hasKeys: Bool {
            switch self {
            case .rows(_, let hasKeys), .values(_, let hasKeys): hasKeys
            }
        }
    }

    mutating func predicate(_ scope: Scope, depth: Int) -> ScanPredicate {
        if depth > 0 {
            switch random.int(0...11) {
            case 10:
                // What is asked of a row from behind a hop knows no key that the row is under.
                if case .rows(let table, _) = scope {
                    scopes.append(.rows(table, hasKeys: false))
                } else {
                    scopes.append(scope)
                }
                defer { scopes.removeLast() }
                return .scope(ScanScope(scopes.count - 1), predicate(scope, depth: depth - 1))
            case 11:
                if let outer = scopes.indices.randomElement(using: &random) {
                    return .at(ScanScope(outer), predicate(scopes[outer], depth: depth - 1))
                }
            case 0: return .not(predicate(scope, depth: depth - 1))
            case 1:
                return .or([predicate(scope, depth: depth - 1), predicate(scope, depth: depth - 1)])
            case 2:
                return .and([
                    predicate(scope, depth: depth - 1), predicate(scope, depth: depth - 1),
                ])
            case 3: if let compared = anyCompared(scope) { return compared }
            case 4, 5, 6:
                if let (hop, inner) = hop(scope) {
                    return .any(hop, predicate(inner, depth: depth - 1))
                }
            default: break
            }
        }
        return leaf(scope, depth: depth)
    }

    private mutating func anyCompared(_ scope: Scope) -> ScanPredicate? {
        guard var (hop, inner) = hop(scope) else { return nil }
        var hops = [hop]
        while random.once(in: 3), let next = self.hop(inner) {
            (hop, inner) = next
            hops.append(hop)
        }
        return .anyCompared(
            hops, operand(inner, depth: 0), random.pick(ScanComparison.allCases),
            operand(scope, depth: 0), isNegated: random.once(in: 3))
    }

    private mutating func leaf(_ scope: Scope, depth: Int) -> ScanPredicate {
        let path = path(scope)
        let comparison = random.pick(ScanComparison.allCases)
        switch random.int(0...11) {
        case 0: return random.once(in: 2) ? .all : .none
        case 1:
            return .oneOf(
                path, [constant(path, scope), constant(path, scope), constant(path, scope)])
        case 2:
            return .between(
                path, constant(path, scope), constant(path, scope),
                includesUpper: random.once(in: 2))
        case 3:
            return .text(
                path, random.pick(ScanTextOperator.allCases), text(),
                ScanTextOptions(rawValue: UInt8(random.int(0...3))))
        case 4:
            let needle = text()
            return .matchesText(
                path,
                ScanTextMatcher(name: "has \(needle)") { text in
                    needle.allSatisfy { text.contains($0) }
                })
        case 5:
            var other = self.path(scope)
            while path.column == .rowKeys || other.column == .rowKeys,
                [type(path, scope), type(other, scope)].contains(.mixed)
            { other = self.path(scope) }
            return .compareColumns(path, comparison, other)
        case 6, 7, 8:
            let left = operand(scope, depth: depth)
            let right =
                random.once(in: 2)
                ? operand(scope, depth: depth) : ScanOperand.constant(self.value())
            return random.once(in: 2)
                ? .compareOperands(left, comparison, right)
                : .compareOperands(right, comparison, left)
        case 9:
            return .compareText(
                operand(scope, depth: 0), random.pick(ScanTextOperator.allCases),
                random.once(in: 2) ? .constant(.text(text())) : operand(scope, depth: 0),
                ScanTextOptions(rawValue: UInt8(random.int(0...3))))
        default: return .compare(path, comparison, constant(path, scope))
        }
    }

    private mutating func operand(_ scope: Scope, depth: Int) -> ScanOperand {
        func path(_ scope: Scope, depth: Int = 2) -> ScanPath {
            // Row keys are numbers among columns, and objects elsewhere.
            while true {
                let path = self.path(scope, depth: depth)
                if path.column != .rowKeys { return path }
            }
        }
        if !scopes.isEmpty, random.once(in: 3) {
            let outer = random.int(0...(scopes.count - 1))
            return .outer(ScanScope(outer), operand(scopes[outer], depth: max(0, depth - 1)))
        }
        switch random.int(0...7) {
        case 0: return .constant(value())
        case 1, 2:
            let path = path(scope)
            return .mixed(path, steps())
        case 3:
            if case .rows(let table, _) = scope,
                let column = columns(table).filter({ $0.collection?.shape == .map }).randomElement(
                    using: &random)
            {
                return .mapValue(
                    ScanPath(column: column.id), key: Array(random.pick(HopWorld.mapKeys).utf8))
            }
            return .path(path(scope))
        case 4, 5:
            if let (hop, inner) = hop(scope) {
                return .count(
                    hop,
                    where: random.once(in: 3) ? .all : predicate(inner, depth: max(0, depth - 1)))
            }
        case 6:
            if let (hop, inner) = hop(scope) {
                // Sums of doubles in another order differ in their last bits, decimals have a
                // test of their own.
                for _ in 0..<20 {
                    let path = path(inner, depth: 1)
                    let type = type(path, inner)
                    if type == .integer {
                        return .aggregate(random.pick(ScanAggregate.allCases), hop, path)
                    }
                    if type == .double || type == .timestamp {
                        return .aggregate(random.pick([.min, .max]), hop, path)
                    }
                }
            }
        default: break
        }
        return .path(path(scope))
    }

    private mutating func steps() -> [ScanMixedStep] {
        (0..<random.int(0...2)).map { _ in
            random.once(in: 2)
                ? .index(random.int(-1...3)) : .key(Array(random.pick(HopWorld.mapKeys).utf8))
        }
    }

    private func columns(_ table: TableID) -> [ColumnDefinition] {
        world.definitions[table]?.columns ?? []
    }

    mutating func hop(_ scope: Scope) -> (ScanHop, Scope)? {
        switch scope {
        case .values(let type, _):
            return type == .mixed
                ? (ScanHop(.mixedElements(.element, steps())), .values(.mixed, hasKeys: true)) : nil
        case .rows(var table, _):
            var links: [ColumnID] = []
            if random.once(in: 3),
                let link = columns(table).filter({ $0.type == .link && $0.collection == nil })
                    .randomElement(using: &random)
            {
                links.append(link.id)
                table = link.target ?? table
            }
            switch random.int(0...9) {
            case 0...5:
                guard
                    let column = columns(table).filter({ $0.collection != nil }).randomElement(
                        using: &random), let kind = column.collection
                else { return nil }
                let hasKeys = kind.shape == .map
                let inner: Scope =
                    column.target.map { .rows($0, hasKeys: hasKeys) }
                    ?? .values(kind.type, hasKeys: hasKeys)
                return (ScanHop(links: links, .elements(column.id)), inner)
            case 6:
                guard let column = columns(table).first(where: { $0.type == .mixed }) else {
                    return nil
                }
                return (
                    ScanHop(links: links, .mixedElements(column.id, steps())),
                    .values(.mixed, hasKeys: true)
                )
            default:
                let origin = random.pick([world.owners, world.targets])
                let linking = columns(origin).filter { column in
                    column.target == table
                        || (column.target == nil
                            && (column.collection?.type ?? column.type) == .mixed)
                }
                guard let column = linking.randomElement(using: &random) else { return nil }
                return (
                    ScanHop(links: links, .backlinks(origin, column.id)),
                    .rows(origin, hasKeys: false)
                )
            }
        }
    }

    private mutating func path(_ scope: Scope, depth: Int = 2) -> ScanPath {
        if scope.hasKeys, random.once(in: 4) { return ScanPath(column: .elementKey) }
        guard case .rows(let table, _) = scope else { return ScanPath(column: .element) }
        if depth > 0, random.once(in: 4),
            let link = columns(table).filter({ $0.type == .link && $0.collection == nil })
                .randomElement(using: &random)
        {
            let rest = path(.rows(link.target ?? table, hasKeys: false), depth: depth - 1)
            return ScanPath(links: [link.id] + rest.links, column: rest.column)
        }
        if random.once(in: 20) { return ScanPath(column: .rowKeys) }
        return ScanPath(column: random.pick(columns(table).filter { $0.collection == nil }).id)
    }

    private func type(_ path: ScanPath, _ scope: Scope) -> ColumnType? {
        if path.column == .elementKey { return .text }
        switch scope {
        case .values(let type, _): return type
        case .rows(var table, _):
            for link in path.links { table = world.definitions[table]?[link]?.target ?? table }
            return path.column == .rowKeys ? .integer : world.definitions[table]?[path.column]?.type
        }
    }

    private mutating func constant(_ path: ScanPath, _ scope: Scope) -> ScanValue {
        if random.once(in: 10) { return .null }
        if path.column == .elementKey { return .text(Array(random.pick(HopWorld.mapKeys).utf8)) }
        let type = type(path, scope) ?? .integer
        if type == .mixed || random.once(in: 10) { return value() }
        if type == .link || path.column == .rowKeys { return link() }
        return world.scalar(type, using: &random)
    }

    private mutating func link() -> ScanValue {
        let table = random.pick([world.owners, world.targets])
        let keys = table == world.owners ? world.ownerKeys : world.targetKeys
        if keys.isEmpty { return .null }
        return random.once(in: 2)
            ? .link(RowKey(rawValue: random.pick(keys)))
            : .object(LinkTarget(table: table, key: random.pick(keys)))
    }

    private mutating func value() -> ScanValue {
        switch random.int(0...9) {
        case 0: .null
        case 1, 2: link()
        case 3: .timestamp(Double(random.int(-2...4)))
        case 4: .fixed(FixedValue((1, UInt32(random.int(0...1)))))
        case 5:
            .nested(
                Array(MixedValue.list([.integer(Int64(random.int(0...1)))], identity: 0).encoded))
        default:
            world.scalar(
                random.pick([.integer, .boolean, .float, .double, .text, .bytes, .decimal]),
                using: &random)
        }
    }

    private mutating func text() -> [UInt8] {
        Array(random.pick(HopWorld.texts + ["*a*", "?", "A", "longer", "e"]).utf8)
    }
}
