import { createRedactor } from '@ostler/agent-api'
import { isSecretName } from '@ostler/agent-api/internal'
import type { Environment } from '../terminal/io.ts'

/** Redacts a text by the secrets in the environment alone. */
export function redactEnvironment(text: string, env: Environment): string {
  const redactor = createRedactor()
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && isSecretName(name)) redactor.add(value)
  return redactor.redact(text)
}
