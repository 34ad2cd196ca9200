extension Query where T: _HasPersistedType, T.PersistedType: _QueryString {
    /// Whether the text contains the words of a search. False for nil.
    ///
    ///     realm.objects(Article.self)
    ///         .where { $0.text.fullText("swift database -oracle \"live objects\" pre*") }
    ///
    /// | search | finds texts with |
    /// |---|---|
    /// | `swift database`, `swift AND database` | both words |
    /// | `swift OR rust` | either word |
    /// | `-oracle`, `NOT oracle` | not the word; with nothing else, all texts without it |
    /// | `pre*` | a word with this beginning |
    /// | `"live objects"` | the words in sequence |
    /// | `(swift OR rust) database` | either of the words, and `database` |
    ///
    /// Case and diacritics are ignored. NOT binds most tightly, then AND, then OR. In lower case,
    /// `and`, `or` and `not` are ordinary words. Every text that a user may type is a valid
    /// search: unmatched quotes and parentheses, and operators without operands, are ignored. A
    /// search without any word finds nothing.
    ///
    /// With an index (`@Persisted(indexed: .fullText)`), O(texts with the rarest word of each
    /// AND). Without one, or if the search names only excluded words, every text is read.
    public func fullText(_ search: String) -> Query<Bool> {
        Query<Bool>(form.compared(.fullText, PredicateConstant.string(search)))
    }
}
