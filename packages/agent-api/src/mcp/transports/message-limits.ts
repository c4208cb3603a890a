/** Limit on one message of a server. */
export const messageBytesMax = 10 * 1024 * 1024
/** Limit on the values that are parsed in one go. More distinct keys would block the event loop noticeably. */
export const messageValuesMax = 50_000
/** Limit on the values of a line, which is parsed in parts. Millions of small ones take much more memory than their bytes. */
export const lineValuesMax = 1_500_000
