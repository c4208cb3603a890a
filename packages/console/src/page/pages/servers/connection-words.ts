import { counted } from '@ostler/agent-api/browser'
import type { ConnectionStatus, LiveServer } from '../../../api.ts'
import type { Tone } from '../../parts/status.tsx'

export interface ConnectionWords {
  readonly tone: Tone
  readonly word: string
  /** The error in one line. `more` holds the server's output. */
  readonly reason?: string
  readonly more?: string
}

export function toConnectionWords({
  state,
  reason,
  willRetry = false,
  needsLogin,
}: ConnectionStatus): ConnectionWords {
  switch (state) {
    case 'connected':
      return { tone: 'good', word: 'Connected' }
    case 'connecting':
      return { tone: 'busy', word: 'Connecting' }
    case 'idle':
      return { tone: 'off', word: 'Asleep until called' }
    case 'disconnected':
      return { tone: 'off', word: 'Disconnected' }
    case 'error': {
      const [first = '', ...rest] =
        needsLogin === true ? [withoutCommand(reason)] : (reason ?? '').split('\n')
      const more = rest.join('\n').trim()
      return {
        tone: needsLogin === true ? 'warn' : 'bad',
        word: needsLogin === true ? 'Needs login' : willRetry ? 'Error, retrying' : 'Error',
        reason: first || undefined,
        more: more || undefined,
      }
    }
  }
}

export function toLiveWords({
  status,
  reason,
  needsLogin,
}: Pick<LiveServer, 'status' | 'reason' | 'needsLogin'>): ConnectionWords {
  return toConnectionWords({ state: status, reason, needsLogin })
}

/** The word says that a login is missing, and the page has a button for it. */
function withoutCommand(reason = ''): string {
  return reason.replace(/^It needs a login\.| Run: .*/gs, '')
}

export const transportNames = { stdio: 'stdio', http: 'HTTP', sse: 'SSE', acp: 'editor' } as const

/** The worst state comes first, because the person can do something about it. */
const tones: readonly Tone[] = ['bad', 'warn', 'busy', 'off', 'good']

/** Why agents, and then this console, cannot use a server. Each reason appears once, though the last output has times and process ids. */
export function toProblems(
  status: ConnectionStatus,
  used: readonly LiveServer[],
): readonly (ConnectionWords & { readonly of?: string })[] {
  const found = new Map(used.map(toLiveWords).map((words) => [words.reason, words]))
  const own = toConnectionWords(status)
  return [...found.values(), ...(found.has(own.reason) ? [] : [{ of: 'This console', ...own }])]
}

/** Higher for a server that needs the person more: an error, or something that they can give. */
export function toTrouble(status: ConnectionStatus, used: readonly LiveServer[]): number {
  const found = [toConnectionWords(status), toAgentWords(used)].map(({ tone }) =>
    ['warn', 'bad'].indexOf(tone),
  )
  return Math.max(...found)
}

export function toAgentWords(used: readonly LiveServer[]): { readonly tone: Tone; readonly text: string } {
  if (used.length === 0) return { tone: 'off', text: 'No running agent uses it' }
  const all = used.map(toLiveWords)
  const tone = tones.find((candidate) => all.some((words) => words.tone === candidate)) ?? 'off'
  const counts = new Map<string, number>()
  for (const { word } of all) counts.set(word, (counts.get(word) ?? 0) + 1)
  if (counts.get('Connected') === used.length)
    return { tone, text: `In use by ${counted(used.length, 'agent')}` }
  const parts = [...counts].toSorted(([one], [other]) => one.localeCompare(other))
  const texts = parts.map(([word, count], index) =>
    index === 0 ? `${word} in ${counted(count, 'agent')}` : `${word.toLowerCase()} in ${count}`,
  )
  return { tone, text: texts.join(', ') }
}
