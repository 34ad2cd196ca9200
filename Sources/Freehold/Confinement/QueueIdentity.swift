import Dispatch
import FreeholdStorage

/// Identifies dispatch queues, finds the current one, and distinguishes serial queues from
/// concurrent ones.
///
/// On Linux, `DispatchQueue` is a wrapper, and each `DispatchQueue.main` makes a new one. So
/// neither `===` nor `ObjectIdentifier` says whether two wrappers mean the same queue. A number
/// stored in the queue itself does.
enum QueueIdentity {
    private static let key = DispatchSpecificKey<UInt64>()

    private static let lastNumber = Locked<UInt64>(processWide: 0)

    /// The main queue's number.
    static let main = number(of: .main)

    /// Returns the queue's number, which the first call assigns. O(1). Any thread may ask.
    static func number(of queue: DispatchQueue) -> UInt64 {
        if let known = queue.getSpecific(key: key) { return known }
        return lastNumber.withLock { last in
            // Checked again under the lock: two threads may number one queue at the same time.
            if let known = queue.getSpecific(key: key) { return known }
            last += 1
            queue.setSpecific(key: key, value: last)
            return last
        }
    }

    /// The number of the queue that runs the caller, or of the nearest of its targets that has a
    /// number. O(depth of targets).
    static var current: UInt64? { DispatchQueue.getSpecific(key: key) }

    /// The label of the queue that runs the caller, numbered or not. Nil on a thread that no
    /// queue uses.
    static var currentLabel: String? {
        // The Swift module does not import the function under a usable name, so it is looked up
        // once, for reports only.
        guard let function else { return nil }
        guard let label = function(nil).map({ String(cString: $0) }), !label.isEmpty,
            label != noQueueLabel
        else { return nil }
        return label
    }

    /// Dispatch's answer on threads that it did not start: the label of the queue that it would
    /// use for them. Swift programs cannot get this global queue; serial queues that target it
    /// have labels of their own.
    private static let noQueueLabel = "com.apple.root.default-qos.overcommit"

    /// The label of the pool of threads that runs tasks and actors, unless these have executors
    /// of their own.
    static let taskPoolLabel = "Swift global concurrent queue"

    /// Whether the caller runs on that pool. Nanoseconds; makes no string.
    static var isCurrentTaskPool: Bool {
        guard let label = function?(nil) else { return false }
        return taskPoolLabel.withCString { Memory.isSameText($0, label) }
    }

    /// Whether the queue that runs the caller runs one block at a time. True if that is unknown,
    /// and on a thread that no queue uses.
    static var currentIsSerial: Bool {
        guard currentLabel != nil, let specimens, let queue = currentQueue?() else { return true }
        return specimens.isSerial(unsafeClass(of: queue))
    }

    private typealias GetCurrent = @convention(c) () -> UnsafeRawPointer?

    /// Looked up, because Dispatch deprecates it for deciding what to run; reports may use it.
    private static let currentQueue = LoadedImages.function(
        "dispatch_get_current_queue", as: GetCurrent.self)

    private typealias GetLabel = @convention(c) (UnsafeRawPointer?) -> UnsafePointer<CChar>?

    private static let function = LoadedImages.function(
        "dispatch_queue_get_label", as: GetLabel.self)
}

extension QueueIdentity {
    /// Whether a queue runs its blocks one at a time.
    ///
    /// Dispatch has no call that answers this. The first word of a queue names its class, which
    /// differs between serial, concurrent and global queues. So the queue is compared with a
    /// specimen of each kind.
    ///
    /// - Throws: ``Realm/Error`` with the code `unsupportedRuntime` if the specimens do not
    ///   differ in this version of Dispatch.
    static func isSerial(_ queue: DispatchQueue) throws(Realm.Error) -> Bool {
        try isSerial(queue, specimens)
    }

    static func isSerial(_ queue: DispatchQueue, _ specimens: Specimens?) throws(Realm.Error)
        -> Bool
    {
        guard let specimens, let queueClass = unsafeClass(of: queue) else {
            throw Realm.Error(
                .unsupportedRuntime,
                """
                Invalid queue '\(queue.label)': this release of Freehold cannot tell serial \
                queues of the program's Dispatch from concurrent ones. Use an actor or a \
                thread, the main queue, or a release of Swift that Docs/Compatibility.md names.
                """)
        }
        return specimens.isSerial(queueClass)
    }

    struct Specimens {
        let concurrent: UInt
        let global: UInt

        /// Returns nil if the specimens do not show which queues are serial.
        ///
        /// - Parameter field: The name of the field in which Dispatch's wrapper has the queue.
        init?(
            field: String = QueueIdentity.wrappedField, serial: DispatchQueue,
            concurrent: DispatchQueue, global: DispatchQueue
        ) {
            guard let serial = unsafeClass(of: serial, field),
                let concurrent = unsafeClass(of: concurrent, field),
                let global = unsafeClass(of: global, field), serial != concurrent, serial != global
            else { return nil }
            self.concurrent = concurrent
            self.global = global
        }

        func isSerial(_ queueClass: UInt) -> Bool {
            queueClass != concurrent && queueClass != global
        }
    }

    private static let specimens = Specimens(
        serial: DispatchQueue(label: "freehold.serial"),
        concurrent: DispatchQueue(label: "freehold.concurrent", attributes: .concurrent),
        global: .global())

    private static let wrappedField = "__wrapped"

    /// Returns the first word of the object behind the wrapper.
    private static func unsafeClass(of queue: DispatchQueue, _ field: String = wrappedField)
        -> UInt?
    {
        let wrapped = Mirror(reflecting: queue).children.first { $0.label == field }
        guard let pointer = wrapped?.value as? OpaquePointer else { return nil }
        return unsafeClass(of: UnsafeRawPointer(pointer))
    }

    private static func unsafeClass(of object: UnsafeRawPointer) -> UInt {
        object.load(as: UInt.self)
    }
}
