extension Collection<UInt8> where Self: ContiguousByteSource {
    /// Calls `body` with the bytes; unlike the standard library's `withUnsafeBytes`, it keeps
    /// the typed error.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws(StorageError) -> Result)
        throws(StorageError) -> Result
    {
        var result: Swift.Result<Result, StorageError>?
        withRawBytes { bytes in
            do throws(StorageError) { result = .success(try body(bytes)) } catch {
                result = .failure(error)
            }
        }
        return try result.unsafelyUnwrapped.get()
    }
}

/// An array or a slice of one.
protocol ContiguousByteSource {
    func withRawBytes(_ body: (UnsafeRawBufferPointer) -> Void)
}

extension ContiguousArray<UInt8>: ContiguousByteSource {
    @inline(__always) func withRawBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        withUnsafeBytes(body)
    }
}

extension ArraySlice<UInt8>: ContiguousByteSource {
    @inline(__always) func withRawBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        withUnsafeBytes(body)
    }
}
