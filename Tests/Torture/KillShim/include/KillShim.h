// Nothing is called here: the library is preloaded by torture kill-at.
