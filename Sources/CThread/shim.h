#ifndef FREEHOLD_CTHREAD_SHIM_H
#define FREEHOLD_CTHREAD_SHIM_H

/* Who the caller is, without a call: glibc's pthread_self is a function of the C library, whose call and saved registers were a quarter of the
   instructions of reading a property. A module of its own, which all that use FreeholdStorage load: hence without a header of the system, whose
   types would be this module's instead of Glibc's. */

/* What tells the calling thread from all others that live: an address in its control block. It is pthread_self() on x86-64 only; on AArch64 that is
   another address of the same block.

   Volatile, and pure instead of const, so that no two reads are taken for one between which an asynchronous function goes on on another thread.
   Pure lets Swift know that no reference is released here. */
__attribute__((pure)) static inline unsigned long freehold_thread_pointer(void) {
#if defined(__x86_64__)
    /* The System V ABI for x86-64 has the control block begin with its own address (Drepper, "ELF Handling For Thread-Local Storage", 3.4.6). */
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
