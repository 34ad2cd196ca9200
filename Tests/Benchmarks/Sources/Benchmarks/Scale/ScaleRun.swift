import Foundation
import Freehold

/// Measures the works of `--scale` with one number of objects, in a folder of its own.
struct ScaleRun {
    let count: Int
    private let file: URL
    private var random: SplitMix64
    private(set) var values: [ScaleWork: Double] = [:]

    init(count: Int, folder: URL) {
        self.count = count
        file = folder.appendingPathComponent("scale.realm")
        random = SplitMix64(seed: UInt64(count))
    }

    private mutating func randomNumber() -> Int { Int.random(in: 0..<count, using: &random) }

    mutating func measure() throws {
        values[.insert] = try nanoseconds(per: count) {
            try ScaleObject.insert(count, ScaleObject.open(file))
        }
        values[.fileBytes] = Double(try StoreFiles.size(of: file)) / Double(count)
        let before = ResidentMemory.ownBytes()
        do {
            let realm = try ScaleObject.open(file)
            readWarm(realm)
            lookUp(realm)
            try commit(realm)
            if let before, let after = ResidentMemory.ownBytes() {
                values[.memory] = Double(max(0, after - before))
            }
            scan(realm)
        }
        try readCold()
        try commitAfterKill()
    }

    // MARK: An open file

    private mutating func readWarm(_ realm: Realm) {
        let numbers = (0..<min(20_000, count)).map { _ in randomNumber() }
        var sum = 0.0
        func read() {
            for number in numbers {
                sum += realm.object(ofType: ScaleObject.self, forPrimaryKey: number)!.value
            }
        }
        read()
        values[.readWarm] = nanoseconds(per: numbers.count) { read() }
        precondition(sum > 0)
    }

    private mutating func lookUp(_ realm: Realm) {
        let names = (0..<2_000).map { _ in ScaleObject.series(of: randomNumber()) }
        func find() {
            for name in names {
                let found = realm.objects(ScaleObject.self).where { $0.series == name }.count
                precondition(found > 0)
            }
        }
        find()
        values[.indexedLookup] = nanoseconds(per: names.count) { find() }
    }

    private mutating func commit(_ realm: Realm) throws {
        var (commits, freezes): ([Double], [Double]) = ([], [])
        // The first commit of a file is a work of its own.
        for round in 0..<51 {
            let object = realm.object(ofType: ScaleObject.self, forPrimaryKey: randomNumber())!
            let time = try nanoseconds(per: 1) { try realm.write { object.value += 1 } }
            // To read in a new version is not a part of freezing.
            precondition(object.value >= 1)
            let freeze = nanoseconds(per: 1) { withExtendedLifetime(object.freeze()) {} }
            if round > 0 {
                commits.append(time)
                freezes.append(freeze)
            }
        }
        values[.commit] = commits.sorted()[commits.count / 2]
        values[.freeze] = freezes.sorted()[freezes.count / 2]
    }

    private mutating func scan(_ realm: Realm) {
        var found = 0
        func scan() { found += realm.objects(ScaleObject.self).where { $0.value > 0.5 }.count }
        scan()
        values[.scan] = nanoseconds(per: count) { scan() }
        precondition(found > 0)
    }

    // MARK: Files that were just opened

    private mutating func readCold() throws {
        let number = randomNumber()
        var opens: [Double] = []
        var value = 0.0
        for _ in 0..<5 {
            try StoreFiles.forgetPages(of: file)
            opens.append(
                try nanoseconds(per: 1) {
                    let realm = try ScaleObject.open(file)
                    value += realm.object(ofType: ScaleObject.self, forPrimaryKey: number)!.value
                })
        }
        values[.openAndRead] = opens.sorted()[opens.count / 2]
        try StoreFiles.forgetPages(of: file)
        let realm = try ScaleObject.open(file)
        let numbers = (0..<200).map { _ in randomNumber() }
        values[.readCold] = nanoseconds(per: numbers.count) {
            for number in numbers {
                value += realm.object(ofType: ScaleObject.self, forPrimaryKey: number)!.value
            }
        }
        precondition(value > 0)
    }

    private mutating func commitAfterKill() throws {
        var times: [Double] = []
        for _ in 0..<5 {
            try killWriter()
            let number = randomNumber()
            times.append(
                try nanoseconds(per: 1) {
                    let realm = try ScaleObject.open(file)
                    let object = realm.object(
                        ofType: ScaleObject.self, forPrimaryKey: number)!
                    try realm.write { object.value += 1 }
                })
        }
        values[.commitAfterKill] = times.sorted()[times.count / 2]
    }

    /// Kills a process that commits to the file.
    private func killWriter() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["--commit-until-killed", file.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let line = pipe.fileHandleForReading.availableData
        precondition(!line.isEmpty, "the writer ended")
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// What that process does: prints a line after some commits, and goes on.
    static func commitUntilKilled(_ path: String) throws {
        let realm = try ScaleObject.open(URL(fileURLWithPath: path))
        let object = realm.objects(ScaleObject.self).first!
        for round in 0... {
            try realm.write { object.value += 1 }
            if round == 2 {
                print("committed")
                fflush(nil)
            }
        }
    }
}
