import FreeholdStorage

extension Realm {
    /// Which transactions a file's history records, and for how long:
    /// ``Configuration/history``.
    ///
    /// ```swift
    /// configuration.history = .kept(for: .days(7))
    /// configuration.history = .kept(for: .forever, classes: [Order.self], values: true)
    /// ```
    ///
    /// The policy is stored in the file, and every process and realm that commits follows it,
    /// whatever its own configuration.
    public struct HistoryPolicy: Sendable {
        /// Nil for no history.
        let kept: Kept?

        struct Kept: Sendable {
            var retention: Retention
            var classes: [ObjectBase.Type]?
            var values: Bool
        }

        func isSame(as other: HistoryPolicy) -> Bool {
            guard let kept, let others = other.kept else {
                return kept == nil && other.kept == nil
            }
            return kept.retention == others.retention && kept.values == others.values
                && kept.classes?.map(ObjectIdentifier.init)
                    == others.classes?.map(ObjectIdentifier.init)
        }

        /// Keeps no history, and deletes what the file has of one.
        public static let off = HistoryPolicy(kept: nil)

        /// Keeps the history of all classes, or of some.
        ///
        /// - Parameters:
        ///   - retention: How long a transaction is kept. Older ones are deleted by later
        ///     commits, a few by each, and some not before they are a tenth older than that. The
        ///     newest transaction is always kept.
        ///   - classes: The classes whose changes are recorded; nil for all of the file.
        ///   - values: Whether old and new values are recorded. Without, the history names the
        ///     changed properties.
        public static func kept(
            for retention: Retention, classes: [ObjectBase.Type]? = nil, values: Bool = false
        ) -> HistoryPolicy {
            HistoryPolicy(kept: Kept(retention: retention, classes: classes, values: values))
        }

        /// How long transactions are kept.
        public struct Retention: Sendable, Hashable {
            /// Nil for ever.
            let seconds: Double?

            /// Until ``Realm/deleteHistory(before:)`` deletes them.
            public static let forever = Retention(seconds: nil)

            /// A number of days of 24 hours.
            public static func days(_ count: Double) -> Retention { .seconds(count * 86_400) }

            /// A number of hours.
            public static func hours(_ count: Double) -> Retention { .seconds(count * 3_600) }

            /// A number of seconds; infinity is for ever.
            ///
            /// - Precondition: It is not negative.
            public static func seconds(_ count: Double) -> Retention {
                if !(count >= 0) {
                    misuse(
                        "History can't be kept for \(count) seconds.",
                        remedy: "Give a number of 0 or more.")
                }
                return Retention(seconds: count == .infinity ? nil : count)
            }
        }
    }
}

extension Realm.HistoryPolicy: CustomStringConvertible {
    /// What is kept, as it is written in a program.
    public var description: String {
        guard let kept else { return "off" }
        var parts = ["for: " + (kept.retention.seconds.map { ".seconds(\($0))" } ?? ".forever")]
        if let classes = kept.classes {
            parts.append("classes: [" + classes.map { "\($0)" }.joined(separator: ", ") + "]")
        }
        if kept.values { parts.append("values: true") }
        return "kept(\(parts.joined(separator: ", ")))"
    }
}

/// The policy that a configuration asks for, compared with the file's.
struct HistorySetting {
    let policy: Realm.HistoryPolicy
    let set: SchemaSet
    let path: String

    /// Nil for a configuration that leaves the history as it is.
    init?(_ configuration: Realm.Configuration, _ set: SchemaSet, path: String) {
        guard let policy = configuration.history, !configuration.readOnly else { return nil }
        self.policy = policy
        self.set = set
        self.path = path
    }

    /// Whether a version has the policy. One look-up.
    func isUpToDate(_ snapshot: Snapshot) throws(Realm.Error) -> Bool {
        let known = try mappingStorageErrors(HistoryReader(snapshot))?.policy
        return try wanted(knowing: known) == known
    }

    /// Gives a transaction the policy, unless its base has it.
    func apply(to writeSet: WriteSet) throws(Realm.Error) {
        let known = try mappingStorageErrors(HistoryReader(writeSet.base))?.policy
        let wanted = try wanted(knowing: known)
        if wanted != known { writeSet.setHistory(wanted) }
    }

    private func wanted(knowing known: HistoryPolicy?) throws(Realm.Error) -> HistoryPolicy? {
        guard let kept = policy.kept else { return nil }
        var tables: Set<String>?
        if let classes = kept.classes {
            tables = []
            for type in classes {
                guard let declared = set.classes.first(where: { $0.type == type }) else {
                    throw Realm.Error(
                        .invalidInput,
                        """
                        The history of '\(type.className())' can't be kept: the realm's classes \
                        lack it. Add it to objectTypes.
                        """)
                }
                tables?.insert(declared.tableName)
            }
        }
        // Those of classes that this program does not have stay.
        var preserved = known?.preserved ?? [:]
        for declared in set.classes { preserved[declared.tableName] = nil }
        for declared in set.classes {
            let names = declared.properties.filter(\.isPreserved).map(\.columnName)
            if !names.isEmpty { preserved[declared.tableName, default: []].formUnion(names) }
        }
        return HistoryPolicy(
            lineage: known?.lineage ?? .random(), seconds: kept.retention.seconds, tables: tables,
            keepsValues: kept.values, preserved: preserved)
    }
}
