import { serverNameProblem, messageOf, sealSecrets } from '@ostler/agent-api/internal'
import { toEntryOrigin } from './entry-origin.ts'
import type { FoundServer, SkippedServer } from './server-list.ts'

export type Found = Pick<FoundServer, 'name' | 'entry' | 'secret' | 'envFile' | 'notes'>

const input = /\$\{input:([^{}]+)\}/g
/** `$$` is a dollar sign, so the text after one is not a variable. */
const variable = /\$\$|\$\{([A-Za-z_]\w*)\}/g

/** Describes a found server for a person who decides about it. */
export function describeFound(found: Found): FoundServer | SkippedServer {
  const { name, entry, secret, envFile, notes } = found
  const problem = serverNameProblem(name)
  if (problem !== undefined) return { name, reason: `its name ${problem}` }
  try {
    const { sealed, secrets } = sealSecrets(entry, secret)
    const text = JSON.stringify(entry)
    return {
      name,
      entry,
      secret,
      origin: toEntryOrigin(sealed),
      secrets: Object.keys(secrets),
      inputs: inputsIn(text),
      variables: [...new Set([...text.matchAll(variable)].flatMap(([, variableName]) => variableName ?? []))],
      ...(envFile !== undefined && { envFile }),
      notes,
    }
  } catch (error) {
    return { name, reason: messageOf(error) }
  }
}

export function inputsIn(text: string): string[] {
  return [...new Set([...text.matchAll(input)].map(([, id = '']) => id))]
}

/** Fills in the inputs of a text. Undefined if a value is missing. */
export function fillText(text: string, values: Readonly<Record<string, string>>): string | undefined {
  let isWhole = true
  const filled = text.replace(input, (_, id: string) => {
    const value = Object.hasOwn(values, id) ? values[id] : undefined
    isWhole &&= value !== undefined
    return value ?? ''
  })
  return isWhole ? filled : undefined
}
