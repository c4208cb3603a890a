import { OstlerError, createRedactor } from '@ostler/agent-api'
import {
  type Environment,
  expandData,
  parseServerEntry,
  sealSecrets,
  mapTexts,
  quoteWord,
  maskPlaceholders,
  replacePlaceholders,
  type ServerIssue,
} from '@ostler/agent-api/internal'
import { toEntryOrigin } from '../import/found-server.ts'
import { mergeEntry, nameProblems, withDefaults } from './server-draft.ts'
import type { NewServer, ServerEntryInput, ServerView } from '../server-service.ts'

/** Describes a server before it is stored or started. Contains no secrets, except in `url`. */
export interface ServerPreview {
  readonly issues: readonly ServerIssue[]
  /** With directory, variables and arguments. Empty if the entry is incomplete. */
  readonly commandLine: string
  /** With placeholders for secrets. */
  readonly entry: ServerEntryInput
  /** With variables expanded. Undefined for a server that is started. */
  readonly url?: string
}

/** `stored` is the server that the draft edits. */
export function previewServer(
  { name, entry, secret }: NewServer,
  env: Environment,
  stored?: Pick<ServerView, 'entry'>,
): ServerPreview {
  const merged = withDefaults(stored === undefined ? entry : mergeEntry(stored.entry, entry))
  // A secret that is kept counts as set.
  const filled =
    stored === undefined
      ? merged
      : (mapTexts(merged, (text) => replacePlaceholders(text, () => keptSecret)) as ServerEntryInput)
  try {
    const { sealed, secrets } = sealSecrets(filled, secret)
    const redactor = createRedactor()
    for (const value of Object.values(secrets)) redactor.add(value)
    const { problems } = parseServerEntry(name, filled, env)
    const { url } = filled
    return {
      issues: [...nameProblems(name), ...problems].map(({ path, message }) => ({
        path,
        message: redactor.redact(message),
      })),
      commandLine: toCommandLine(sealed),
      entry: sealed,
      ...(typeof url === 'string' && { url: expandData(url, env).data as string }),
    }
  } catch (error) {
    if (!(error instanceof OstlerError)) throw error
    return { issues: [{ path: [], message: error.message }], commandLine: '', entry: {} }
  }
}

const keptSecret = 'stored-secret'

function toCommandLine(sealed: ServerEntryInput): string {
  const { type, command, url, cwd, env, headers } = sealed
  const what = type === 'stdio' ? command : url
  if (typeof what !== 'string' || what === '') return ''
  const place =
    type === 'stdio' && typeof cwd === 'string' && cwd !== ''
      ? ['cd', quoteWord(maskPlaceholders(cwd)), '&&']
      : []
  return [...place, ...pairsOf(env, '='), toEntryOrigin(sealed), ...pairsOf(headers, ': ')].join(' ')
}

function pairsOf(pairs: unknown, between: string): string[] {
  if (typeof pairs !== 'object' || pairs === null) return []
  return Object.entries(pairs).map(([name, value]) =>
    quotePair(`${name}${between}${maskPlaceholders(String(value))}`),
  )
}

/** A placeholder needs no quotes, because it is not part of the command. */
function quotePair(pair: string): string {
  return quoteWord(pair, /^[\w@%+=:,./~[\]-]+$/)
}
