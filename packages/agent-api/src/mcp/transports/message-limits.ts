/** Limit on one message of a server. */
export const messageBytesMax = 10 * 1024 * 1024
