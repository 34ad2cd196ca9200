/// Names a row or an element that a predicate is about: see ``ScanPredicate/scope(_:_:)``. An
/// inner scope with the same name hides the outer one.
package struct ScanScope: Hashable, Sendable {
    private let number: Int

    package init(_ number: Int) { self.number = number }
}

extension ScanPredicate {
    /// The scopes that the predicate refers to but does not define. O(size).
    package var freeScopes: Set<ScanScope> {
        switch self {
        case .all, .none, .compare, .between, .oneOf, .text, .compareColumns, .matchesText,
            .fullText,
            .matchesNumbers:
            []
        case .and(let operands), .or(let operands):
            operands.reduce(into: []) { $0.formUnion($1.freeScopes) }
        case .not(let operand): operand.freeScopes
        case .any(_, let predicate): predicate.freeScopes
        case .anyCompared(_, let value, _, let other, _): value.freeScopes.union(other.freeScopes)
        case .compareOperands(let left, _, let right), .compareText(let left, _, let right, _):
            left.freeScopes.union(right.freeScopes)
        case .scope(let scope, let predicate): predicate.freeScopes.subtracting([scope])
        case .at(let scope, let predicate): predicate.freeScopes.union([scope])
        }
    }

    /// Whether the result for a row depends on more than the row.
    var isCorrelated: Bool { !freeScopes.isEmpty }
}

extension ScanOperand {
    fileprivate var freeScopes: Set<ScanScope> {
        switch self {
        case .constant, .path, .mixed, .mapValue, .aggregate: []
        case .count(_, let predicate): predicate.freeScopes
        case .outer(let scope, let operand): operand.freeScopes.union([scope])
        }
    }
}

/// The row or element of a scope whose predicate is currently being tested. Confined to its
/// evaluation.
final class ScopeFrame {
    /// The table that predicates about the scope are compiled for.
    let table: TableView
    fileprivate var place: (cluster: ClusterView, row: Int)?

    init(table: TableView) { self.table = table }
}

extension ScanCompiler {
    func scope(_ scope: ScanScope, _ predicate: ScanPredicate, in table: TableView)
        -> CompiledPredicate
    {
        let frame = ScopeFrame(table: table)
        var inner = self
        inner.scopes[scope] = frame
        let compiled = inner.compile(predicate, in: table)
        return compiled is ConstantPredicate ? compiled : ScopePredicate(frame, compiled)
    }

    func at(_ scope: ScanScope, _ predicate: ScanPredicate, in table: TableView)
        -> CompiledPredicate
    {
        guard let frame = scopes[scope] else {
            return ConstantPredicate(table: table, value: false)
        }
        let seen = ScopeFrame.elements(frame).map { $0.lowered(predicate) } ?? predicate
        let compiled = compile(seen, in: frame.table)
        if let constant = compiled as? ConstantPredicate {
            return ConstantPredicate(table: table, value: constant.value)
        }
        return OuterPredicate(table: table, frame, compiled)
    }

    func outer(_ scope: ScanScope, _ operand: ScanOperand) -> Operand? {
        guard let frame = scopes[scope] else { return nil }
        let seen = ScopeFrame.elements(frame).map { $0.operand(operand) } ?? operand
        return self.operand(seen, in: frame.table).map { OuterOperand(frame, $0) }
    }
}

extension ScopeFrame {
    /// The translation of predicates about the scope, if its table is a ``CollectionTable``.
    fileprivate static func elements(_ frame: ScopeFrame) -> ElementScope? {
        (frame.table as? CollectionTable).map {
            ElementScope(table: $0, target: $0.definition[CollectionTable.element]?.target)
        }
    }
}

/// A predicate that publishes its row for predicates behind hops.
private final class ScopePredicate: CompiledPredicate {
    private let frame: ScopeFrame
    private let body: CompiledPredicate

    init(_ frame: ScopeFrame, _ body: CompiledPredicate) {
        self.frame = frame
        self.body = body
        super.init(table: body.table, rowCost: body.rowCost + 5, matchesNull: body.matchesNull)
    }

    override func prepare() throws(StorageError) { try body.prepare() }

    override func matches(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Bool {
        frame.place = (cluster, row)
        defer { frame.place = nil }
        return body.matches(row, cluster, run)
    }

    override var summary: String { body.summary }
}

/// A predicate on the row or element of an enclosing scope.
private final class OuterPredicate: CompiledPredicate {
    private let frame: ScopeFrame
    private let body: CompiledPredicate

    init(table: TableView, _ frame: ScopeFrame, _ body: CompiledPredicate) {
        self.frame = frame
        self.body = body
        super.init(table: table, rowCost: body.rowCost + 5, matchesNull: false)
    }

    override func prepare() throws(StorageError) { try body.prepare() }

    override func matches(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Bool {
        frame.place.map { body.matches($0.row, $0.cluster, run) } ?? false
    }

    override var summary: String { "outer (\(body.summary))" }
}

/// An operand computed from the row or element of an enclosing scope.
private final class OuterOperand: Operand {
    private let frame: ScopeFrame
    private let operand: Operand

    init(_ frame: ScopeFrame, _ operand: Operand) {
        self.frame = frame
        self.operand = operand
        super.init(operand.kind)
    }

    override func prepare() throws(StorageError) { try operand.prepare() }

    override func with(
        _ row: Int, _ cluster: ClusterView, _ run: ScanRun, _ body: (OperandValue) -> Bool
    ) -> Bool {
        guard let place = frame.place else { return body(.null) }
        return operand.with(place.row, place.cluster, run, body)
    }

    override var rowCost: Double { operand.rowCost + 5 }

    override var summary: String { "outer \(operand.summary)" }
}
