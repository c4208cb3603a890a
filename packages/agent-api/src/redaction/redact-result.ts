import type { TextBlock } from '../messages/content.ts'
import type { ToolOutput, ToolResult } from '../messages/tool.ts'
import { cleaning } from './text-cleaner.ts'
import { redactValue } from './redact-value.ts'
import { redactedMark } from '../base/clean-text.ts'
import type { Redactor } from './redact.ts'

/** A tool that prints its environment must not hand a person's keys to the model. `ofTexts` may do more than `redactor`. */
export function redactResult(result: ToolResult, redactor: Redactor, ofTexts = redactor): ToolResult {
  return {
    ...result,
    content: redactOutputs(result.content, redactor, ofTexts),
    structured: redactValue(result.structured, ofTexts),
  }
}

/** Like `redactResult`, for text that a model or an editor reads: also removes hidden characters. */
export function cleanResult(result: ToolResult, redactor: Redactor): ToolResult {
  return redactResult(result, redactor, cleaning(redactor))
}

export function cleanOutputs<T extends ToolOutput>(
  content: readonly T[],
  redactor: Redactor,
): readonly (T | TextBlock)[] {
  return redactOutputs(content, redactor, cleaning(redactor))
}

/** `ofTexts` is used for texts, `redactor` for files and images. */
function redactOutputs<T extends ToolOutput>(
  content: readonly T[],
  redactor: Redactor,
  ofTexts: Redactor,
): readonly (T | TextBlock)[] {
  const redacted: (T | TextBlock)[] = []
  let run: TextBlock[] = []
  const close = () => {
    redacted.push(...redactRun(run, ofTexts))
    run = []
  }
  for (const item of content) {
    if (item.type === 'text') run.push(item)
    else {
      close()
      redacted.push(redactOutput(item, redactor, ofTexts))
    }
  }
  close()
  return redacted
}

/** The model reads adjacent texts as one, so a secret may span two of them. */
function redactRun(run: readonly TextBlock[], { redact }: Redactor): readonly TextBlock[] {
  const apart = run.map((item) => ({ ...item, text: redact(item.text) }))
  if (run.length <= 1) return apart
  const together = redact(run.map(({ text }) => text).join(''))
  return together === apart.map(({ text }) => text).join('') ? apart : [{ type: 'text', text: together }]
}

function redactOutput<T extends ToolOutput>(item: T, redactor: Redactor, ofTexts: Redactor): T | TextBlock {
  switch (item.type) {
    case 'terminal':
      return { ...item, text: ofTexts.redact(item.text) }
    // Hidden characters of a file stay in its diff, so that the editor can point them out.
    case 'diff':
      return {
        ...item,
        oldText: item.oldText === null ? null : redactor.redact(item.oldText),
        newText: redactor.redact(item.newText),
      }
    // Replace the whole item: a mark inside the data would make it invalid base64.
    case 'image':
    case 'audio':
      return holdsSecret(item.data, redactor)
        ? { type: 'text', text: `[${item.type}: ${redactedMark}]` }
        : redactTexts(item, ofTexts)
    case 'text':
    case 'resource_link':
      return redactTexts(item, ofTexts)
    case 'resource': {
      const { resource } = item
      if ('blob' in resource && holdsSecret(resource.blob, redactor))
        return { type: 'text', text: `[resource: ${redactedMark}]` }
      return { ...item, resource: redactTexts(resource, ofTexts) }
    }
  }
}

function holdsSecret(text: string, redactor: Redactor): boolean {
  return redactor.redact(text) !== text
}

const notTexts: ReadonlySet<string> = new Set(['type', 'data', 'blob'])

function redactTexts<T extends object>(block: T, { redact }: Redactor): T {
  const entries = Object.entries(block).map(([key, value]) => [
    key,
    notTexts.has(key) || typeof value !== 'string' ? value : redact(value),
  ])
  return Object.fromEntries(entries) as T
}
