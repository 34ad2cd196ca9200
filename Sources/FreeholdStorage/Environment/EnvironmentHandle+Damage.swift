extension EnvironmentHandle {
    /// The error for pages of a database that are not what others say.
    func damaged(_ database: Database) -> StorageError {
        corrupted(
            path, "a page of the database \"\(database.name)\" is not what the pages before it say")
    }
}
