extension Environment {
    /// The durability that a commit guarantees.
    package enum Durability: Sendable, Hashable {
        /// A commit that has returned survives a loss of power.
        case full
        /// A commit that has returned survives the end of the process. After a loss of power
        /// the file is sound, but its last commit may be missing. The commit does not wait for
        /// the meta page, which becomes durable with the next commit or when the file is
        /// closed.
        case relaxed
        /// A commit survives the end of the process only. For data that may be lost as a whole:
        /// a loss of power can leave the file unreadable.
        case none
    }

    /// How to open a file.
    package struct Options: Sendable {
        /// The data file. The lock file and the control file get their names from it.
        package var path: String
        package var access: FileAccess = .readWrite
        package var durability: Durability = .full
        /// Whether to share the environment that this process has open, whatever its access and
        /// durability. For short-lived readers.
        package var sharesAnyAccess = false
        /// Whether the files exist only while some process has them open. Other processes may
        /// share them by path until then.
        package var isTemporary = false
        /// A file whose contents initialise a new file. Ignored if the file exists.
        package var seedPath: String?
        /// The key of an encrypted file, or for encrypting a new one. The options of an open
        /// file do not keep it.
        package var encryptionKey = EncryptionKey.standard
        /// The identifier that the file must have (``Environment/uuid``); nil for any. If set,
        /// no file is created.
        package var expectedIdentifier: UniqueIdentifier?
        /// The oldest version to accept; 0 for any. If it is not 0, no file is created.
        package var minimumVersion: UInt64 = 0
        let hooks: TestHooks

        package var isReadOnly: Bool {
            get { access == .readOnly }
            set { access = newValue ? .readOnly : .readWrite }
        }

        package init(path: String, hooks: TestHooks = .current) {
            self.path = path
            self.hooks = hooks
        }

        /// The permissions of a new file, before the umask. In-memory realms are in a directory
        /// that every user of the machine may read.
        var newFileMode: UInt32 { isTemporary ? 0o600 : 0o644 }

        /// The same options without the key, which an open file does not need.
        var withoutKey: Options {
            var copy = self
            copy.encryptionKey = nil
            return copy
        }
    }
}
