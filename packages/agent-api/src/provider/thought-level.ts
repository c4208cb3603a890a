import type { Vendor } from './model.ts'

const thoughtLevels = ['off', 'low', 'medium', 'high'] as const
/** The levels of thinking, from least to most. */
export type ThoughtLevel = (typeof thoughtLevels)[number]

/** The person's choices. By default, the model decides. */
const thoughtChoices = ['default', ...thoughtLevels] as const
/** A level, or `default`. */
export type ThoughtChoice = (typeof thoughtChoices)[number]

export function isThoughtChoice(value: unknown): value is ThoughtChoice {
  return thoughtChoices.some((choice) => choice === value)
}

type Levels = readonly ThoughtLevel[]
type Rule = readonly [pattern: RegExp, levels: Levels]

const none: Levels = []
const all: Levels = thoughtLevels
/** Models that always think. */
const always: Levels = ['low', 'medium', 'high']

/** By the model's name. The first match counts. Models that are not listed have no levels. */
const rules: Readonly<Record<Exclude<Vendor, 'offline'>, readonly Rule[]>> = {
  anthropic: [
    [/^claude-(?:instant|[12]\b|3(?!-7))/, none],
    [/^claude-(?:(?:sonnet|opus)-5-5|fable-5)/, always],
    [/^claude-/, all],
  ],
  openai: [
    [/-chat\b|-pro\b/, none],
    [/^gpt-5\.[1-9](?!.*codex)/, all],
    [/^(?:o[1-9]|gpt-(?:[5-9]|\d{2}))(?:[.-]|$)/, always],
  ],
  google: [
    [/image|tts|computer-use|live|audio/, none],
    [/^gemini-2\.5-pro/, always],
    [/^gemini-2\.5/, all],
    [/^gemini-3-pro/, ['low', 'high']],
    [/^gemini-(?:[3-9]|\d{2})(?:[.-])/, always],
  ],
  'openai-compatible': [[/(?:^|\/)gpt-oss|^o[134](?:-|$)|^gpt-5(?:\.[1-5])?(?:-(?!chat|pro)|$)/, always]],
}

/** The levels of a model, from least to most. Empty if its thinking cannot be chosen. `thinks` is the vendor's own statement. */
export function thoughtLevelsOf(vendor: Vendor, model: string, thinks?: boolean): Levels {
  if (vendor === 'offline' || thinks === false) return none
  const rule = rules[vendor].find(([pattern]) => pattern.test(model))
  return rule?.[1] ?? (thinks === true ? all : none)
}

/** The level that is sent for a choice: the choice itself, the next lower level, or the lowest. Undefined if the model decides. */
export function fitThoughtLevel(choice: ThoughtChoice, levels: Levels): ThoughtLevel | undefined {
  if (choice === 'default') return undefined
  return (
    levels.findLast((level) => thoughtLevels.indexOf(level) <= thoughtLevels.indexOf(choice)) ?? levels[0]
  )
}
