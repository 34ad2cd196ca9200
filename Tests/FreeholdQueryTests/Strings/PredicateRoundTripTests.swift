import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Testing

@testable import Freehold
import FreeholdRealmTestSupport

/// Every tree has a string that gives the same tree.
@Suite struct PredicateRoundTripTests {
    @Test func randomTrees() throws {
        var random = Seed.random()
        for _ in 0..<3000 {
            let node = random.node(depth: 5)
            let text = RealmPredicate(node: node).description
            let again = RealmPredicateError.thrown { () throws(RealmPredicateError) in
                let parsed = try RealmPredicate(parsing: text)
                random.expect(parsed.node == node, "\(text) is read as \(parsed)")
                random.expect(parsed.description == text, "\(text) is printed as \(parsed)")
            }
            random.expect(again == nil, "\(text): \(again.map { "\($0)" } ?? "")")
        }
    }

    @Test func constantsAsArguments() throws {
        var random = Seed.random()
        for _ in 0..<2000 {
            let date = Date(
                timeIntervalSinceReferenceDate: Double.random(in: -1e11...1e11, using: &random)
                    * pow(10, Double(-random.int(0...20))))
            let double = Double(bitPattern: random.next())
            let predicate = try RealmPredicate("a == %@ AND b == %@", date, double)
            let again = try RealmPredicate(parsing: predicate.description)
            random.expect(
                again == predicate || double.isNaN,
                "\(date.timeIntervalSinceReferenceDate) \(double): \(predicate) is read as \(again)"
            )
        }
    }

    @Test func datesOfTheCalendar() throws {
        var random = Seed.random()
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        for _ in 0..<500 {
            // From 1600 on, as Foundation counts earlier days by the Julian calendar.
            let date = Date(
                timeIntervalSince1970: Double(random.int(-11_000_000_000...250_000_000_000)))
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second], from: date)
            func pad(_ value: Int?, _ width: Int = 2) -> String {
                String(String(repeating: "0", count: width) + "\(value ?? 0)").suffix(width)
                    .description
            }
            let day = "\(pad(parts.year, 4))-\(pad(parts.month))-\(pad(parts.day))"
            let time = "\(pad(parts.hour)):\(pad(parts.minute)):\(pad(parts.second))"
            let literal = "\(day)@\(time):0"
            random.expect(
                PredicateConstant.date(date).format == literal,
                "\(date) is \(PredicateConstant.date(date).format)")
            random.expect(
                try RealmPredicate("a == \(literal)") == RealmPredicate("a == %@", date), literal)
        }
    }

    @Test func theTreesOfStrings() throws {
        func comparison(
            _ left: Freehold.PredicateExpression, _ operation: PredicateComparison.Operation,
            _ right: Freehold.PredicateExpression,
            options: StringOptions = [], quantifier: PredicateComparison.Quantifier = .direct
        ) -> PredicateNode {
            .comparison(
                PredicateComparison(
                    quantifier: quantifier, left: left, operation: operation, right: right,
                    options: options))
        }
        let age = Freehold.PredicateExpression.keyPath([.property("age")])
        let deep: [PredicateStep] = [
            .property("m"), .key("k"), .index(1), .anyElement,
            .backlinks(className: "C", property: "p"), .operation(.count),
        ]
        let isNil = comparison(age, .equal, .constant(.null))
        let inner = comparison(.keyPath([.variable("x"), .property("b")]), .equal, age)
        let trees: [(String, PredicateNode)] = [
            ("age > 5", comparison(age, .greater, .constant(.int(5)))),
            ("5 < age", comparison(.constant(.int(5)), .less, age)),
            ("age BETWEEN {1, 2.5}", comparison(age, .between, .list([.int(1), .double(2.5)]))),
            (
                "NONE a.b LIKE[cd] 'x'",
                comparison(
                    .keyPath([.property("a"), .property("b")]), .text(.like),
                    .constant(.string("x")),
                    options: [.caseInsensitive, .diacriticInsensitive],
                    quantifier: .none)
            ),
            (
                "age == nil AND NOT age == nil OR TRUEPREDICATE",
                .or([.and([isNil, .not(isNil)]), .constant(true)])
            ),
            (
                "SELF IN m['k'][1][#any].@links.C.p.@count",
                comparison(.keyPath([]), .isIn, .keyPath(deep))
            ),
            (
                "SUBQUERY(a, $x, $x.b == age).@count > 0",
                comparison(
                    .subqueryCount(collection: [.property("a")], variable: "x", condition: inner),
                    .greater, .constant(.int(0)))
            ),
        ]
        for (format, tree) in trees {
            #expect(try RealmPredicate(parsing: format).node == tree, "\(format)")
        }
    }
}

