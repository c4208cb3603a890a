import type { ApiFailure } from '../../api/client.ts'

const variable =
  /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PAT|CREDENTIALS|URL|HOST|USER|USERNAME|ID)\b|\b[A-Z][A-Z0-9]*(?:APIKEY|TOKEN)\b/g
const shownMax = 4

/** The variables that a server names in its last output before it ended. */
export function missingVariables({ message, output = '' }: Pick<ApiFailure, 'message' | 'output'>): string[] {
  const names = `${message}\n${output}`.matchAll(variable)
  return [...new Set([...names].map(([name]) => name))].slice(0, shownMax)
}
