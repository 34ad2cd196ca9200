import DebianIndex
import ExampleSupport

/// The outcome of an update: encoded for programs, printed for people.
struct UpdateSummary: Encodable {
    struct Issue: Encodable {
        var path: String
        var line: Int
        var reason: String
        var package: String?
    }

    struct Source: Encodable {
        var path: String
        var origin: PackageSource.Origin
    }

    var realm: String
    var sources: [Source]
    var stanzaCount: Int
    var supersededCount: Int
    var absentCount: Int
    var issues: [Issue]
    var packageCount: Int
    var changes: UpdateReport
    var mainActor: MainActorWatch.Report
    var readSeconds: Double
    var totalSeconds: Double

    init(
        realmPath: String,
        sources: [PackageSource],
        reader: IndexReader,
        report: UpdateReport,
        mainActor: MainActorWatch.Report,
        readTime: Duration,
        totalTime: Duration
    ) {
        realm = realmPath
        self.sources = sources.map { Source(path: $0.path, origin: $0.origin) }
        stanzaCount = reader.stanzaCount
        supersededCount = reader.supersededCount
        absentCount = reader.absentCount
        issues = reader.issues.map {
            Issue(
                path: $0.path, line: $0.stanza.line, reason: $0.stanza.reason,
                package: $0.stanza.packageName)
        }
        packageCount = report.packageCount
        changes = report
        self.mainActor = mainActor
        readSeconds = readTime / .seconds(1)
        totalSeconds = totalTime / .seconds(1)
    }

    /// Prints the summary for people.
    func print() {
        let left = [
            supersededCount > 0 ? "\(supersededCount.grouped) older or repeated versions" : nil,
            absentCount > 0 ? "\(absentCount.grouped) not installed" : nil,
            issues.isEmpty ? nil : "\(issues.count.grouped) malformed",
        ].compactMap { $0 }
        Swift.print(
            "Read \(stanzaCount.counted("stanza")) from \(sources.count.counted("file"))"
                + (left.isEmpty ? "" : "; left out \(left.joined(separator: ", "))") + ".")
        for source in sources { Swift.print("  \(source.path.printable)") }

        Swift.print(
            """
            \(packageCount.counted("package")) in \(realm.printable): \
            \(changes.addedCount.grouped) added, \(changes.updated.count.grouped) updated, \
            \(changes.removed.count.grouped) removed, \(changes.unchangedCount.grouped) \
            unchanged
            """
                + (changes.kept.isEmpty
                    ? "" : ", \(changes.kept.count.grouped) kept although malformed")
                + ". Took \(Duration.seconds(totalSeconds).shortText).")
        Swift.print(
            """
            Meanwhile the main actor gave \(mainActor.answerCount.counted("answer")) and was \
            never held for more than \
            \(Duration.seconds(mainActor.longestHoldSeconds).shortText).
            """)
        list("added", changes.added)
        list(
            "updated",
            changes.updated.map { change in
                change.oldVersion == change.newVersion
                    ? "\(change.id) (\(change.properties.joined(separator: ", ")))"
                    : "\(change.id) \(change.oldVersion) -> \(change.newVersion)"
            })
        list("removed", changes.removed)
        list("kept", changes.kept)
    }

    /// The first entries of a list, one a line.
    private func list(_ title: String, _ entries: [String]) {
        for entry in entries.prefix(10) { Swift.print("  \(title): \(entry.printable)") }
        if entries.count > 10 {
            Swift.print("  \(title): and \((entries.count - 10).grouped) more")
        }
    }
}
