/** Removes hidden characters and secrets. The end of a text that was cut may be the beginning of a secret, and is left out. */
export type CleanText = (text: string, isCut?: boolean) => string
