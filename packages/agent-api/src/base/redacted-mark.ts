/** Stands for a secret that was redacted in a text. */
export const redactedMark = '[redacted]'
