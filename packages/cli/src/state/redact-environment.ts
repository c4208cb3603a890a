import { createRedactor, isSecretName } from '@ostler/agent-api'

/** A text about which nothing is known but the environment it came from. */
export function redactEnvironment(text: string, env: Readonly<Record<string, string | undefined>>): string {
  const redactor = createRedactor()
  for (const [name, value] of Object.entries(env)) if (value !== undefined && isSecretName(name)) redactor.add(value)
  return redactor.redact(text)
}
