/// How a query is evaluated, as a tree: what it does last comes first, and below it what it
/// does that to.
///
///     print(dogs.where { $0.age > 12 && $0.name.contains("x") }.sorted(by: \.name).explain())
///     // sort by name ascending (found 3)
///     // └─ filter name contains "x" (found 3)
///     //    └─ index age in 13... (about 40, found 40)
///
/// Made by ``RealmCollection/explain(running:)``. The texts are for people, and change with
/// versions of the library; tests should look at ``operation`` and at the numbers.
///
/// Thread rule: a plain value; may be sent anywhere.
public struct QueryPlan: Hashable, Sendable, Codable {
    /// What is done in one step of a plan.
    public enum Operation: String, Hashable, Sendable, Codable, CaseIterable {
        /// All rows of a class, or a part of them in the order of their keys, are looked at.
        case scan
        /// Rows are found by their keys: a primary key of integers, or links that were found
        /// before.
        case keys
        /// Rows are found by the ordered index of a property.
        case index
        /// Rows are found by what they link to.
        case backlinks
        /// Rows are found by the words of a full-text index.
        case fullText
        /// The rows of several steps, each once.
        case union
        /// The elements of one object's collection, or the objects that link to one.
        case collection
        /// Rows are tested, and those that do not satisfy a condition are left out.
        case filter
        /// Rows are put into an order.
        case sort
        /// Of rows with equal values, one is kept.
        case distinct
        /// Rows are left out by their position: `limit`, `offset`.
        case slice
    }

    /// What is done.
    public let operation: Operation
    /// What is done, in words: "index age in 18 ... 30".
    public let text: String
    /// About how many rows the planner expects the step to give. Nil where it has no opinion.
    public let estimatedCount: Int?
    /// How many rows the step gave when the plan was run. Nil where it was not run, and where
    /// nobody counts, as in an index that is read until there are enough rows.
    public let count: Int?
    /// What the step works on.
    public let inputs: [QueryPlan]

    init(
        _ operation: Operation, _ text: String, estimatedCount: Int? = nil, count: Int? = nil,
        on inputs: [QueryPlan] = []
    ) {
        self.operation = operation
        self.text = text
        self.estimatedCount = estimatedCount
        self.count = count
        self.inputs = inputs
    }
}

extension QueryPlan: CustomStringConvertible {
    /// The tree, a line for each step: `index age in 18 ... 30 (about 40, found 38)`.
    public var description: String { lines.joined(separator: "\n") }

    private var lines: [String] {
        let numbers = [estimatedCount.map { "about \($0)" }, count.map { "found \($0)" }]
            .compactMap(\.self)
        var lines = [numbers.isEmpty ? text : "\(text) (\(numbers.joined(separator: ", ")))"]
        for (index, input) in inputs.enumerated() {
            let isLast = index == inputs.count - 1
            for (number, line) in input.lines.enumerated() {
                lines.append((number > 0 ? isLast ? "   " : "│  " : isLast ? "└─ " : "├─ ") + line)
            }
        }
        return lines
    }
}

extension RealmCollection {
    /// How the elements are found: by which index or by a scan, in which range, what is tested,
    /// how they are sorted and cut.
    ///
    ///     print(realm.objects(Dog.self).filter("age > 12 SORT(name ASC) LIMIT(10)").explain())
    ///
    /// The same plan for the same condition, whether it came from `where`, from a string or
    /// from a predicate of Foundation.
    ///
    /// - Parameter running: Whether to evaluate the query step by step, for the real numbers of
    ///   elements; costs as much as a few evaluations. Otherwise a few look-ups for estimates.
    /// - Note: Traps for collections that no realm manages. Thread rule: confined like the
    ///   collection.
    public func explain(running: Bool = true) -> QueryPlan {
        inOwnOrder("explain(running:)").state.plan(running: running)
    }
}
