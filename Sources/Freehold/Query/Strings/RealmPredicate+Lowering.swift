import Foundation
import FreeholdStorage

extension RealmPredicate {
    /// Checks that a class has the properties that the predicate names, and that their values can
    /// be compared as it says.
    ///
    ///     try RealmPredicate(parsing: typed).check(Dog.self, in: realm)
    ///
    /// O(length). Afterwards, `filter` of that class's collections does not trap.
    ///
    /// Thread rule: call it on the realm's thread, queue or actor.
    /// - Throws: An error that shows the string with a caret under the mistake. Traps if the
    ///   class is not in the realm's schema.
    public func check<Element: RealmFetchable>(_ type: Element.Type, in realm: Realm)
        throws(RealmPredicateError)
    {
        try check(realm.objects(type).state.binding)
    }

    /// Checks that the predicate fits the class of a binding. O(length).
    func check(_ binding: ClassBinding) throws(RealmPredicateError) {
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

    /// Traps if the predicate has clauses: they arrange the result of `filter`, and mean nothing
    /// for a position.
    func checkHasNoClauses(_ operation: String) {
        if clauses.isEmpty { return }
        misuse(
            "Predicates with SORT, DISTINCT or LIMIT have no effect on \(operation)",
            remedy: "Use the collection that filter gives, or leave the clauses out: '\(self)'.")
    }

    /// Returns the predicate for the storage, without the clauses.
    func lowered(for binding: ClassBinding) throws(RealmPredicateError) -> ScanPredicate {
        let lowering = PredicateLowering(binding: binding)
        do throws(QueryError) {
            return try lowering.condition(node)
        } catch {
            // Comparisons are lowered independently, so the first one that fails alone is the one
            // that failed in the condition.
            let culprit = node.firstComparison { comparison in
                (try? lowering.condition(.comparison(comparison))) == nil
            }
            throw mismatch(error, culprit)
        }
    }

    private func mismatch(_ error: QueryError, _ culprit: PredicateComparison?)
        -> RealmPredicateError
    {
        // A combined predicate has no string of its own; its canonical string is equivalent.
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
    /// Returns the objects of this collection that also satisfy a predicate, arranged by its
    /// clauses. Traps if the predicate does not fit the class.
    func filtered(by predicate: RealmPredicate) -> ResultsState {
        let matching = filtered(by: unwrapPredicate(try predicate.lowered(for: binding)))
        return predicate.clauses.reduce(matching) { state, clause in
            switch clause {
            case .sort(let descriptors): state.sorted(by: descriptors)
            case .distinct(let keyPaths): state.distinct(by: keyPaths)
            case .limit(let limit): state.sliced(offset: 0, limit: limit)
            }
        }
    }

    /// Returns the objects of this collection that also satisfy a condition in a string. Traps if
    /// the string is wrong or does not fit the class.
    ///
    /// A class caches its most recently used strings, so that the same string with other
    /// arguments is neither parsed nor resolved again.
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
        let predicate = unwrapPredicate(try RealmPredicate(parsing: format, arguments: arguments))
        let state = filtered(by: predicate)
        let binding = binding
        if !binding.core.isFrozen, let template = PredicateTemplates.template(for: format) {
            binding.loweredQueries.note(LoweredTemplate(template, for: binding), for: format)
        }
        return state
    }

    /// Returns the position of the first object that satisfies a predicate. Traps if the
    /// predicate does not fit the class, or has clauses.
    func index(matching predicate: RealmPredicate) -> Int? {
        predicate.checkHasNoClauses("index(matching:)")
        return index(matching: unwrapPredicate(try predicate.lowered(for: binding)))
    }
}

extension PredicateClause {
    /// The key paths by which objects are sorted or kept distinct.
    fileprivate var keyPaths: [String] {
        switch self {
        case .sort(let descriptors): descriptors.map(\.keyPath)
        case .distinct(let keyPaths): keyPaths
        case .limit: []
        }
    }
}

extension PredicateSource {
    /// Returns the offset of a key path of the clauses, which are at the end; nil if it is
    /// written in another notation.
    fileprivate func lastOffset(of keyPath: String) -> Int? {
        format.range(of: keyPath, options: .backwards).map {
            format.utf8.distance(from: format.startIndex, to: $0.lowerBound)
        }
    }
}
