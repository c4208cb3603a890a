/** Knows the secret values of this process and strikes them from any text, in every form they are likely to take. */
export interface Redactor {
  add(secret: string): void
  redact(text: string): string
}

const mark = '[redacted]'

/** Shorter values (`1`, `true`, `dev`) stand in too many innocent places. */
const secretLengthMin = 6

export function createRedactor(): Redactor {
  const forms = new Set<string>()
  let pattern: RegExp | undefined
  return {
    add(secret) {
      const before = forms.size
      for (const form of formsOf(secret)) forms.add(form)
      if (forms.size !== before) pattern = undefined
    },
    redact(text) {
      if (forms.size === 0) return text
      // Longest first: a secret that is part of another must not leave the rest of it behind.
      pattern ??= new RegExp(
        [...forms]
          .toSorted((a, b) => b.length - a.length)
          .map(escapeForRegExp)
          .join('|'),
        'g',
      )
      return text.replace(pattern, mark)
    },
  }
}

function formsOf(secret: string): string[] {
  if (secret.length < secretLengthMin) return []
  const base64 = Buffer.from(secret).toString('base64')
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    base64,
    base64.replace(/=+$/, ''),
    Buffer.from(secret).toString('base64url'),
  ]
}

function escapeForRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