extension SeededGenerator {
    fileprivate mutating func node(depth: Int, variables: [String] = []) -> PredicateNode {
        switch depth == 0 ? 0 : int(0...9) {
        case 1: return .constant(once(in: 2))
        case 2: return .not(node(depth: depth - 1, variables: variables))
        case 3, 4:
            return .and((0..<int(2...4)).map { _ in node(depth: depth - 1, variables: variables) })
        case 5, 6:
            return .or((0..<int(2...4)).map { _ in node(depth: depth - 1, variables: variables) })
        default:
            return .comparison(
                PredicateComparison(
                    quantifier: pick([.direct, .direct, .any, .all, .none]),
                    left: expression(depth, variables),
                    operation: pick([
                        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between,
                        .isIn, .text(.beginsWith), .text(.contains), .text(.endsWith), .text(.like),
                        .matches,
                    ]), right: expression(depth, variables),
                    options: StringOptions(rawValue: Int8(int(0...3)))))
        }
    }

    private mutating func expression(_ depth: Int, _ variables: [String])
        -> Freehold.PredicateExpression
    {
        switch int(0...7) {
        case 0, 1: return .constant(constant())
        case 2: return .list((0..<int(0...3)).map { _ in constant() })
        case 3 where depth > 0:
            let variable = "v\(variables.count)"
            return .subqueryCount(
                collection: path(variables), variable: variable,
                condition: node(depth: depth - 1, variables: variables + [variable]))
        default: return .keyPath(path(variables))
        }
    }

    private mutating func path(_ variables: [String]) -> [PredicateStep] {
        if once(in: 10) { return [] }
        var steps: [PredicateStep] = []
        if !variables.isEmpty, once(in: 2) { steps.append(.variable(pick(variables))) }
        for _ in 0..<int(1...4) {
            switch int(0...11) {
            case 0: steps.append(.key(string()))
            case 1: steps.append(.index(int(-2...100)))
            case 2: steps.append(.anyElement)
            case 3: steps.append(.backlinks(className: name(), property: name()))
            case 4:
                steps.append(
                    .operation(pick([.count, .size, .min, .max, .sum, .avg, .allKeys, .allValues])))
            default: steps.append(.property(name()))
            }
        }
        return steps
    }

    private mutating func name() -> String {
        pick([
            "age", "a", "in", "ANY", "Null", "self", "größe", "年齢", "x1", "two words", "🐕", "it's",
            "T1", "uuid", "B64", "limit", "a.b", "1st", "", "\"", "subquery", "no", "@count",
        ])
    }

    private mutating func string() -> String {
        (0..<int(0...6)).map { _ in
            pick([
                "a", "Z", " ", "\"", "'", "\\", "\n", "\t", "\0", "\u{7f}", "\u{85}", "é",
                "e\u{301}", "\u{301}", "年", "🐕‍🦺", "%@", "$0", "\u{2028}",
            ])
        }.joined()
    }

    private mutating func constant() -> PredicateConstant {
        switch int(0...10) {
        case 0: .null
        case 1: .bool(once(in: 2))
        case 2: .int(once(in: 2) ? Int64(int(-10...10)) : Int64(bitPattern: next()))
        case 3:
            .float(
                pick([0, -0.5, 1e30, .infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude]))
        case 4:
            .double(
                pick([
                    0, -0.5, 1e300, 1, .infinity, -.infinity, .leastNonzeroMagnitude,
                    .greatestFiniteMagnitude, .pi,
                ]))
        case 5: .data(Data((0..<int(0...5)).map { _ in UInt8(truncatingIfNeeded: next()) }))
        case 6:
            .date(
                Date(
                    timeIntervalSinceReferenceDate: pick([
                        0, 0.5, -1e9, 1e9 + 0.1, 1e20, -62_135_769_600, 123_456_789.987654321,
                        1e-300,
                    ])))
        case 7:
            .fixed(
                ObjectId(
                    timestamp: Date(timeIntervalSince1970: Double(int(0...1_000_000))),
                    machineId: 3, processId: 4
                ).stored)
        case 8: .fixed(UUID().stored)
        case 9: .decimal(number())
        default: .string(string())
        }
    }
}
