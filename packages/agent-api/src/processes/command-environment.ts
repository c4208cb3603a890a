import { isProxyVariable, withoutProxyUser } from '../redaction/proxy-address.ts'
import { isSecretByName } from '../redaction/secret-name.ts'
import { spansOfKeys, spansOfTokens } from '../redaction/secret-shapes.ts'
import { unattendedVariables } from '../base/unattended-variables.ts'

/**
 * The environment of a command: the person's own, so that compilers, package managers and tests work as in their shell. Variables that hold
 * secrets are withheld unless `kept` names them, and so are Ostler's own. A model may write a command that sends its environment away.
 */
export function commandEnvironment(kept: readonly string[] = []): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env)) {
    if (value === undefined) continue
    if (kept.includes(name)) environment[name] = value
    else if (isProxyVariable(name)) environment[name] = withoutProxyUser(value)
    else if (!name.toUpperCase().startsWith('OSTLER_') && !holdsSecret(name, value)) environment[name] = value
  }
  return { ...environment, ...unattendedVariables }
}

function holdsSecret(name: string, value: string): boolean {
  return isSecretByName(name, value) || spansOfTokens(value).length > 0 || spansOfKeys(value).length > 0
}
