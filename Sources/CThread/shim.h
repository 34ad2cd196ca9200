#ifndef FREEHOLD_CTHREAD_SHIM_H
#define FREEHOLD_CTHREAD_SHIM_H

/* Identifies the calling thread without a call. glibc's pthread_self is a function of the C
   library; calling it and saving registers took a quarter of the instructions of reading a
   property. All users of FreeholdStorage load this module, so it includes no header of the
   system: the header's types would be this module's instead of Glibc's. */

/* Returns an address in the control block of the calling thread, unique among living threads.
   Equals pthread_self() only on x86-64; on AArch64 that is another address of the block.

   Volatile, and pure instead of const: the compiler must not merge two reads between which an
   asynchronous function may change threads. Pure tells Swift that no reference is released
   here. */
__attribute__((pure)) static inline unsigned long freehold_thread_pointer(void) {
#if defined(__x86_64__)
    /* In the System V ABI for x86-64, the control block begins with its own address (Drepper,
       "ELF Handling For Thread-Local Storage", 3.4.6). */
    unsigned long pointer;
    __asm__ volatile("movq %%fs:0, %0" : "=r"(pointer));
    return pointer;
#elif defined(__aarch64__)
    unsigned long pointer;
    __asm__ volatile("mrs %0, tpidr_el0" : "=r"(pointer));
    return pointer;
#else
    extern unsigned long pthread_self(void);
    return pthread_self();
#endif
}

/* What the calling thread keeps under a key of pthread_key_create, inlined as the above. */
static inline void *_Nullable freehold_thread_slot(unsigned int key) {
    extern void *pthread_getspecific(unsigned int key);
    return pthread_getspecific(key);
}

#endif
