import { isProxyVariable, withoutProxyUser } from '../redaction/proxy-address.ts'
import { isSecretByName } from '../redaction/secret-name.ts'
import { spansOfKeys, spansOfTokens } from '../redaction/secret-shapes.ts'
import { spansOfText } from '../redaction/secrets-in-commands-and-text.ts'

const gitSettingsMax = 1_000

/** Keeps programs from waiting for input, opening a pager or starting an editor. */
const unattendedVariables = {
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
}

/**
 * The environment of a command: the person's own, so that compilers, package managers and tests work as in their shell. Variables that hold
 * secrets are withheld unless `kept` names them, and so are Ostler's own. A model may write a command that sends its environment away.
 */
export function commandEnvironment(kept: readonly string[] = []): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env)) {
    if (value === undefined || name.startsWith('GIT_CONFIG_VALUE_')) continue
    if (kept.includes(name)) environment[name] = value
    else if (isProxyVariable(name)) environment[name] = withoutProxyUser(value)
    else if (!name.toUpperCase().startsWith('OSTLER_') && !holdsSecret(name, value)) environment[name] = value
  }
  return { ...environment, ...unattendedEnvironment(isSecretSetting) }
}

/**
 * Variables for every command, on this machine and in an editor's terminal. They include settings of Git: the
 * person's, unless they are withheld, and one that keeps Git from taking a project's folder for a repository.
 */
export function unattendedEnvironment(
  isWithheld: (key: string, value: string) => boolean = () => false,
): Record<string, string> {
  const count = Math.min(Number(process.env['GIT_CONFIG_COUNT']) || 0, gitSettingsMax)
  const own = Array.from(
    { length: count },
    (_, at) => [process.env[`GIT_CONFIG_KEY_${at}`], process.env[`GIT_CONFIG_VALUE_${at}`]] as const,
  )
  const settings = own.flatMap(([key, value]) =>
    key === undefined || value === undefined || isWithheld(key, value) ? [] : [{ key, value }],
  )
  settings.push({ key: 'safe.bareRepository', value: 'explicit' })
  const variables = settings.flatMap(({ key, value }, at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return {
    ...unattendedVariables,
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(variables),
  }
}

/** A key of Git can hold an address with a password: `url.https://user:password@host/.insteadOf`. */
function isSecretSetting(key: string, value: string): boolean {
  return holdsSecret(key, value) || [key, value].some((text) => spansOfText(text).length > 0)
}

function holdsSecret(name: string, value: string): boolean {
  return isSecretByName(name, value) || spansOfTokens(value).length > 0 || spansOfKeys(value).length > 0
}
