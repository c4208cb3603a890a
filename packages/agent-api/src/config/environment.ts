import { secretsOfVariable } from '../mcp/secrets-of.ts'
import type { Environment } from './environment-overrides.ts'

/** The only place that reads the process's environment for settings. All other code receives what it needs. */
export function processEnvironment(): Environment {
  return process.env
}

/** Values of variables with secret names, and tokens in the values of others. */
export function secretsOfEnvironment(env: Environment): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : secretsOfVariable(name, value),
  )
}
