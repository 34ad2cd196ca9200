/// A block that updates the data when the version of the program's classes rises.
///
/// - Parameters:
///   - migration: Access to the old and the new objects. Valid while the block runs.
///   - oldSchemaVersion: The schema version of the file before the migration.
///
/// If the block throws, the file stays unchanged, and opening the realm throws the error. Realm
/// Swift's blocks, which cannot throw, are blocks of this type.
///
/// Runs on the thread that opens the realm, inside the one write transaction that contains the
/// whole migration.
public typealias MigrationBlock =
    @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) throws -> Void

/// A block that ``Migration/enumerateObjects(ofType:_:)`` calls with each old object and its new
/// object. Realm's name.
public typealias MigrationObjectEnumerateBlock = (
    _ oldObject: MigrationObject?, _ newObject: MigrationObject?
) -> Void

extension Realm {
    /// The progress of a migration with the objects of one class.
    public struct MigrationProgress: Sendable, Equatable {
        /// The two steps that visit every object of a class.
        public enum Step: Sendable, Equatable {
            /// Converts the values of a property to another type.
            case converting(property: String)
            /// Runs ``Migration/enumerateObjects(ofType:_:)``.
            case enumerating
        }

        /// The class whose objects are migrated, by its name in the program.
        public let className: String
        /// The step in progress.
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

/// Counts the objects of one step, and reports progress now and then and at the end.
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

    /// Counts objects that were deleted meanwhile as done.
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
