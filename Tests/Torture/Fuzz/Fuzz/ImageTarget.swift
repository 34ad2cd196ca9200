import Foundation
import Freehold
import FreeholdStorage
import FreeholdWorkload

/// A whole file, as bytes that anybody could have written: it is opened, read through each kind of access, written and
/// checked, or refused.
///
/// The mutator changes records and gives them the checksum that they should have, so that what stands behind it is reached.
enum ImageTarget: FuzzTarget {
    static let name = "image"

    /// How many of the reader's steps an input runs; which ones follows from its bytes.
    private static let stepCount = 4

    /// Where the file lies: in memory, where there is such a place.
    private static let directory: URL = {
        let memory = URL(fileURLWithPath: "/dev/shm")
        let base = FileManager.default.isWritableFile(atPath: memory.path) ? memory : FileManager.default.temporaryDirectory
        Everything.Rank.takesAnyText = true
        let made = base.appendingPathComponent("freehold-image-\(getpid())")
        try? FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
        return made
    }()

    private static func configuration(_ file: URL) -> Realm.Configuration {
        var configuration = Realm.Configuration(fileURL: file, objectTypes: EveryType.objectTypes + Everything.objectTypes)
        configuration.durability = .none
        return configuration
    }

    private static func options(_ file: URL) -> Store.Options {
        var options = Store.Options(path: file.path)
        options.durability = .none
        return options
    }

    static func run(_ bytes: UnsafeRawBufferPointer) {
        let file = directory.appendingPathComponent("image.realm")
        for suffix in ["", ".control", "-lock"] { unlink(file.path + suffix) }
        _ = FileManager.default.createFile(atPath: file.path, contents: Data(bytes))
        let turn = Int(Checksum.xxh64(bytes) % 1024)
        let reader = EverythingReader(configuration(file), reopens: turn % 2 == 0)
        reader.run(from: turn / 2, count: stepCount)
        do {
            let store = try Store.open(options(file))
            _ = try store.check(try store.newestSnapshot())
        } catch {
            _ = "\(error)".utf8.count
        }
    }

    /// Small sound files, one whose clusters have four rows.
    static var seeds: [[UInt8]] {
        [false, true].compactMap { isTiny in
            let (made, copy) = (directory.appendingPathComponent("made.realm"), directory.appendingPathComponent("copy.realm"))
            for file in [made, copy] { for suffix in ["", ".control", "-lock"] { unlink(file.path + suffix) } }
            do {
                var options = options(made)
                if isTiny { options.layout = .tiny }
                let store = try Store.open(options)
                let realm = try Realm(configuration: configuration(made))
                try realm.write {
                    EveryType.fill(realm, 0..<2)
                    Everything.fill(realm, 0..<2)
                }
                try realm.writeCopy(toFile: copy)
                withExtendedLifetime(store) {}
                return Array(try Data(contentsOf: copy))
            } catch {
                finding("No seed: \(error)")
            }
        }
    }

    // MARK: Mutating

    /// Changes a record, mostly, or some bytes of a page. In place: the length of a file stays what it is.
    ///
    /// - Parameter mutate: Changes some bytes, at most as many as it is given, and answers how many it left.
    static func mutate(_ image: UnsafeMutableRawBufferPointer, seed: UInt32, _ mutate: (UnsafeMutableRawBufferPointer) -> Int) {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        func below(_ bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(max(bound, 1)))
        }
        let map = FileMap(Array(image))
        for _ in 0...below(3) {
            if map.entries.isEmpty || below(8) == 0 {
                let pages = map.usedPages.filter { ($0 + 1) * FileMap.pageSize <= image.count }
                guard !pages.isEmpty else { return }
                let start = pages[below(pages.count)] * FileMap.pageSize + below(FileMap.pageSize - 64)
                _ = mutate(UnsafeMutableRawBufferPointer(rebasing: image[start..<start + 64]))
                continue
            }
            let database = map.databases[below(map.databases.count)]
            let entries = map.entries.filter { $0.database == database && !$0.value.isEmpty }
            guard !entries.isEmpty else { continue }
            let entry = entries[below(entries.count)]
            let bytes = UnsafeMutableRawBufferPointer(rebasing: image[entry.value])
            // What another record of the same kind has, sometimes.
            if below(4) == 0 {
                let other = entries[below(entries.count)].value
                bytes.copyBytes(from: Array(image[other].prefix(bytes.count)))
            } else {
                let start = below(min(bytes.count, below(2) == 0 ? 40 : bytes.count))
                _ = mutate(UnsafeMutableRawBufferPointer(rebasing: bytes[start..<min(start + 64, bytes.count)]))
            }
            var value = Array(bytes)
            RecordMending.mend(&value, entry.database, key: entry.key)
            bytes.copyBytes(from: value)
        }
    }
}

/// libFuzzer's own way to change bytes.
@_silgen_name("LLVMFuzzerMutate")
private func fuzzerMutate(_ data: UnsafeMutableRawPointer, _ size: Int, _ maxSize: Int) -> Int

@_cdecl("LLVMFuzzerCustomMutator")
public func customMutator(_ data: UnsafeMutableRawPointer, _ size: Int, _ maxSize: Int, _ seed: UInt32) -> Int {
    guard target is ImageTarget.Type, size >= 2 * FileMap.pageSize else { return fuzzerMutate(data, size, maxSize) }
    ImageTarget.mutate(UnsafeMutableRawBufferPointer(start: data, count: size), seed: seed) { bytes in
        bytes.baseAddress.map { fuzzerMutate($0, bytes.count, bytes.count) } ?? 0
    }
    return size
}
