extension Store {
    /// Remembers damage that was found where nothing can be thrown. From then on every operation that can throw does.
    package func noteDamage(_ error: StorageError) { corruption.note(error) }
}
