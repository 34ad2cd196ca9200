import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Random predicates, made of Foundation's expressions as the macro makes them: what the
/// database finds is what Foundation evaluates, in open transactions, after them and frozen,
/// while objects change and are deleted.
@Suite struct RandomFoundationTests {
    @Test func sameAsEvaluate() throws {
        var lowered = 0
        try withFoundationWorld(rounds: Stress.rounds(1)) { world, generator in
            for _ in 0..<3 {
                lowered += try check(100, world, world.items, "fresh or committed", &generator)
                world.realm.beginWrite()
                world.change(using: &generator)
                lowered += try check(60, world, world.items, "in a transaction", &generator)
                world.change(using: &generator)
                lowered += try check(60, world, world.items, "later in a transaction", &generator)
                if generator.once(in: 4) {
                    world.realm.cancelWrite()
                } else {
                    try world.realm.commitWrite()
                }
                lowered += try check(60, world, world.items.freeze(), "frozen", &generator)
            }
        }
        #expect(lowered > Stress.rounds(500))
    }

    /// - Returns: How many predicates were compared.
    private func check(
        _ count: Int, _ world: FoundationWorld, _ items: Results<FoundationItem>, _ place: String,
        _ generator: inout SeededGenerator
    ) throws -> Int {
        let twins = world.twins()
        var compared = 0
        for number in 0..<count {
            let predicate = RandomFoundationPredicate(generator: generator, isEncoded: false)
            let encoded = RandomFoundationPredicate(generator: generator, isEncoded: true)
            let (asked, evaluated) = (predicate.make(), encoded.make())
            generator = predicate.generator
            let expected = try twins.filter { try evaluated.evaluate($0) }.map(\.id)
            guard let found = try ids(of: items, asked) else { continue }
            compared += 1
            if found != expected {
                Issue.record(
                    """
                    \(place), predicate \(number), FREEHOLD_SEED=\(generator.seed): \
                    found \(found), expected \(expected): \(asked.expression)
                    """
                )
            }
        }
        return compared
    }

    /// Nil of a predicate that has too many cases, as those that are drawn sometimes do.
    private func ids(
        of items: Results<FoundationItem>, _ predicate: Foundation.Predicate<FoundationItem>
    ) throws -> [Int]? {
        do {
            return Array(try items.filter(predicate).map(\.id))
        } catch {
            if error.message.contains("with too many cases") { return nil }
            throw error
        }
    }
}

/// Draws the same predicate from the same state of a generator, with its texts as they are or
/// as ``ScalarTexts``.
private final class RandomFoundationPredicate {
    private(set) var generator: SeededGenerator
    private let isEncoded: Bool

    init(generator: SeededGenerator, isEncoded: Bool) {
        self.generator = generator
        self.isEncoded = isEncoded
    }

    private typealias Build = ExpressionBuilding
    private typealias Item = PredicateExpressions.Variable<FoundationItem>

    func make() -> Foundation.Predicate<FoundationItem> {
        Foundation.Predicate<FoundationItem>({ self.condition($0, 4) })
    }

    // MARK: Constants

    private func number() -> Int { generator.int(-4...6) }

    private func string() -> String {
        let text = generator.pick(FoundationWorld.texts)
        return isEncoded ? FoundationWorld.scalars.encode(text) : text
    }

    private func order() -> PredicateExpressions.ComparisonOperator {
        generator.pick([.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual])
    }

    // MARK: Conditions

    private func condition(_ item: Item, _ depth: Int) -> Standard<Bool> {
        if depth > 0, generator.once(in: 2) {
            switch generator.int(0...5) {
            case 0: return Build.and(condition(item, depth - 1), condition(item, depth - 1))
            case 1: return Build.or(condition(item, depth - 1), condition(item, depth - 1))
            case 2: return Build.not(condition(item, depth - 1))
            case 3:
                return Build.coalesce(
                    optionalCondition(item, depth - 1), condition(item, depth - 1))
            case 4:
                return Build.conditional(
                    condition(item, depth - 1), condition(item, depth - 1),
                    condition(item, depth - 1))
            default: return compare(condition(item, depth - 1), condition(item, depth - 1))
            }
        }
        switch generator.int(0...16) {
        case 0: return Build.property(item, \.active)
        case 1: return compare(integer(item, depth), integer(item, depth))
        case 2: return Build.ordered(integer(item, depth), order(), integer(item, depth))
        case 3: return compare(optionalInteger(item, depth), optionalInteger(item, depth))
        case 4: return compare(text(item, depth), text(item, depth))
        case 5: return Build.ordered(text(item, depth), order(), text(item, depth))
        case 6: return compare(optionalText(item, depth), optionalText(item, depth))
        case 7:
            return Build.contains(
                text(item, depth), text(item, depth), atStart: generator.once(in: 2))
        case 8: return compare(double(item, depth), double(item, depth))
        case 9: return Build.ordered(double(item, depth), order(), double(item, depth))
        case 10: return compare(optionalDouble(item, depth), optionalDouble(item, depth))
        case 11: return compare(optionalCondition(item, depth), optionalCondition(item, depth))
        case 12:
            return Build.isIn(
                (0..<generator.int(0...3)).map { _ in number() }, integer(item, depth))
        case 13:
            return Build.isIn((0..<generator.int(0...3)).map { _ in string() }, text(item, depth))
        case 14:
            return Build.isBetween(
                integer(item, depth), -5 - generator.int(0...1),
                Build.conditional(
                    condition(item, 0), Build.constant(number()), Build.property(item, \.number)))
        case 15: return collectionCondition(item)
        default: return level(item, depth)
        }
    }

