extension SectionedResults: Referable {
    var referableCore: RealmCore? { state.base.core }

    var portable: Portable { .sections(state.base.portable, by: state.key) }

    static func counterpart(of portable: Portable, in core: RealmCore) -> SectionedResults? {
        guard case .sections(let base, let key) = portable,
            let key = key as? SectionKey<Key, SectionElement>,
            let results = Results<SectionElement>.counterpart(of: base, in: core)
        else { return nil }
        return SectionedResults(SectionsState(results, by: key))
    }
}

/// Refers to the section by its key in stored form. The key of a program's own type is made anew
/// on the other side.
extension ResultsSection: Referable {
    var referableCore: RealmCore? { state.base.core }

    var portable: Portable {
        .section(SectionedResults(state).portable, key: PredicateConstant(argument: key))
    }

    static func counterpart(of portable: Portable, in core: RealmCore) -> ResultsSection? {
        guard case .section(let sections, let key) = portable,
            let sections = SectionedResults<Key, SectionElement>.counterpart(
                of: sections, in: core),
            let found = sections.state.sections().keys.first(where: {
                PredicateConstant(argument: $0) == key
            })
        else { return nil }
        return ResultsSection(state: sections.state, key: found)
    }
}
