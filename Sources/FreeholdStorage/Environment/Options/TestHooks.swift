/// What only tests change of how files are opened, so that few rows reach what takes millions.
package struct TestHooks: Sendable {
    package var layout = StorageLayout()
    /// Versions that can be read at once by all processes together; fixed by the first process
    /// to open the file.
    package var maximumReaders = 1024
    /// The address space to reserve, which bounds the size of the file while it is open. It is
    /// less where many files are open (`AddressSpace`); where the system refuses this much, half
    /// is tried, and so on. `Environment.capacity` has the outcome.
    package var reservedMapSize = 1 << 40
    /// The bytes of decrypted records that are kept although no reader uses them.
    package var recordCacheSize = TreeEncryption.defaultCacheSize

    package init(_ change: (inout TestHooks) -> Void = { _ in }) { change(&self) }

    package init(layout: StorageLayout) { self.layout = layout }

    package static let tiny = TestHooks(layout: .tiny)

    private static let installed = Locked(processWide: TestHooks())

    /// What files are opened with where no others are given, so that tests open whole realms
    /// with them.
    package static var current: TestHooks { installed.withLock { $0 } }

    package static func install(_ hooks: TestHooks) { installed.withLock { $0 = hooks } }
}
