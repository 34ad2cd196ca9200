/// The class's cache of lowered queries in a live realm. It holds no values.
///
/// The lists are short and searched from the front, at a few nanoseconds an entry. A full list is
/// emptied: key paths and strings composed at run time are new each time.
struct LoweredQueries {
    /// The properties that key paths lead to.
    private var columns = Recent<NamedColumn>()
    /// The forms by which Foundation predicates of a type are read.
    private var forms = Recent<TypedForm>()
    /// Predicate strings.
    private var templates = Recent<KnownTemplate>()

    // Structs, because an element of a tuple is read by way of the runtime.

    private struct TypedForm {
        let type: ObjectIdentifier
        let form: ExpressionForm
    }

    private struct KnownTemplate {
        let format: String
        /// Nil if lowering in advance saves nothing.
        let template: LoweredTemplate?
    }

    private struct NamedColumn {
        /// Kept alive, so that its address is not reused.
        let keyPath: AnyKeyPath
        /// The key path's identity, which can be compared without retaining the key path.
        let identity: ObjectIdentifier
        let isTriedOut: Bool
        let column: KnownColumn
    }

    private struct Recent<Entry> {
        private(set) var entries: ContiguousArray<Entry> = []

        mutating func append(_ entry: Entry) {
            if entries.count >= 32 { entries.removeAll(keepingCapacity: true) }
            entries.append(entry)
        }
    }
}

extension LoweredQueries {
    @inline(__always)
    func column(of keyPath: AnyKeyPath, isTriedOut: Bool) -> KnownColumn? {
        let identity = ObjectIdentifier(keyPath)
        var index = 0
        while index < columns.entries.count {
            if columns.entries[index].identity == identity,
                columns.entries[index].isTriedOut || !isTriedOut
            {
                return columns.entries[index].column
            }
            index &+= 1
        }
        return nil
    }

    mutating func note(_ column: KnownColumn, of keyPath: AnyKeyPath, isTriedOut: Bool) {
        columns.append(
            NamedColumn(
                keyPath: keyPath, identity: ObjectIdentifier(keyPath), isTriedOut: isTriedOut,
                column: column))
    }

    func form(of type: ObjectIdentifier) -> ExpressionForm? {
        var index = 0
        while index < forms.entries.count {
            if forms.entries[index].type == type { return forms.entries[index].form }
            index &+= 1
        }
        return nil
    }

    mutating func note(_ form: ExpressionForm, of type: ObjectIdentifier) {
        forms.append(TypedForm(type: type, form: form))
    }

    /// Fast for literals: the same literal is equal by its address.
    func template(for format: String) -> LoweredTemplate? {
        var index = 0
        while index < templates.entries.count {
            if templates.entries[index].format == format {
                return templates.entries[index].template
            }
            index &+= 1
        }
        return nil
    }

    mutating func note(_ template: LoweredTemplate?, for format: String) {
        if templates.entries.contains(where: { $0.format == format }) { return }
        templates.append(KnownTemplate(format: format, template: template))
    }
}
