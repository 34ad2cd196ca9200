import Foundation
import Freehold
import FreeholdStorage
import FreeholdWorkload

/// A whole file, changed as the input says: it is opened, read through each kind of access,
/// written and checked, or refused.
///
/// The input names one of three sound files, the reader's steps and changes of the file's
/// bytes. Most are of records, which get the checksum that their new bytes should have, so that
/// what stands behind it is reached.
enum ImageTarget: FuzzTarget {
    static let name = "image"

    /// How many of the reader's steps an input runs.
    private static let stepCount = 2
    /// How many steps there are, for inputs to begin with.
    private static let allSteps = 26

    /// Where the file lies: in memory, where there is such a place.
    private static let directory: URL = {
        let memory = URL(fileURLWithPath: "/dev/shm")
        let base =
            FileManager.default.isWritableFile(atPath: memory.path)
            ? memory : FileManager.default.temporaryDirectory
        let made = base.appendingPathComponent("freehold-image-\(getpid())")
        try? FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(at: ImageTarget.directory) }
        return made
    }()

    private static func configuration(_ file: URL) -> Realm.Configuration {
        var configuration = Realm.Configuration(
            fileURL: file, objectTypes: EveryType.objectTypes + Everything.objectTypes)
        configuration.durability = .none
        return configuration
    }

    private static func options(_ file: URL, hooks: TestHooks = .current) -> Store.Options {
        var options = Store.Options(path: file.path, hooks: hooks)
        options.durability = .none
        return options
    }

    static func run(_ bytes: UnsafeRawBufferPointer) {
        var input = FuzzInput(bytes)
        let image = images[input.below(images.count)]
        let turn = Int(input.integer(UInt16.self))
        let file = directory.appendingPathComponent("image.realm")
        for suffix in ["", ".control", "-lock"] { unlink(file.path + suffix) }
        _ = FileManager.default.createFile(
            atPath: file.path, contents: Data(image.changed(by: &input)))
        let reader = EverythingReader(configuration(file), reopens: turn % 2 == 0)
        reader.run(from: turn / 2, count: stepCount)
        do {
            let store = try Store.open(options(file))
            _ = try store.check(try store.newestSnapshot())
        } catch {
            _ = "\(error)".utf8.count
        }
    }

    /// Each file as it is, with each step first.
    static var seeds: [[UInt8]] {
        images.indices.flatMap { image in
            (0..<allSteps).map { step in [UInt8(image), UInt8(2 * step + image % 2), 0] }
        }
    }

    // MARK: Files

    /// Small sound files: one with free pages and a version before, one compacted, and one
    /// whose clusters have four rows. They have other identities, but the same structure, in
    /// each process.
    private static let images: [FuzzImage] = {
        Everything.Rank.takesAnyText = true
        return [("worked", false, false), ("compacted", false, true), ("tiny", true, true)].map {
            name, isTiny, isCopied in
            let (made, copy) = (
                directory.appendingPathComponent(name),
                directory.appendingPathComponent(name + "-copy")
            )
            do {
                let store = try Store.open(options(made, hooks: isTiny ? .tiny : .current))
                let realm = try Realm(configuration: configuration(made))
                try realm.write {
                    EveryType.fill(realm, 0..<3)
                    Everything.fill(realm, 0..<2)
                }
                try realm.write { realm.delete(realm.objects(EveryType.Thing.self).last!) }
                try realm.write { EveryType.fill(realm, 1..<2, salt: 4) }
                if isCopied { try realm.writeCopy(toFile: copy) }
                withExtendedLifetime(store) {}
                return FuzzImage(Array(try Data(contentsOf: isCopied ? copy : made)))
            } catch {
                finding("No file to begin with: \(error)")
            }
        }
    }()
}

/// A sound file, and where it has what.
struct FuzzImage {
    private let bytes: [UInt8]
    private let map: FileMap
    /// The records of each database, without those that have no bytes.
    private let records: [[FileMap.Entry]]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let map = FileMap(bytes)
        self.map = map
        records = map.databases.map { database in
            map.entries.filter { $0.database == database && !$0.value.isEmpty }
        }.filter { !$0.isEmpty }
    }

    /// Changed as an input says, until it ends.
    func changed(by input: inout FuzzInput) -> [UInt8] {
        var image = bytes
        while !input.isAtEnd {
            switch input.below(8) {
            case 0...3:
                let (entry, _) = record(&input)
                overwrite(&image, entry.value, &input)
                mend(&image, entry)
            case 4:
                let (entry, _) = record(&input)
                overwrite(&image, entry.value, &input)
            case 5:
                // What another record of the same kind has.
                let (entry, others) = record(&input)
                let other = image[others[Int(input.integer(UInt16.self)) % others.count].value]
                    .prefix(entry.value.count)
                image.replaceSubrange(entry.value.prefix(other.count), with: Array(other))
                mend(&image, entry)
            case 6:
                let page =
                    map.usedPages[Int(input.integer(UInt16.self)) % map.usedPages.count]
                    * FileMap.pageSize
                overwrite(&image, page..<page + FileMap.pageSize, &input)
            default:
                // The record of a tree, or of the free list.
                let places = map.treeRecords.map { $0..<$0 + 48 } + map.freeEntries.map(\.value)
                if !places.isEmpty { overwrite(&image, places[input.below(places.count)], &input) }
            }
        }
        return image
    }

    private func record(_ input: inout FuzzInput) -> (FileMap.Entry, [FileMap.Entry]) {
        let all = records[input.below(records.count)]
        return (all[Int(input.integer(UInt16.self)) % all.count], all)
    }

    /// Puts some bytes somewhere into a range.
    private func overwrite(_ image: inout [UInt8], _ range: Range<Int>, _ input: inout FuzzInput) {
        guard !range.isEmpty else { return }
        let start = range.lowerBound + Int(input.integer(UInt16.self)) % range.count
        let new = input.bytes(1 + input.below(24))
        for (index, byte) in new.enumerated()
        where start + index < min(range.upperBound, image.count) { image[start + index] = byte }
    }

    private func mend(_ image: inout [UInt8], _ entry: FileMap.Entry) {
        var value = Array(image[entry.value])
        RecordMending.mend(&value, entry.database, key: entry.key)
        image.replaceSubrange(entry.value, with: value)
    }
}
