/** Of one message of a server. */
export const messageBytesMax = 10 * 1024 * 1024
/** Of what is parsed in one go. More values, each under a name of its own, would block the event loop for longer than anyone should notice. */
export const messageValuesMax = 50_000
