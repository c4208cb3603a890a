import type { ConnectionStatus } from '@ostler/agent-api/manage'
import type { LiveServer } from '../../../api.ts'
import type { Tone } from '../../parts/status.tsx'
import { counted } from '../../text/quantities.ts'
import { type ConnectionWords, toConnectionWords, toLiveWords } from './connection-words.ts'

/** The worst state comes first, because the person can do something about it. */
const tones: readonly Tone[] = ['bad', 'warn', 'busy', 'off', 'good']

/** Why agents, and then this console, cannot use a server. Each reason appears once, though the last output has times and process ids. */
export function toProblems(status: ConnectionStatus, used: readonly LiveServer[]): readonly (ConnectionWords & { readonly of?: string })[] {
  const found = new Map(used.map(toLiveWords).map((words) => [words.reason, words]))
  const own = toConnectionWords(status)
  return [...found.values(), ...(found.has(own.reason) ? [] : [{ of: 'This console', ...own }])]
}

/** Higher for a server that needs the person more: an error, or something that they can give. */
export function toTrouble(status: ConnectionStatus, used: readonly LiveServer[]): number {
  const found = [toConnectionWords(status), toAgentWords(used)].map(({ tone }) => ['warn', 'bad'].indexOf(tone))
  return Math.max(...found)
}

/** The states of a server, with the number of agents in each: "Connected in 1 agent, error in 2". */
export function toAgentWords(used: readonly LiveServer[]): { readonly tone: Tone; readonly text: string } {
  if (used.length === 0) return { tone: 'off', text: 'No running agent uses it' }
  const all = used.map(toLiveWords)
  const tone = tones.find((candidate) => all.some((words) => words.tone === candidate)) ?? 'off'
  const counts = new Map<string, number>()
  for (const { word } of all) counts.set(word, (counts.get(word) ?? 0) + 1)
  if (counts.get('Connected') === used.length) return { tone, text: `In use by ${counted(used.length, 'agent')}` }
  const parts = [...counts].toSorted(([one], [other]) => one.localeCompare(other))
  const texts = parts.map(([word, count], index) =>
    index === 0 ? `${word} in ${counted(count, 'agent')}` : `${word.toLowerCase()} in ${count}`,
  )
  return { tone, text: texts.join(', ') }
}
