/// Settings for opening files that only tests change, so that few rows reach what otherwise
/// takes millions.
package struct TestHooks: Sendable {
    package var layout = StorageLayout()
    /// The number of versions that all processes together can read at once; the first process
    /// to open the file fixes it.
    package var maximumReaders = 1024
    /// The address space to reserve, which limits the size of the file while it is open. If
    /// many files are open, less is reserved (`AddressSpace`). If the system refuses this much,
    /// half is tried, and so on. `Environment.capacity` has the result.
    package var reservedMapSize = 1 << 40
    /// The size in bytes of the cache of decrypted records.
    package var recordCacheSize = TreeEncryption.defaultCacheSize

    /// The largest number of pages of a file that is walked before the first commit, unless it is
    /// known to be sound. In larger files, pages are judged as LMDB comes to them.
    package var walkedPageCount = 1024
    /// Whether larger files are walked in the background after their first commit.
    package var walksInBackground = true
    /// Called before each page of a walk in the background, with the number of pages before it.
    package var onWalkedPage: (@Sendable (Int) -> Void)?

    package init(_ change: (inout TestHooks) -> Void = { _ in }) { change(&self) }

    package init(layout: StorageLayout) { self.layout = layout }

    package static let tiny = TestHooks(layout: .tiny)

    private static let installed = Locked(processWide: TestHooks())

    /// The hooks for files that are opened without explicit ones, so that tests can open whole
    /// realms with them.
    package static var current: TestHooks { installed.withLock { $0 } }

    package static func install(_ hooks: TestHooks) { installed.withLock { $0 = hooks } }
}
