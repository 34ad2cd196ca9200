import Foundation
import FreeholdStorage

extension RealmPredicate {
    /// Makes sure that a class has what the predicate names, and that it compares what can be
    /// compared.
    ///
    ///     try RealmPredicate(parsing: typed).check(Dog.self, in: realm)
    ///
    /// O(length). After this, `filter` of that class's collections does not trap.
    ///
    /// Thread rule: call it on the realm's thread, queue or actor.
    /// - Throws: An error that shows the string with a caret under the mistake. Traps if the
    ///   class is not in the realm's schema.
    public func check<Element: RealmFetchable>(_ type: Element.Type, in realm: Realm)
        throws(RealmPredicateError)
    {
        let binding = realm.objects(type).state.binding
        _ = try lowered(for: binding)
        for keyPath in clauses.flatMap(\.keyPaths) {
            do throws(SortRefusal) {
                _ = try binding.sortPath(keyPath)
            } catch {
                throw RealmPredicateError(
                    .mismatch, "Cannot sort on key path '\(keyPath)': \(error.reason)",
                    in: source?.format ?? description, at: source?.lastOffset(of: keyPath),
                    detail: nil, remedy: SortRefusal.remedy)
            }
        }
    }

    /// Traps if the predicate has clauses: they arrange what `filter` gives, and where a
    /// collection is only asked for a position there is nothing to arrange.
    func checkHasNoClauses(_ operation: String) {
        if clauses.isEmpty { return }
        violation(
            .misuse(
                text: "Predicates with SORT, DISTINCT or LIMIT have no effect on \(operation)",
                remedy: "Use the collection that filter gives, or leave the clauses out: '\(self)'."
            ))
    }

    /// The predicate for the storage, without the clauses.
    func lowered(for binding: ClassBinding) throws(RealmPredicateError) -> ScanPredicate {
        let lowering = PredicateLowering(binding: binding)
        do throws(QueryError) {
            return try lowering.condition(node)
        } catch {
            // Each comparison is lowered by itself, so the first that fails alone is the one
            // that failed among the others.
            let culprit = node.firstComparison { comparison in
                (try? lowering.condition(.comparison(comparison))) == nil
            }
            throw mismatch(error, culprit)
        }
    }

    private func mismatch(_ error: QueryError, _ culprit: PredicateComparison?)
        -> RealmPredicateError
    {
        // A predicate that was combined has no string of its own, but its canonical one says
        // the same.
        let source = source ?? (try? PredicateParser.parse(description, []).source)
        let span = culprit.flatMap { source?.span(of: $0) }
        let named = span?.names.first {
            error.message.contains("'\($0.text)'")
                || error.message.contains("Unsupported collection operation '\($0.text)'")
        }
        return RealmPredicateError(
            .mismatch, error.message, in: source?.format ?? description,
            at: named?.offset ?? span?.start, detail: nil, remedy: error.remedy)
    }
}

extension ResultsState {
    /// The objects of this collection that also satisfy a predicate, arranged as its clauses
    /// say. Traps if the predicate does not fit the class.
    func filtered(by predicate: RealmPredicate) -> ResultsState {
        unwrapPredicate { () throws(RealmPredicateError) in
            var state = filtered(by: try predicate.lowered(for: binding))
            for clause in predicate.clauses {
                switch clause {
                case .sort(let descriptors): state = state.sorted(by: descriptors)
                case .distinct(let keyPaths): state = state.distinct(by: keyPaths)
                case .limit(let limit): state = state.sliced(offset: 0, limit: limit)
                }
            }
            return state
        }
    }

    /// The objects of this collection that also satisfy a condition in a string. Traps if the
    /// string is wrong or does not fit the class.
    ///
    /// A class remembers the strings that it was asked lately, so that the same one with other
    /// arguments is neither parsed nor looked up again.
    func filtered(by format: String, _ arguments: [Any?]) -> ResultsState {
        if let known = unsafeBinding._withUnsafeGuaranteedRef({
            $0.loweredQueries.template(for: format)?.predicate(arguments, for: $0)
        }) {
            return filtered(by: known)
        }
        return filteredByUnknown(format, arguments)
    }

    @inline(never)
    private func filteredByUnknown(_ format: String, _ arguments: [Any?]) -> ResultsState {
        let predicate = unwrapPredicate { () throws(RealmPredicateError) in
            try RealmPredicate(parsing: format, arguments: arguments)
        }
        let state = filtered(by: predicate)
        let binding = binding
        if !binding.core.isFrozen, let template = PredicateTemplates.template(for: format) {
            binding.loweredQueries.note(LoweredTemplate(template, for: binding), for: format)
        }
        return state
    }

    /// The position of the first object that satisfies a predicate. Traps if the predicate does
    /// not fit the class, or has clauses.
    func index(matching predicate: RealmPredicate) -> Int? {
        predicate.checkHasNoClauses("index(matching:)")
        return index(
            matching: unwrapPredicate { () throws(RealmPredicateError) in
                try predicate.lowered(for: binding)
            })
    }
}

extension PredicateClause {
    /// What objects are sorted or told apart by.
    fileprivate var keyPaths: [String] {
        switch self {
        case .sort(let descriptors): descriptors.map(\.keyPath)
        case .distinct(let keyPaths): keyPaths
        case .limit: []
        }
    }
}

extension PredicateSource {
    /// Where a key path of the clauses is, which are at the end; nil if it is written in
    /// another way.
    fileprivate func lastOffset(of keyPath: String) -> Int? {
        format.range(of: keyPath, options: .backwards).map {
            format.utf8.distance(from: format.startIndex, to: $0.lowerBound)
        }
    }
}
