export interface TextCleaner {
  /** Removes hidden characters and secrets. The end of a text that was cut may be the beginning of a secret, and is left out. */
  readonly clean: CleanText
  /** Returns `text` without the end of a secret that began in `before`. Removes nothing else. */
  readonly rest: (before: string, text: string) => string
  /** The number of characters at the end of a text that may belong to an incomplete secret. */
  readonly openEnd: (text: string) => number
}

export type CleanText = (text: string, isCut?: boolean) => string

/** Redacts the secrets in all texts of a value. */
export type Strike = <T>(value: T) => T

export const redactedMark = '[redacted]'
