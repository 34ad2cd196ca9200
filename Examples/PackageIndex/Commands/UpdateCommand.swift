import ArgumentParser
import DebianIndex
import ExampleSupport
import Foundation
import Freehold

/// Reads the package index and updates the realm with it, on a background thread. The main actor
/// stays free, and measures that.
struct UpdateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Bring the realm up to date with the package index, and say what changed.",
        discussion: """
            The index is what apt-get update fetched, else what dpkg says is installed, \
            else a small sample. \
            Stanzas that cannot be read are printed to standard error and skipped.
            """
    )

    @OptionGroup var common: CommonOptions

    @Option(
        help: ArgumentHelp(
            "Read this file instead of the machine's index. May be repeated.", valueName: "file"))
    var source: [String] = []

    @Flag(help: "Read the sample instead of the machine's index.")
    var sample = false

    @Option(
        help: ArgumentHelp(
            "Commit after each so many packages, for those who watch, instead of once.",
            valueName: "number"))
    var batch: Int?

    func validate() throws {
        if let batch, batch < 1 { throw ValidationError("--batch has to be at least 1.") }
        if sample, !source.isEmpty {
            throw ValidationError("--sample and --source exclude each other.")
        }
    }

    @MainActor
    func run() async throws {
        let start = ContinuousClock.now
        let sources = try chooseSources()
        let realm = try await IndexRealm.openForUpdate(path: common.realm)
        let watch = MainActorWatch(realm: realm)
        watch.start()
        let outcome: Outcome
        do {
            outcome = try await Realm.performBackgroundTask(configuration: realm.configuration) {
                [batch] in try Self.update($0, from: sources, batchSize: batch)
            }
        } catch {
            _ = await watch.stop()
            throw error
        }
        let summary = UpdateSummary(
            realmPath: common.realm,
            sources: sources,
            reader: outcome.reader,
            report: outcome.report,
            mainActor: await watch.stop(),
            readTime: outcome.readTime,
            totalTime: ContinuousClock.now - start
        )
        realm.refresh()
        if common.json {
            try printJSON(summary)
        } else {
            summary.print()
            try printGlance(Questions(realm: realm))
        }
    }

    /// The result of the background thread.
    private struct Outcome: Sendable {
        var reader: IndexReader
        var report: UpdateReport
        var readTime: Duration
    }

    /// Reads and imports, on the thread that opened the realm.
    private static func update(_ realm: Realm, from sources: [PackageSource], batchSize: Int?)
        throws -> Outcome
    {
        let start = ContinuousClock.now
        let reader = try read(sources)
        let readTime = ContinuousClock.now - start
        let records = reader.packages.sorted()
        let resolver = DependencyResolver(records)
        let packages = records.map {
            DesiredPackage($0, dependencies: resolver.dependencies(of: $0))
        }
        let bar = ProgressBar("Importing", total: packages.count)
        defer { bar.finish() }
        let report = try IndexUpdate.apply(
            packages,
            unreadableNames: Set(reader.issues.compactMap(\.stanza.packageName)),
            to: realm,
            batchSize: batchSize,
            progress: bar.advance(to:)
        )
        return Outcome(reader: reader, report: report, readTime: readTime)
    }

    private func chooseSources() throws -> [PackageSource] {
        if !source.isEmpty { return source.map { PackageSource(path: $0, origin: .file) } }
        if !sample {
            let found = try PackageSource.discover()
            if !found.isEmpty { return found }
        }
        guard
            let path = Bundle.module.path(
                forResource: "Packages", ofType: nil, inDirectory: "Sample")
        else {
            throw IndexError(
                code: .unreadable,
                message:
                    """
                    The sample is missing beside the program. Build the package again, or \
                    name a file with --source.
                    """,
                path: Bundle.module.bundlePath
            )
        }
        return [PackageSource(path: path, origin: .file)]
    }

    private static func read(_ sources: [PackageSource]) throws -> IndexReader {
        var reader = IndexReader()
        let bar = ProgressBar("Reading")
        defer { bar.finish() }
        for source in sources {
            try reader.read(source, onIssue: { bar.log("\($0)") }, onProgress: bar.advance(to:))
        }
        return reader
    }

    /// Prints a few answers, as an overview of the realm.
    private func printGlance(_ questions: Questions) throws {
        let width = Terminal.standardOutputWidth
        print("\nThe largest packages")
        printLines(packageTable(questions.largestPackages.prefix(5)).lines(width: width))
        print("\nThe packages that most others need")
        printLines(neededTable(questions.mostNeededPackages(limit: 5)).lines(width: width))
        print("\nThe busiest maintainers")
        printLines(maintainerTable(questions.busiestMaintainers.prefix(5)).lines(width: width))
    }
}
