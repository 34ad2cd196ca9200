import Foundation
import FreeholdTestSupport

/// What a medium holds of the files of a directory while the events of a log happen: what it
/// holds for certain, and what is on its way.
///
/// The model is that of ext4 and the kernel's page cache, a little harder:
///
/// - What is written waits in pages of 4 KiB. A page reaches the medium at any time, as it is
///   then, or not; sector by sector. `fsync` and `fdatasync` of the file wait for all of its
///   pages and its length.
/// - A file's length follows at any time, before or after its pages.
/// - Names (creation, renaming, removal) reach the medium in their order, with nothing of the
///   file itself. `fsync` of the directory waits for them.
final class Disk {
    final class File {
        enum Change {
            /// Within one page.
            case piece(at: Int, bytes: Range<Int>)
            case size(Int)
        }

        var durable: [UInt8] = []
        var pending: [Change] = []
        var size = 0
    }

    enum NameChange {
        case create(String, File)
        case rename(String, String)
        case exchange(String, String)
        case unlink(String)
        case link(String, String)
    }

    static let pageSize = 4096
    static let sectorSize = 512

    private let log: RecordedLog
    private let withoutSyncs: Bool
    /// How many events have happened.
    private(set) var point = 0
    private var files: [UInt64: File] = [:]
    private var durableNames: [String: File] = [:]
    private var pendingNames: [NameChange] = []
    /// The promises so far: the last one, and what relaxed durability makes of them.
    private(set) var promise = PowerPromise()
    private(set) var promiseBefore = PowerPromise()
    private var hasPromise = false

    init(_ log: RecordedLog, withoutSyncs: Bool) {
        self.log = log
        self.withoutSyncs = withoutSyncs
    }

    func advance(to point: Int) {
        while self.point < point {
            happen(log.events[self.point])
            self.point += 1
        }
    }

    /// Whether syncs count: all of them, or in a self-test, those before the first promise.
    private var hasSyncs: Bool { !(withoutSyncs && hasPromise) }

    private func happen(_ event: RecordedLog.Event) {
        switch event {
        case .write(let inode, let at, let bytes, let isDurable):
            guard let file = files[inode] else { return }
            Self.add(at, bytes, to: file)
            if isDurable, hasSyncs {
                settle(file, pages: at / Self.pageSize...(at + bytes.count - 1) / Self.pageSize)
            }
        case .sync(let inode):
            if hasSyncs, let file = files[inode] { settle(file, pages: nil) }
        case .size(let inode, let size):
            guard let file = files[inode], file.size != size else { return }
            file.pending.append(.size(size))
            file.size = size
        case .create(let inode, let name):
            let file = File()
            files[inode] = file
            pendingNames.append(.create(name, file))
        case .rename(let from, let to): pendingNames.append(.rename(from, to))
        case .exchange(let first, let second): pendingNames.append(.exchange(first, second))
        case .unlink(let name): pendingNames.append(.unlink(name))
        case .link(let from, let to): pendingNames.append(.link(from, to))
        case .directorySync:
            guard hasSyncs else { return }
            for change in pendingNames { Self.apply(change, to: &durableNames) }
            pendingNames = []
        case .promise(let new):
            var known = promise
            (known.isForSure, known.copied) = (new.isForSure, new.copied)
            if known != new { promiseBefore = promise }
            promise = new
            if new.isForSure { promiseBefore = new }
            hasPromise = true
        }
    }

    private static func add(_ at: Int, _ bytes: Range<Int>, to file: File) {
        var place = at
        var from = bytes.lowerBound
        while from < bytes.upperBound {
            let count = min((place / pageSize + 1) * pageSize - place, bytes.upperBound - from)
            file.pending.append(.piece(at: place, bytes: from..<from + count))
            place += count
            from += count
        }
        file.size = max(file.size, at + bytes.count)
    }

    /// Some pages of a file, or all with its length, have reached the medium.
    private func settle(_ file: File, pages: ClosedRange<Int>?) {
        var left: [File.Change] = []
        for change in file.pending {
            switch change {
            case .piece(let at, let bytes):
                if let pages, !pages.contains(at / Self.pageSize) {
                    left.append(change)
                } else {
                    write(bytes, at: at, to: &file.durable)
                }
            case .size(let size):
                if pages == nil { Self.resize(&file.durable, size) } else { left.append(change) }
            }
        }
        file.pending = left
        if pages == nil { Self.resize(&file.durable, file.size) }
    }

