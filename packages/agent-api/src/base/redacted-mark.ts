/** Stands for a secret that was struck from a text. */
export const redactedMark = '[redacted]'
