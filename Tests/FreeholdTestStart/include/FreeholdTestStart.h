// What test programs do before their main function, and instead of the C library.

/// Sets what sysconf says of the size of a page in this process, to LMDB among others; 0 for the truth.
void freehold_set_test_page_size(long size);
