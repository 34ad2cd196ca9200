import ArgumentParser
import Foundation
import FreeholdTestSupport

/// Makes images and looks what is in them, one after the other; says what it does on standard
/// output, for the process that started it.
struct PowerVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "power-verify", shouldDisplay: false)

    @Argument(help: "The case, a .json file.") var path: String
    @Option(help: "The first image.") var from: Int
    @Option(help: "The image behind the last one.") var to: Int
    @Option(help: "Where images are made.") var directory: String
    @Flag(help: "Keep the image of the file as it was before it was opened.") var keep = false

    func run() throws {
        let powerCase = try PowerCase.load(path)
        let (from, to, directory, keep) = (from, to, directory, keep)
        try runThreads(1) { _ in
            try PowerImages(powerCase).verify(from..<to, in: directory, keep: keep) {
                FileHandle.standardOutput.write(Data(($0 + "\n").utf8))
            }
        }
    }
}

/// The images of a case. Image `i` is of a point of the log near `i / imageCount` of it.
struct PowerImages {
    let powerCase: PowerCase
    let log: RecordedLog

    init(_ powerCase: PowerCase) throws {
        self.powerCase = powerCase
        log = try RecordedLog(powerCase.log)
    }

    /// Reports "begin i", "opened i", "good i", "bad i text" and "refused i text", the last one
    /// of errors where nothing is promised.
    func verify(_ images: Range<Int>, in directory: String, keep: Bool, _ report: (String) -> Void)
        throws
    {
        let disk = Disk(log, withoutSyncs: powerCase.withoutSyncs)
        for image in images {
            var generator = SeededGenerator(seed: powerCase.seed &+ UInt64(image) &* 0x9E37_79B9)
            let events = log.events.count
            disk.advance(to: (image * events + generator.int(0...events)) / powerCase.imageCount)
            report("begin \(image)")
            let place = "\(directory)/\(image)"
            try write(disk.image(&generator), to: place)
            if keep {
                try? FileManager.default.removeItem(atPath: place + "-before")
                try FileManager.default.copyItem(atPath: place, toPath: place + "-before")
                FileHandle.standardError.write(
                    Data(
                        """
                        Point \(disk.point) of \(events), promised: \(disk.promise), \
                        before: \(disk.promiseBefore)\n
                        """
                        .utf8))
            }
            let outcome = PowerImage(powerCase, place, required(disk)).verify(
                goesOn: generator.once(in: 3)
            ) { report("opened \(image)") }
            switch outcome {
            case .good: report("good \(image)")
            case .refused(let text): report("refused \(image) \(Self.line(text))")
            case .bad(let text):
                report("bad \(image) \(Self.line("at event \(disk.point): \(text)"))")
            }
            if !keep { try FileManager.default.removeItem(atPath: place) }
        }
    }

    private func required(_ disk: Disk) -> PowerPromise? {
        switch powerCase.level {
        case .full: return disk.promise
        case .relaxed:
            var promise = disk.promiseBefore
            promise.copied = disk.promise.copied
            return promise
        case .none: return nil
        }
    }

    private func write(_ files: [String: [UInt8]], to place: String) throws {
        try? FileManager.default.removeItem(atPath: place)
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        for (name, bytes) in files {
            guard FileManager.default.createFile(atPath: place + "/" + name, contents: Data(bytes))
            else {
                throw RecordedLog.Unreadable(description: "\(place)/\(name) cannot be written.")
            }
        }
    }

    private static func line(_ text: String) -> String {
        text.replacingOccurrences(of: "\n", with: " ")
    }
}