    private func write(_ bytes: Range<Int>, at place: Int, to content: inout [UInt8]) {
        if content.count < place + bytes.count { Self.resize(&content, place + bytes.count) }
        content.withUnsafeMutableBytes { content in
            log.data.withUnsafeBytes { log in
                content[place..<place + bytes.count].copyBytes(from: log[bytes])
            }
        }
    }

    private static func resize(_ content: inout [UInt8], _ size: Int) {
        if content.count < size {
            content.append(contentsOf: repeatElement(0, count: size - content.count))
        } else {
            content.removeLast(content.count - size)
        }
    }

    private static func apply(_ change: NameChange, to names: inout [String: File]) {
        switch change {
        case .create(let name, let file): names[name] = file
        case .rename(let from, let to): names[to] = names.removeValue(forKey: from)
        case .exchange(let first, let second):
            (names[first], names[second]) = (names[second], names[first])
        case .unlink(let name): names[name] = nil
        case .link(let from, let to): names[to] = names[from]
        }
    }
}

// MARK: - Images

extension Disk {
    /// What is there after a loss of power now, perhaps in the middle of the next event.
    func image(_ generator: inout SeededGenerator) -> [String: [UInt8]] {
        let choice = Choice(&generator)
        var names = durableNames
        var changes = pendingNames
        var next: RecordedLog.Event?
        if point < log.events.count, generator.once(in: 2) { next = log.events[point] }
        switch next {
        case .rename(let from, let to): changes.append(.rename(from, to))
        case .exchange(let first, let second): changes.append(.exchange(first, second))
        case .unlink(let name): changes.append(.unlink(name))
        case .link(let from, let to): changes.append(.link(from, to))
        default: break
        }
        for change in changes.prefix(choice.count(of: changes.count, &generator)) {
            Self.apply(change, to: &names)
        }
        return Dictionary(
            uniqueKeysWithValues: names.sorted { $0.key < $1.key }.map { name, file in
                var pending = file.pending
                if case .write(let inode, let at, let bytes, _) = next, files[inode] === file {
                    let copy = File()
                    Self.add(at, bytes, to: copy)
                    pending += copy.pending
                }
                return (
                    name,
                    content(of: file, pending, isLock: name.hasSuffix("-lock"), choice, &generator)
                )
            })
    }

    /// How much of what is on its way has arrived: nothing, all, or each page with a probability.
    private struct Choice {
        let probability: Double

        init(_ generator: inout SeededGenerator) {
            switch generator.int(0...5) {
            case 0: probability = 0
            case 1: probability = 1
            case 2: probability = 0.98
            default: probability = Double(generator.int(1...99)) / 100
            }
        }

        func happens(_ generator: inout SeededGenerator) -> Bool {
            probability == 1 || Double(generator.int(0...999)) < probability * 1000
        }

        func count(of all: Int, _ generator: inout SeededGenerator) -> Int {
            (0..<all).first { _ in !happens(&generator) } ?? all
        }
    }

    private func content(
        of file: File, _ pending: [File.Change], isLock: Bool, _ choice: Choice,
        _ generator: inout SeededGenerator
    ) -> [UInt8] {
        var content = file.durable
        var stopped: Set<Int> = []
        var sizesStopped = false
        for change in pending {
            switch change {
            case .piece(let at, let bytes):
                let page = at / Self.pageSize
                if stopped.contains(page) { continue }
                if choice.happens(&generator) {
                    write(bytes, at: at, to: &content)
                } else {
                    stopped.insert(page)
                    if generator.once(in: 4) { writeTorn(bytes, at: at, to: &content, &generator) }
                }
            case .size(let size):
                if !sizesStopped, choice.happens(&generator) {
                    Self.resize(&content, size)
                } else {
                    sizesStopped = true
                }
            }
        }
        if content.count < file.size, generator.once(in: 2) { Self.resize(&content, file.size) }
        // Written through a map, and of no use any more: anything may be there.
        if isLock, generator.once(in: 2) {
            for index in stride(from: 0, to: content.count, by: 7) {
                content[index] = UInt8(truncatingIfNeeded: generator.next())
            }
        }
        return content
    }

    /// Some sectors of a page.
    private func writeTorn(
        _ bytes: Range<Int>, at place: Int, to content: inout [UInt8],
        _ generator: inout SeededGenerator
    ) {
        var from = bytes.lowerBound
        while from < bytes.upperBound {
            let at = place + from - bytes.lowerBound
            let count = min(
                (at / Self.sectorSize + 1) * Self.sectorSize - at, bytes.upperBound - from)
            if generator.once(in: 2) { write(from..<from + count, at: at, to: &content) }
            from += count
        }
    }
}
