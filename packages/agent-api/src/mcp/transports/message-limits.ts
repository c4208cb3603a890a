/** Limit on one message of a server. */
export const messageBytesMax = 10 * 1024 * 1024
/** Limit on the values that are parsed in one go. More distinct keys would block the event loop noticeably. */
export const messageValuesMax = 50_000
