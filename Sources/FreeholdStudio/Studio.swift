package enum Studio {}
