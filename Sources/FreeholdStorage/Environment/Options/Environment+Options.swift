internal import Glibc

extension Environment {
    /// What a commit promises.
    package enum Durability: Sendable, Hashable {
        /// A commit that has returned survives a loss of power.
        case full
        /// A commit that has returned survives the end of the process. After a loss of power
        /// the file is sound, and the last commit of it may be missing: the page that makes a
        /// commit the newest is not waited for, and reaches the medium with the next commit or
        /// when the file is closed.
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
        /// What this process has open serves, whatever its access and durability. For a short
        /// look by somebody who only reads.
        package var sharesAnyAccess = false
        /// The files exist for as long as some process has them open. Others may share them by
        /// path until then.
        package var isTemporary = false
        /// A file whose content a new one begins with. Without effect on a file that exists.
        package var seedPath: String?
        /// The key of an encrypted file, or to encrypt a new one with. An open file's options
        /// do not have it.
        package var encryptionKey = EncryptionKey.standard
        /// Which file it must be (``Environment/uuid``); nil for any. Then none is created.
        package var expectedIdentifier: UniqueIdentifier?
        /// The oldest version that is accepted; 0 for any. Where it is not 0, no file is created.
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

        /// What may be done with a new file, before the umask. Realms in memory lie where every
        /// user of the machine may look.
        var newFileMode: mode_t { isTemporary ? 0o600 : 0o644 }

        /// The same, but for the key, which nothing needs that is open.
        var withoutKey: Options {
            var copy = self
            copy.encryptionKey = nil
            return copy
        }
    }
}
