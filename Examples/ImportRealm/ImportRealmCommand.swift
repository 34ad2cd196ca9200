import ArgumentParser
import Foundation
import Freehold
import FreeholdImport

/// Imports exports of Realm Studio into a realm, and prints a summary.
@main
struct ImportRealmCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import-realm",
        abstract: "Imports exports of Realm Studio into a realm.",
        discussion:
            """
            JSON files are read as 'Save data > JSON' writes them, CSV files as objects of \
            the class that they are named after. Without files, the bundled sample is \
            imported.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Exports: JSON files, CSV files, folders of CSV files.", valueName: "files"))
    var files: [String] = []

    @Option(help: ArgumentHelp("The file the realm is in.", valueName: "path"))
    var realm = "library.realm"

    @Flag(help: "Change objects that the realm has already, instead of failing.")
    var update = false

    @Flag(help: "Pass by classes and properties that the model does not have.")
    var lenient = false

    func run() throws {
        let configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: realm), objectTypes: LibraryModel.all)
        let realm = try Realm(configuration: configuration)
        let options = ImportOptions(
            existingObjects: update ? .modified : .error, ignoresUnknownClasses: lenient,
            ignoresUnknownProperties: lenient)
        for file in files.isEmpty ? try sample() : files.map({ URL(fileURLWithPath: $0) }) {
            try importFile(file, into: realm, options)
        }
        describe(realm)
        print("The file \(try realm.check().isEmpty ? "is sound" : "is damaged").")
    }

    private func sample() throws -> [URL] {
        guard let folder = Bundle.module.url(forResource: "Sample", withExtension: nil) else {
            throw ValidationError("The sample is not in the bundle.")
        }
        return [
            folder.appendingPathComponent("library.json"),
            folder.appendingPathComponent("Reader.csv"),
        ]
    }

    private func importFile(_ file: URL, into realm: Realm, _ options: ImportOptions) throws {
        let export =
            file.pathExtension.lowercased() == "json"
            ? try RealmStudioImport(json: file) : try RealmStudioImport(csv: file)
        var shown = 0
        let summary = try export.importAll(into: realm, options: options) { progress in
            let percent = Int(progress.fractionCompleted * 100)
            if percent >= shown + 25 || percent == 100, percent > shown {
                shown = percent
                print("\(file.lastPathComponent): \(percent) %")
            }
        }
        for (className, count) in summary.created.sorted(by: { $0.key < $1.key }) {
            print("  \(className): \(count) created")
        }
        for (className, count) in summary.updated.sorted(by: { $0.key < $1.key }) {
            print("  \(className): \(count) updated")
        }
        for name in summary.ignoredClasses + summary.ignoredProperties {
            print("  passed by: \(name)")
        }
    }

    private func describe(_ realm: Realm) {
        for author in realm.objects(Author.self).sorted(by: \.name).prefix(20) {
            let titles = author.books.prefix(5).map { book in
                book.title + (book.sequel.map { " (then \($0.title))" } ?? "")
            }
            let readers = realm.objects(Reader.self).where { $0.favourite._id == author._id }.map(
                \.name)
            print(
                "\(author.name): \(titles.joined(separator: ", "))"
                    + (readers.isEmpty ? "" : "; read by \(readers.joined(separator: ", "))"))
        }
    }
}
