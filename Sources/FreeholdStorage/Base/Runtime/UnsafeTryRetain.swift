internal import CLMDB

/// A new reference to an object that the caller does not own, unless its last reference is gone
/// and its `deinit` is about to run. O(1).
///
/// The memory must be valid: the caller holds a lock that the object's `deinit` takes, too.
/// This is what a weak reference does, but without moving the object's reference count into a
/// side table, which makes each later retain and release take several times as long.
package func unsafeTryRetain<Object: AnyObject>(_ object: Unmanaged<Object>) -> Object? {
    freehold_try_retain(object.toOpaque()).map {
        Unmanaged<Object>.fromOpaque($0).takeRetainedValue()
    }
}
