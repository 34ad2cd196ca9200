extension Query where T: _HasPersistedType, T.PersistedType: _QueryString {
    /// Whether the text has the words that a search names. False for nil.
    ///
    ///     realm.objects(Article.self).where { $0.text.fullText("swift database -oracle \"live objects\" pre*") }
    ///
    /// | search | finds texts with |
    /// |---|---|
    /// | `swift database`, `swift AND database` | both words |
    /// | `swift OR rust` | either word |
    /// | `-oracle`, `NOT oracle` | not the word; with nothing else, all texts without it |
    /// | `pre*` | a word that begins so |
    /// | `"live objects"` | the words one behind the other |
    /// | `(swift OR rust) database` | what the parentheses say |
    ///
    /// Case and diacritics do not matter. AND binds more tightly than OR, NOT most tightly;
    /// `AND`, `OR` and `NOT` are words like others in lower case. Whatever a user may type is a
    /// search: quotes and parentheses that do not match and operators without operands are
    /// ignored. One without any word finds nothing.
    ///
    /// With an index (`@Persisted(indexed: .fullText)`), O(texts with the rarest word of each
    /// AND). Without one, or where only what a text does not have is named, every text is read.
    public func fullText(_ search: String) -> Query<Bool> {
        Query<Bool>(form.compared(.fullText, PredicateConstant.string(search)))
    }
}
