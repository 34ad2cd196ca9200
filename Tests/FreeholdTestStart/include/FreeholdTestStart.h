// What test programs do before their main function.
