/** `${secret:LABEL}` replaces a secret; `${secret:-text}` is a variable with a default. */
const placeholder = /\$\{secret:([^-}$][^}$]*)\}/g

/** The labels of all placeholders in the data. */
export function labelsIn(data: unknown): string[] {
  return [...JSON.stringify(data).matchAll(placeholder)].map(([, label = '']) => label)
}

export function replacePlaceholders(text: string, replace: (label: string) => string): string {
  return text.replace(placeholder, (_, label: string) => replace(label))
}

/** For a person, who may see that there is a secret. */
export function maskPlaceholders(text: string): string {
  return replacePlaceholders(text, () => '[redacted]')
}
