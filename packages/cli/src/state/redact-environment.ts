import { createRedactor, isSecretName } from '@ostler/agent-api'
import type { Environment } from '../io.ts'

/** A text about which nothing is known but the environment it came from. */
export function redactEnvironment(text: string, env: Environment): string {
  const redactor = createRedactor()
  for (const [name, value] of Object.entries(env)) if (value !== undefined && isSecretName(name)) redactor.add(value)
  return redactor.redact(text)
}
