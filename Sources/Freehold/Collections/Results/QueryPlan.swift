/// The steps by which a query is evaluated, as a tree. The root is the last step; its inputs are
/// below it.
///
///     print(dogs.where { $0.age > 12 && $0.name.contains("x") }.sorted(by: \.name).explain())
///     // sort by name ascending (found 3)
///     // └─ filter name contains "x" (found 3)
///     //    └─ index age in 13... (about 40, found 40)
///
/// Made by ``RealmCollection/explain(running:)``. The texts are meant to be read, not parsed, and
/// may change in any version of the library. Tests should use ``operation`` and the numbers.
///
/// Thread rule: a plain value; may be sent anywhere.
public struct QueryPlan: Hashable, Sendable, Codable {
    /// The kind of one step of a plan.
    public enum Operation: String, Hashable, Sendable, Codable, CaseIterable {
        /// Reads all rows of a class, or a range of them, in the order of their keys.
        case scan
        /// Finds rows by their keys: a primary key of integers, or links that were found before.
        case keys
        /// Finds rows by the ordered index of a property.
        case index
        /// Finds rows by what they link to.
        case backlinks
        /// Finds rows by the words of a full-text index.
        case fullText
        /// Unites the rows of several steps, each row once.
        case union
        /// Reads the elements of one object's collection, or the objects that link to one.
        case collection
        /// Tests rows, and leaves out those that do not satisfy a condition.
        case filter
        /// Sorts rows.
        case sort
        /// Keeps one of several rows with equal values.
        case distinct
        /// Leaves out rows by their position: `limit`, `offset`.
        case slice
    }

    /// The kind of the step.
    public let operation: Operation
    /// The step in words: "index age in 18 ... 30".
    public let text: String
    /// About how many rows the planner expects the step to give; nil if it has no estimate.
    public let estimatedCount: Int?
    /// The number of rows that the step gave when the plan was run. Nil if it was not run, or not
    /// counted: an index that is read only until there are enough rows.
    public let count: Int?
    /// The steps whose rows this step works on.
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
    /// Returns how the elements are found: by which index or scan and in which range, what is
    /// tested, and how they are sorted and cut.
    ///
    ///     print(realm.objects(Dog.self).filter("age > 12 SORT(name ASC) LIMIT(10)").explain())
    ///
    /// Equal conditions give equal plans, whether they come from `where`, a string or a
    /// Foundation predicate.
    ///
    /// - Parameter running: Whether to evaluate the query step by step for the real numbers of
    ///   elements, which costs as much as a few evaluations. Otherwise, a few look-ups give
    ///   estimates.
    /// - Note: Traps for collections that no realm manages. Thread rule: confined like the
    ///   collection.
    public func explain(running: Bool = true) -> QueryPlan {
        inOwnOrder("explain(running:)").state.plan(running: running)
    }
}
