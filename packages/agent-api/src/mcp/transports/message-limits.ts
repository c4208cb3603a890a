export const messageBytesMax = 10 * 1024 * 1024
