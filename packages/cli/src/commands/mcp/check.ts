import { styleText } from 'node:util'
import type { JsonSchema } from '@ostler/agent-api'
import { counted, formatDuration, formatToolsForProvider, type Vendor } from '@ostler/agent-api/internal'
import type { ServerExamination } from '@ostler/workbench'
import { defineCommand, usageError } from '../../command-line/command.ts'
import { formatTable, joinSections, print } from '../../terminal/print.ts'
import { toShown } from '../../terminal/safe-text.ts'
import { showProgress } from '../../terminal/show-progress.ts'
import { schemaLosses, type SchemaLoss } from './schema-losses.ts'
import { serverFlags, withService } from './with-servers.ts'

export const command = defineCommand({
  synopsis: ['NAME [options]', 'URL [options]', '[options] -- COMMAND [ARG...]'],
  about: `Shows the author of a server how Ostler sees it: the handshake of both generations of MCP, what it offers, tools that are left out
  and why, the parts of its schemas that each vendor's models do not see, and a call of each tool that only reads and needs no arguments.`,
  flags: serverFlags,
  words: ['server', 'nothing'],
  more: `The server is started or connected once per generation, and nothing is stored. The exit code is 1 if it works in no generation, if
  something it offers is left out, or if a call is not answered.`,
  takesProgram: true,
  async run(io, { values, words, program }) {
    const target = toTarget(words, program)
    return withService(io, values, async (service, signal) => {
      const line = showProgress(io.stderr, () => 'Checking the server')
      const examined = await service.examineServer(target, { signal }).finally(() => line[Symbol.dispose]())
      const schemas = lossesOf(examined)
      const problems = problemsOf(examined)
      const ok = problems.length === 0
      print(io, values, { ok, problems, ...examined, schemas }, () => format(examined, schemas, problems))
      return ok ? 0 : 1
    })
  },
})

type Target = Parameters<import('@ostler/workbench').ServerService['examineServer']>[0]

/** A command or URL on the command line is the person's consent, like a name that was stored. */
function toTarget(words: readonly string[], program: readonly string[] | undefined): Target {
  const [word, ...others] = words
  const [first, ...args] = program ?? []
  if (others.length > 0 || (word === undefined) === (first === undefined))
    throw usageError('check needs the name or the URL of one server, or its command after --')
  if (first !== undefined) return { name: 'server', entry: { type: 'stdio', command: first, args } }
  if (word !== undefined && /^https?:\/\//i.test(word))
    return { name: 'server', entry: { type: 'http', url: word } }
  return word ?? ''
}

const vendors: readonly Vendor[] = ['anthropic', 'openai', 'google', 'openai-compatible']

interface ToolLosses {
  readonly vendor: Vendor
  readonly tool: string
  readonly losses: readonly SchemaLoss[]
}

function lossesOf({ offer }: ServerExamination): ToolLosses[] {
  const tools = offer?.tools ?? []
  return vendors.flatMap((vendor) =>
    tools.flatMap(({ name, description, inputSchema }) => {
      const [formatted] = formatToolsForProvider([{ name, description, inputSchema }], vendor)
      const losses = schemaLosses(inputSchema, (formatted?.inputSchema ?? {}) as JsonSchema)
      return losses.length === 0 ? [] : [{ vendor, tool: name, losses }]
    }),
  )
}

/**
 * The problems that an author should fix. A keyword that a vendor's models do not see is not a problem, because Ostler checks the arguments
 * against the whole schema.
 */
function problemsOf({ generations, offer }: ServerExamination): string[] {
  if (offer === undefined)
    return [...new Set(generations.map(({ reason = '' }) => reason.split('\n')[0] ?? ''))]
  const failed = offer.calls.filter(({ outcome }) => outcome === 'failed')
  return [...offer.warnings, ...failed.map(({ tool, reason }) => `the call of ${tool} failed: ${reason}`)]
}

function format(
  { generations, offer }: ServerExamination,
  schemas: readonly ToolLosses[],
  problems: readonly string[],
): string {
  const handshakes = generations.map(({ generation, protocolVersion, server, phases, reason = '' }) => [
    generation === 'legacy' ? 'up to 2025-11-25' : `from ${generation}`,
    protocolVersion === undefined
      ? `not connected: ${reason.split('\n')[0]}`
      : `${server?.name} ${server?.version}, MCP ${protocolVersion}, in ${formatDuration((phases?.startMs ?? 0) + (phases?.handshakeMs ?? 0))}`,
  ])
  const sections = [
    [heading('Handshakes'), formatTable(handshakes)],
    ...(offer === undefined ? [] : describeOffer(offer)),
    describeLosses(schemas),
  ]
  const verdict =
    problems.length === 0
      ? styleText('green', 'No problems.')
      : [
          styleText('yellow', counted(problems.length, 'problem')),
          ...problems.map((problem) => `- ${toShown(problem)}`),
        ].join('\n')
  return joinSections([...sections.map((section) => section.join('\n')), verdict])
}

function describeOffer({
  capabilities,
  tools,
  prompts,
  resources,
  calls,
  log,
}: NonNullable<ServerExamination['offer']>): string[][] {
  const counts = [
    counted(tools.length, 'tool'),
    counted(prompts.length, 'prompt'),
    counted(resources.length, 'resource'),
  ]
  const rows = calls.map(({ tool, outcome, ms, contents, reason }) => [
    tool,
    outcome,
    formatDuration(ms),
    reason ?? contents.join(', '),
  ])
  return [
    [
      heading('Offers'),
      `${counts.join(', ')}. Declared: ${capabilities.length === 0 ? 'nothing' : toShown(capabilities.join(', '))}.`,
    ],
    calls.length === 0 ? [] : [heading('Calls of tools that only read'), formatTable(rows)],
    log.stderr.length === 0
      ? []
      : [heading('Its stderr output'), ...log.stderr.map(({ text }) => toShown(text))],
  ]
}

function describeLosses(schemas: readonly ToolLosses[]): string[] {
  if (schemas.length === 0) return []
  const rows = schemas.map(({ vendor, tool, losses }) => [
    vendor,
    tool,
    losses
      .map(({ path, keyword, change }) => `${path === '' ? '' : `${path}.`}${keyword} ${change}`)
      .join(', '),
  ])
  return [
    heading('Parts of its schemas that models do not see (arguments are checked against the whole schema)'),
    formatTable(rows),
  ]
}

function heading(text: string): string {
  return styleText('bold', text)
}
