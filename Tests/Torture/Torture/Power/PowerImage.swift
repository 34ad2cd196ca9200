import Foundation
import Freehold
import FreeholdWorkload

/// One image: opened, checked, and compared with what was promised.
struct PowerImage {
    enum Outcome {
        case good
        /// A typed error, where nothing was promised.
        case refused(String)
        case bad(String)
    }

    let powerCase: PowerCase
    let directory: String
    /// What must be there; nil if nothing must.
    let required: PowerPromise?

    init(_ powerCase: PowerCase, _ directory: String, _ required: PowerPromise?) {
        self.powerCase = powerCase
        self.directory = directory
        self.required = required
    }

    /// - Parameter goesOn: Whether to write to it afterwards, and look again.
    /// - Parameter opened: Called when the file has been opened.
    func verify(goesOn: Bool, opened: () -> Void = {}) -> Outcome {
        do {
            var problems = try verifyFile(goesOn: goesOn, opened)
            problems += try verifyCopy()
            if problems.isEmpty { return .good }
            let text = problems.prefix(3).joined(separator: " ")
            return required == nil ? .refused(text) : .bad(text)
        } catch let error as Realm.Error {
            return required == nil ? .refused("\(error)") : .bad("\(error)")
        } catch {
            return .bad("an error that is none of ours: \(error)")
        }
    }

    private func verifyFile(goesOn: Bool, _ opened: () -> Void) throws -> [String] {
        let path = directory + "/" + PowerCase.realmName
        var schemaVersion: UInt64 = 0
        if FileManager.default.fileExists(atPath: path) {
            do {
                schemaVersion = try schemaVersionAtURL(
                    URL(fileURLWithPath: path), encryptionKey: powerCase.key)
            } catch let error as Realm.Error
                where error.message.hasSuffix("has not been initialized.")
            {
                // A file that was made, and whose classes are not in it yet.
            }
        }
        let promised = required ?? PowerPromise()
        if schemaVersion < promised.schemaVersion {
            return [
                """
                The schema version is \(schemaVersion); \(promised.schemaVersion) was \
                acknowledged.
                """
            ]
        }
        var numbers = promised.numbers
        var generation = promised.generation
        func look(_ realm: Realm) throws -> [String] {
            // First: a function that cannot throw ends the process at damage.
            let damage = try realm.check()
            if !damage.isEmpty { return damage }
            return try Workload.problems(realm, acknowledged: numbers)
                + Workload.recordProblems(realm, acknowledged: generation)
        }
        var problems: [String] = []
        do {
            let realm = try Realm(
                configuration: powerCase.configuration(directory, schemaVersion: schemaVersion))
            opened()
            problems = try look(realm)
            if goesOn, problems.isEmpty {
                for _ in 0..<3 {
                    try realm.write {
                        numbers[0] = Workload.change(realm, 0)
                        generation = Workload.changeRecords(realm)
                    }
                }
                problems = try look(realm).map { "After three more commits: " + $0 }
            }
        }
        if goesOn, problems.isEmpty {
            problems = try look(
                try Realm(
                    configuration: powerCase.configuration(directory, schemaVersion: schemaVersion))
            )
            .map { "After three more commits, opened again: " + $0 }
        }
        return problems
    }

    private func verifyCopy() throws -> [String] {
        let exists = FileManager.default.fileExists(atPath: directory + "/" + PowerCase.copyName)
        guard exists else { return required?.copied == nil ? [] : ["The copy is missing."] }
        let copy = try Realm(
            configuration: powerCase.configuration(
                directory, schemaVersion: 1, name: PowerCase.copyName))
        let damage = try copy.check()
        if !damage.isEmpty { return damage.map { "The copy: " + $0 } }
        return try
            (Workload.problems(copy, acknowledged: required?.copied ?? [:])
            + Workload.recordProblems(copy, acknowledged: 0)).map { "The copy: " + $0 }
    }
}
