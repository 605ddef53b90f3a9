// A failure whose message is a sentence for the visitor; any other error is a fault of the program.

export class UserError extends Error {}
