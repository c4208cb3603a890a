import type { Redactor } from './redact.ts'
import { looksSecret } from './secret-shapes.ts'

const issuedLengthMin = 16

/**
 * Adds what a server issued. The server chooses these values, so only the parts that look generated count as secrets. Otherwise it could
 * hide words in the questions to a person: `delete`, or the host that a command sends something to.
 */
export function addIssued({ add }: Redactor, ...values: readonly (string | undefined)[]): void {
  const parts = values.flatMap((value) => value?.split(/[^\w+=~-]+|^[=~-]+/) ?? [])
  for (const part of parts) if (part.length >= issuedLengthMin && looksSecret(part)) add(part)
}
