import { propertyOf, typeOf, type OfflineTool } from './offline-tool.ts'

const opening = 'To run '
const choicesShown = 50
const asking = ' I still need'

/** Asks for missing arguments. The question is also the memory: the next turn reads from it which tool was meant. */
export function askFor(tool: OfflineTool, missing: readonly string[]): string {
  const lines = missing.map((name) => {
    const schema = propertyOf(tool.schema, name)
    const words = schema.enum ? `one of ${list(schema.enum)}` : typeOf(schema)
    return `- \`${name}\` (${words})${schema.description ? `: ${schema.description}` : ''}`
  })
  const how =
    missing.length === 1
      ? 'What should it be?'
      : `Answer as \`${missing.map((name) => `${name}=…`).join(', ')}\`, or in that order.`
  return `${opening}\`${tool.name}\`${asking}:\n\n${lines.join('\n')}\n\n${how}`
}

function list(choices: readonly unknown[]): string {
  const left = choices.length - choicesShown
  return [...choices.slice(0, choicesShown), ...(left > 0 ? [`… and ${left} more`] : [])].join(', ')
}

/** The tool that an earlier answer asked about. */
export function askedAbout(answered: string | undefined): string | undefined {
  if (!answered?.startsWith(`${opening}\``)) return undefined
  const name = answered.slice(opening.length + 1, answered.indexOf('`', opening.length + 1))
  return answered.startsWith(`${opening}\`${name}\`${asking}`) ? name : undefined
}
