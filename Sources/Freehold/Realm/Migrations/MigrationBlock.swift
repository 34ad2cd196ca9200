/// What a program does to its data when the version of its classes rises.
///
/// - Parameters:
///   - migration: The file as it was and as it is becoming. Valid while the block runs.
///   - oldSchemaVersion: The version of the file as it was.
///
/// A block that throws leaves the file as it was, and its error is what opening the realm
/// throws. Realm Swift's blocks, which cannot throw, are blocks of this type.
///
/// Runs on the thread that opens the realm, inside of the one write transaction that everything
/// happens in.
public typealias MigrationBlock =
    @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) throws -> Void

/// What ``Migration/enumerateObjects(ofType:_:)`` calls for each object: with the object as it
/// was, and as it is becoming. Realm's name.
public typealias MigrationObjectEnumerateBlock = (
    _ oldObject: MigrationObject?, _ newObject: MigrationObject?
) -> Void

extension Realm {
    /// How far a migration has come with the objects of one class.
    public struct MigrationProgress: Sendable, Equatable {
        /// The two steps that visit every object of a class.
        public enum Step: Sendable, Equatable {
            /// The values of a property are converted to another type.
            case converting(property: String)
            /// ``Migration/enumerateObjects(ofType:_:)`` goes over the objects.
            case enumerating
        }

        /// The class whose objects are migrated, by its name in the program.
        public let className: String
        /// What is being done to them.
        public let step: Step
        /// How many objects this step has finished.
        public let completedObjects: Int
        /// How many objects the class has.
        public let totalObjects: Int

        /// The finished part of this step, from 0 to 1.
        public var fraction: Double {
            totalObjects == 0 ? 1 : Double(completedObjects) / Double(totalObjects)
        }
    }
}

/// Counts the objects of one step, and tells whoever wants to know: now and then, and when all
/// are done.
struct MigrationProgressCounter {
    private let tell: (@Sendable (Realm.MigrationProgress) -> Void)?
    private let className: String
    private let step: Realm.MigrationProgress.Step
    private let total: Int
    private var completed = 0
    private var told = -1

    private static let interval = 10_000

    init(
        _ configuration: Realm.Configuration, _ className: String,
        _ step: Realm.MigrationProgress.Step, total: Int
    ) {
        tell = configuration.migrationProgress
        self.className = className
        self.step = step
        self.total = total
    }

    mutating func add(_ count: Int) {
        completed += count
        if completed - max(told, 0) >= Self.interval { report() }
    }

    /// What was deleted meanwhile counts as done.
    mutating func finish() {
        completed = total
        if told != completed { report() }
    }

    private mutating func report() {
        told = completed
        tell?(
            Realm.MigrationProgress(
                className: className, step: step, completedObjects: min(completed, total),
                totalObjects: total))
    }
}
