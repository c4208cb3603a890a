import { isRecord } from '../base/is-record.ts'
import { toCanonicalJson } from '../base/json.ts'
import {
  definitionKey,
  instructionsKey,
  type Definition,
  type Definitions,
  type Lists,
} from './definition-key.ts'
import { hashCanonical, nameOfPart } from './always-allow/definition-pin.ts'
import type { DefinitionHeed } from './tool-config.ts'
import { definitionDiff, partsText } from './always-allow/definition-text.ts'

/** The definitions that a person has accepted, and the hashes of those that they refused instead. */
export interface Baseline {
  readonly accepted: Definitions
  readonly refused: Readonly<Record<string, string>>
}

export interface DefinitionChange {
  readonly key: string
  /** Undefined for an addition. */
  readonly before: Definition | undefined
  readonly now: Definition
}

export type ChangeGroups = Partial<Record<DefinitionHeed | 'refused', readonly DefinitionChange[]>>

/** The hash that an answer and a lock keep: the order of keys does not count. */
export const hashDefinition: (definition: Definition) => string = hashCanonical

/** Finds the differences from the baseline. A removed definition does not count: nobody reads anything new. */
export function reviewDefinitions(
  { accepted, refused }: Baseline,
  now: Definitions,
  setting: DefinitionHeed | undefined,
): ChangeGroups {
  const changes = Object.entries(now).flatMap(([key, definition]): DefinitionChange[] => {
    const before = accepted[key]
    return before !== undefined && isSame(before, definition) ? [] : [{ key, before, now: definition }]
  })
  return Object.groupBy(changes, (change) => {
    const heed = setting ?? heedOf(change)
    return heed === 'ask' && refused[change.key] === hashDefinition(change.now) ? 'refused' : heed
  })
}

/** Nearly always the keys come in the same order, which is compared sooner. */
function isSame(before: unknown, now: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(now) || toCanonicalJson(before) === toCanonicalJson(now)
}

/** An addition is told, unless it speaks for the server. So is another text of a tool that only reads. */
function heedOf({ key, before, now }: DefinitionChange): DefinitionHeed {
  if (key === instructionsKey) return 'ask'
  if (before === undefined) return 'tell'
  const isRead = (definition: Definition) =>
    isRecord(definition['annotations']) && definition['annotations']['readOnlyHint'] === true
  return isRead(before) && isSame(withoutTexts(before), withoutTexts(now)) ? 'tell' : 'ask'
}

function withoutTexts({ title: _title, description: _description, ...rest }: Definition): Definition {
  return rest
}

/** The server as it may be offered: a held tool or prompt as it was accepted, and no held instructions. */
export function withoutHeld<T extends Lists>(server: T, held: readonly DefinitionChange[]): T {
  if (held.length === 0) return server
  const before = new Map(held.map((change) => [change.key, change.before]))
  const accepted = <D extends { readonly name: string }>(kind: 'tool' | 'prompt', list: readonly D[]) =>
    list.flatMap((definition) => {
      const key = definitionKey(kind, definition)
      return before.has(key) ? ((before.get(key) as D | undefined) ?? []) : definition
    })
  const { instructions: _held, ...others } = server.server
  return {
    ...server,
    server: before.has(instructionsKey) ? others : server.server,
    tools: accepted('tool', server.tools),
    prompts: accepted('prompt', server.prompts),
  }
}

/** The baseline after an answer about these changes. */
export function settleChanges(
  { accepted, refused }: Baseline,
  changes: readonly DefinitionChange[],
  isAccepted: boolean,
): Baseline {
  const settled = new Set(changes.map(({ key }) => key))
  const open = Object.entries(refused).filter(([key]) => !settled.has(key))
  return isAccepted
    ? {
        accepted: { ...accepted, ...Object.fromEntries(changes.map(({ key, now }) => [key, now])) },
        refused: Object.fromEntries(open),
      }
    : {
        accepted,
        refused: Object.fromEntries([
          ...open,
          ...changes.map(({ key, now }) => [key, hashDefinition(now)] as const),
        ]),
      }
}

/** `write_file (its description, its parameters)`, `new: delete_file`. */
export function nameChange(change: DefinitionChange): string {
  const { key, before } = change
  const name = key.startsWith('tool:') ? key.slice('tool:'.length) : key.replace(':', ' ')
  if (before === undefined) return `new: ${name}`
  const parts = changedParts(change).map(nameOfPart)
  return key === instructionsKey ? name : `${name} (${parts.join(', ')})`
}

function changedParts({ before = {}, now }: DefinitionChange): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
    (part) => !isSame(before[part], now[part]),
  )
}

const toldCharsMax = 2_000

/** One line with the name of an addition, or with both texts of a change. */
export function tellChange(change: DefinitionChange): string {
  const { before, now } = change
  if (before === undefined) return nameChange(change)
  const textOf = (value: unknown) => {
    const text = typeof value === 'string' ? value : toCanonicalJson(value)
    return `“${text.length > toldCharsMax ? `${text.slice(0, toldCharsMax)}…` : text}”`
  }
  const parts = changedParts(change).map((part) => `was ${textOf(before[part])}, is ${textOf(now[part])}`)
  return `${nameChange(change)}: ${parts.join('; ')}`
}

const shownCharsMax = 64 * 1024

/** The changed lines of each definition below its name, for a person. */
export function describeChanges(changes: readonly DefinitionChange[]): string {
  let rest = shownCharsMax
  const texts = changes.map((change) => {
    if (rest <= 0) return `${nameChange(change)} (too long to be shown)`
    const text = `${nameChange(change)}\n${definitionDiff(partsText(change.before ?? {}), partsText(change.now))}`
    rest -= text.length
    return text
  })
  return texts.join('\n\n')
}
