import { readFile } from 'node:fs/promises'
import { isMap, isPair, LineCounter, parseDocument, type Document } from 'yaml'
import { z } from 'zod'
import { messageOf, OstlerError } from '../errors.ts'

const providerSchema = z
  .strictObject({
    type: z.enum(['anthropic', 'openai', 'google', 'openai-compatible']).describe('The wire format the endpoint speaks'),
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Where the endpoint is'),
    apiKey: z.string().min(1).optional().describe('The key; better left to the environment'),
    headers: z.record(z.string(), z.string()).optional().describe('Headers to send with every request'),
  })
  .describe('A model endpoint')

const agentFileSchema = z.strictObject({
  name: z.string().min(1).optional().describe('How the agent is called'),
  description: z.string().optional().describe('What the agent is for'),
  systemPrompt: z.string().min(1).optional().describe('What the model is told before the conversation'),
  model: z.string().min(1).optional().describe('provider/model, or offline'),
  providers: z
    .record(z.string().regex(/^[\w.-]+$/), providerSchema)
    .optional()
    .describe('Model endpoints by name, on top of the built-in ones'),
  maxSteps: z.int().min(1).max(1_000).optional().describe('Model requests one prompt may take'),
})

export type AgentFile = z.infer<typeof agentFileSchema>

/** Reads an agent file, YAML or JSON. All that is wrong with it is said at once, with the place. */
export async function loadAgentFile(path: string): Promise<AgentFile> {
  const lines = new LineCounter()
  const document = parseDocument(await readText(path), { lineCounter: lines, prettyErrors: false })
  if (document.errors.length > 0) {
    throw invalid(
      path,
      document.errors.map((error) => `${place(path, lines, error.pos[0])}: ${error.message}`),
    )
  }
  const parsed = agentFileSchema.safeParse(document.toJS() ?? {})
  if (parsed.success) return parsed.data
  throw invalid(
    path,
    parsed.error.issues.flatMap((issue) => describeIssue(path, document, lines, issue)),
  )
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new OstlerError('config.unreadable', `The agent file ${path} cannot be read: ${messageOf(error)}`, { cause: error })
  }
}

function invalid(path: string, problems: readonly string[]): OstlerError {
  return new OstlerError('config.invalid', `The agent file ${path} is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
}

function describeIssue(path: string, document: Document, lines: LineCounter, issue: z.core.$ZodIssue): string[] {
  const at = issue.path.filter((key) => typeof key !== 'symbol')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${place(path, lines, offsetOf(document, [...at, key]))}: ${[...at, key].join('.')}: unknown field`)
  }
  return [`${place(path, lines, offsetOf(document, at))}: ${at.join('.') || 'the file'}: ${issue.message}`]
}

function place(path: string, lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset)
  return `${path}:${line}:${col}`
}

/** Where a field stands in the file; its nearest parent where the field itself is what is missing. */
function offsetOf(document: Document, path: readonly (string | number)[]): number {
  const parent = document.getIn(path.slice(0, -1), true)
  const key = path.at(-1)
  const pair = isMap(parent) ? parent.items.find((item) => isPair(item) && String(item.key) === String(key)) : undefined
  const node = (pair?.key ?? document.getIn(path, true) ?? parent) as { range?: [number, number, number] } | undefined
  return node?.range?.[0] ?? 0
}