    private func collectionCondition(_ item: Item) -> Standard<Bool> {
        switch generator.int(0...4) {
        case 0: Build.containsOwner(item, age: number(), text: string())
        case 1: Build.numbers(Build.property(item, \.numbers), allAbove: number())
        case 2: Build.property(Build.property(item, \.owners), \.isEmpty)
        case 3: Build.property(Build.property(item, \.title), \.isEmpty)
        default:
            Build.equal(
                Build.countOfOwners(item, vaccinated: generator.once(in: 2)),
                Build.constant(generator.int(0...2)))
        }
    }

    private func level(_ item: Item, _ depth: Int) -> Standard<Bool> {
        let property = Build.property(item, \.level),
            constant = Build.constant(generator.pick(FoundationLevel.allCases))
        switch generator.int(0...3) {
        case 0: return compare(property, constant)
        case 1: return Build.ordered(property, order(), constant)
        case 2:
            return Build.ordered(
                constant, order(), Build.conditional(condition(item, 0), property, constant))
        default:
            return compare(
                Build.property(property, \.rawValue), Build.constant(generator.pick([-1, 0, 1])))
        }
    }

    private func compare<Value: Equatable>(_ first: Standard<Value>, _ second: Standard<Value>)
        -> Standard<Bool>
    {
        generator.once(in: 3) ? Build.unequal(first, second) : Build.equal(first, second)
    }

    // MARK: Values

    private func owner(_ item: Item, _ depth: Int) -> Standard<FoundationOwner?> {
        switch generator.int(0...(depth > 0 ? 3 : 1)) {
        case 0: Build.property(item, \.owner)
        case 1: Build.property(item, \.keeper)
        case 2: Build.flatMap(owner(item, depth - 1), \.boss)
        default:
            Build.conditional(condition(item, 0), owner(item, depth - 1), owner(item, depth - 1))
        }
    }

    private func optionalCondition(_ item: Item, _ depth: Int) -> Standard<Bool?> {
        switch generator.int(0...(depth > 0 ? 4 : 2)) {
        case 0: Build.property(item, \.checked)
        case 1: Build.flatMap(owner(item, depth), \.vaccinated)
        case 2: Build.constant(generator.pick([nil, true, false] as [Bool?]))
        case 3:
            Build.ownerNamed(
                owner(item, depth - 1), text(item, depth - 1), condition(item, depth - 1))
        default:
            Build.conditional(
                condition(item, depth - 1), optionalCondition(item, depth - 1),
                optionalCondition(item, depth - 1))
        }
    }

    private func integer(_ item: Item, _ depth: Int) -> Standard<Int> {
        switch generator.int(0...(depth > 0 ? 6 : 4)) {
        case 0: Build.property(item, \.number)
        case 1: Build.property(item, \.place)
        case 2: Build.constant(number())
        case 3: Build.property(Build.property(item, \.numbers), \.count)
        case 4: Build.countOfOwners(item, vaccinated: generator.once(in: 2))
        case 5: Build.coalesce(optionalInteger(item, depth - 1), integer(item, depth - 1))
        default:
            Build.conditional(
                condition(item, depth - 1), integer(item, depth - 1), integer(item, depth - 1))
        }
    }

    private func optionalInteger(_ item: Item, _ depth: Int) -> Standard<Int?> {
        switch generator.int(0...(depth > 0 ? 5 : 4)) {
        case 0: Build.flatMap(owner(item, depth), \.age)
        case 1: Build.constant(generator.once(in: 3) ? nil : number())
        case 2: Build.extremum(Build.property(item, \.numbers), isGreatest: generator.once(in: 2))
        case 3: Build.score(item, generator.pick(["a", "b", "z"]))
        case 4: Build.flatMap(Build.flatMap(owner(item, depth), \.numbers), \.count)
        default:
            Build.conditional(
                condition(item, depth - 1), optionalInteger(item, depth - 1),
                optionalInteger(item, depth - 1))
        }
    }

    private func text(_ item: Item, _ depth: Int) -> Standard<String> {
        switch generator.int(0...(depth > 0 ? 4 : 2)) {
        case 0: Build.property(item, \.name)
        case 1: Build.property(item, \.title)
        case 2: Build.constant(string())
        case 3: Build.coalesce(optionalText(item, depth - 1), text(item, depth - 1))
        default:
            Build.conditional(
                condition(item, depth - 1), text(item, depth - 1), text(item, depth - 1))
        }
    }

    private func optionalText(_ item: Item, _ depth: Int) -> Standard<String?> {
        switch generator.int(0...(depth > 0 ? 4 : 3)) {
        case 0: Build.property(item, \.note)
        case 1: Build.flatMap(owner(item, depth), \.name)
        case 2: Build.flatMap(Build.property(item, \.spot), \.title)
        case 3: Build.constant(generator.once(in: 3) ? nil : string())
        default:
            Build.conditional(
                condition(item, depth - 1), optionalText(item, depth - 1),
                optionalText(item, depth - 1))
        }
    }

    private func double(_ item: Item, _ depth: Int) -> Standard<Double> {
        switch generator.int(0...(depth > 0 ? 2 : 1)) {
        case 0: Build.property(item, \.ratio)
        case 1: Build.constant(generator.pick(FoundationWorld.doubles))
        default: Build.coalesce(optionalDouble(item, depth - 1), double(item, depth - 1))
        }
    }

    private func optionalDouble(_ item: Item, _ depth: Int) -> Standard<Double?> {
        switch generator.int(0...2) {
        case 0: Build.property(item, \.share)
        case 1: Build.flatMap(Build.property(item, \.spot), \.x)
        default:
            Build.constant(generator.once(in: 3) ? nil : generator.pick(FoundationWorld.doubles))
        }
    }
}
