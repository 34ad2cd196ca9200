internal import CLMDB

/// Returns a new reference to an object that the caller does not own. Returns nil if its last
/// reference is gone and its `deinit` is about to run. O(1).
///
/// The memory must be valid: the caller holds a lock that the object's `deinit` also takes. A
/// weak reference would do the same. But it moves the reference count into a side table, which
/// makes each later retain and release several times slower.
package func unsafeTryRetain<Object: AnyObject>(_ object: Unmanaged<Object>) -> Object? {
    freehold_try_retain(object.toOpaque()).map {
        Unmanaged<Object>.fromOpaque($0).takeRetainedValue()
    }
}
