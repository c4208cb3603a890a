import { secretsOfVariable } from '../mcp/secrets-of.ts'
import type { Environment } from './environment-overrides.ts'

/** The one door to the process's environment for settings: everything else is handed what it needs. */
export function processEnvironment(): Environment {
  return process.env
}

/** What stands in variables that are named like secrets, and the tokens in others. */
export function secretsOfEnvironment(env: Environment): string[] {
  return Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : secretsOfVariable(name, value)))
}
