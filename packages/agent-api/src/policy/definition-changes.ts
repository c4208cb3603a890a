import { isRecord } from '../base/is-record.ts'
import { toCanonicalJson } from '../base/json.ts'
import { withoutLooks, type KnownServer } from '../mcp/known-server.ts'
import { hashCanonical } from './always-allow/definition-pin.ts'
import { definitionDiff, partsText } from './always-allow/definition-text.ts'

/** Decides about changed definitions. Unset: `ask` for what acts and for instructions, `tell` for the rest. */
export const definitionHeeds = ['ask', 'tell', 'ignore'] as const
export type DefinitionHeed = (typeof definitionHeeds)[number]

type Definition = Readonly<Record<string, unknown>>

/** The definitions of a server by their keys: `tool:NAME`, `prompt:NAME`, `instructions`. */
export type Definitions = Readonly<Record<string, Definition>>

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

type Lists = Pick<KnownServer, 'tools' | 'prompts'> & {
  readonly server: Pick<KnownServer['server'], 'instructions'>
}

/** The canonical definitions of a server: all that a model or a person reads of them, and no icons. */
export function definitionsOf({ server: { instructions = '' }, tools, prompts }: Lists): Definitions {
  return Object.fromEntries<Definition>([
    ...tools.map((tool) => [keyOf('tool', tool), withoutLooks(tool)] as const),
    ...prompts.map((prompt) => [keyOf('prompt', prompt), withoutLooks(prompt)] as const),
    ...(instructions.trim() === '' ? [] : [[instructionsKey, { instructions }] as const]),
  ])
}

export const instructionsKey = 'instructions'

export function keyOf(kind: 'tool' | 'prompt', { name }: { readonly name: string }): string {
  return `${kind}:${name}`
}

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
    const isSame =
      before !== undefined &&
      (before === definition || toCanonicalJson(before) === toCanonicalJson(definition))
    return isSame ? [] : [{ key, before, now: definition }]
  })
  return Object.groupBy(changes, (change) => {
    const heed = setting ?? heedOf(change)
    return heed === 'ask' && refused[change.key] === hashDefinition(change.now) ? 'refused' : heed
  })
}

/** An addition is told, unless it speaks for the server. So is another text of a tool that only reads. */
function heedOf({ key, before, now }: DefinitionChange): DefinitionHeed {
  if (key === instructionsKey) return 'ask'
  if (before === undefined) return 'tell'
  const isRead = (definition: Definition) =>
    isRecord(definition['annotations']) && definition['annotations']['readOnlyHint'] === true
  return isRead(before) && toCanonicalJson(withoutTexts(before)) === toCanonicalJson(withoutTexts(now))
    ? 'tell'
    : 'ask'
}

function withoutTexts({ title: _title, description: _description, ...rest }: Definition): Definition {
  return rest
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

const shownCharsMax = 64 * 1024

/** One line each: `write_file: description, inputSchema`, `new: delete_file`. */
export function nameChange({ key, before, now }: DefinitionChange): string {
  const name = key.startsWith('tool:') ? key.slice('tool:'.length) : key.replace(':', ' ')
  if (before === undefined) return `new: ${name}`
  const parts = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
    (part) => toCanonicalJson(before[part]) !== toCanonicalJson(now[part]),
  )
  return key === instructionsKey ? name : `${name}: ${parts.join(', ')}`
}

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
