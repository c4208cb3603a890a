import { z } from 'zod'
import { authSchema, text } from './auth-schema.ts'
import {
  definitionHeeds,
  inclusions,
  schemaModes,
  serverModes,
  toolApprovals,
  toolConfigDefaults,
} from '../policy/tool-config.ts'
import { isAbsolute } from 'node:path'
import { hostPattern, sandboxLevels } from '../fence/fence.ts'
import { hasUnseen } from '../base/strip-hidden.ts'
import { parseDuration } from './duration.ts'

export const dayMs = 24 * 60 * 60 * 1_000
const durationHint = 'a duration: 30s, 500ms, 2m, PT30S, or a number of milliseconds'

export function duration(minMs: number, maxMs: number) {
  return z
    .union([z.string(), z.number()], { error: `expected ${durationHint}` })
    .transform((value, context) => {
      const ms = parseDuration(value)
      if (ms !== undefined && ms >= minMs && ms <= maxMs) return ms
      const message =
        ms === undefined
          ? `expected ${durationHint}`
          : `must be between ${minMs} ms and ${maxMs} ms, but is ${ms} ms${unitHint(value, minMs)}`
      context.issues.push({ code: 'custom', message, input: value })
      return z.NEVER
    })
}

/** Other programs count in seconds. */
function unitHint(value: string | number, minMs: number): string {
  return typeof value === 'number' && value > 0 && value < minMs ? `; for seconds, write ${value}s` : ''
}

/** When servers start and end. */
export const restFields = (startDefault: 'eager' | 'known-on-demand') => ({
  start: z
    .enum(['eager', 'known-on-demand'])
    .optional()
    .describe(
      `eager: at once. known-on-demand: a server that was connected before starts when it is used (${startDefault})`,
    ),
  idle: z
    .union([z.literal('never').transform(() => Infinity), duration(1_000, dayMs)], {
      error: 'expected never, or a duration between 1s and 24h, such as 10m',
    })
    .optional()
    .describe(
      'A server that was unused for this time ends, and starts again when it is used (10m; with eager never)',
    ),
})

/** Said where one server, or those of the editor, can differ. */
export const asAgent = 'Otherwise definitionChanges of the agent applies'

export const definitionChanges = (otherwise: string) =>
  z
    .enum(definitionHeeds)
    .optional()
    .describe(
      `Decides what happens when a server changes a definition that was accepted. ask: it is left out until you answer. tell: you read what has changed. ignore: nothing. ${otherwise}`,
    )

export const count = (max: number) => z.int().min(1).max(max)

export const toolFields = {
  maxInstances: count(1_000)
    .optional()
    .describe(`The maximum number of parallel calls of this tool (${toolConfigDefaults.maxInstances})`),
  timeout: duration(1, dayMs)
    .optional()
    .describe(
      'The timeout of a call. Each progress notification restarts it, up to ten times its length or 10m (30s)',
    ),
  include: z
    .enum(inclusions)
    .optional()
    .describe(
      'When the tool is offered to the model. always: in every step. manual: when you add it. agent: when the tool search finds it',
    ),
  approval: z
    .enum(toolApprovals)
    .optional()
    .describe(
      'Whether calls of this tool are allowed, asked about or denied. It takes precedence over the approval mode',
    ),
}

const defaultToolConfig = z
  .strictObject(toolFields)
  .describe('The settings of tools that are not in toolbox.tools. Required if the mode is dynamic')

/** The editor's tools are always offered, so `include` would have no effect. */
export const { include: _, ...sessionToolFields } = toolFields

export const rateLimit = z
  .strictObject({
    calls: count(100_000).describe('The number of calls'),
    per: duration(1, dayMs).describe('The period'),
  })
  .optional()

const toolPatterns = z.array(text).optional()

const sandboxLevel = z.enum(sandboxLevels)
const sandboxSettings = z.strictObject({
  level: sandboxLevel,
  hosts: z
    .array(z.string().regex(hostPattern, 'expected a host: api.example.com, *.example.com, localhost:5432'))
    .optional()
    .describe('The hosts that it may reach without a question, by their names (none)'),
  paths: z
    .array(z.string().refine(isAbsolute, 'expected an absolute path'))
    .optional()
    .describe('Other directories in which it may write (none)'),
})

export const sandbox = z
  .union([sandboxLevel, sandboxSettings], {
    error: 'expected off, on, required, or level with hosts and paths',
  })
  .optional()
  .describe(
    'on: it runs in a sandbox, writes only in the directories of the session, and reaches only hosts that you allow; where no sandbox works, it runs without one, and Ostler says so. required: then it does not run (off)',
  )

const serverFields = {
  description: z.string().optional().describe('What the server is for'),
  mode: z
    .enum(serverModes)
    .describe(
      'strict: every tool must be in toolbox.tools. dynamic: unlisted tools get defaultToolConfig. Pasted entries need none',
    ),
  defaultToolConfig: defaultToolConfig.optional(),
  toolAllowlist: toolPatterns.describe(
    'The only tools that are admitted: names, or patterns such as get_* (all)',
  ),
  toolDenylist: toolPatterns.describe(
    'Tools that are not admitted: names, or patterns such as delete_*. It comes before toolAllowlist (none)',
  ),
  include: z
    .enum(inclusions)
    .optional()
    .describe('When the tools of this server are offered to the model, unless a tool overrides it (always)'),
  schemas: z
    .enum(schemaModes)
    .optional()
    .describe(
      'Whether the schemas of the tools of this server wait until the model asks for them, as in sessionServers (full)',
    ),
  definitionChanges: definitionChanges(asAgent),
  required: z.boolean().default(false).describe('If true, the agent does not start without this server'),
  enabled: z.boolean().default(true).describe('If false, the server is not connected'),
  trusted: z
    .boolean()
    .default(false)
    .describe('If true, Ostler believes the server that a tool is read-only'),
  timeout: duration(1_000, 300_000)
    .default(30_000)
    .describe('The timeout for connecting, including listing the tools'),
  retryAttempts: z
    .int()
    .min(0)
    .max(5)
    .default(3)
    .describe(
      'The number of quick retries after a failed connection. They are followed by one retry per minute. With 0, only a call, a new session or `/mcp reconnect` connects it again',
    ),
  rateLimit: rateLimit.describe('How many calls may start in a period'),
  prompts: z.array(text).optional().describe('The names of the prompts that become slash commands (all)'),
  ...restFields('eager'),
}

const stdioServer = z
  .strictObject({
    type: z.literal('stdio'),
    command: text.describe('The program to start'),
    args: z.array(z.string()).default([]).describe('Its arguments'),
    env: z
      .record(z.string(), z.string())
      .default({})
      .describe('Environment variables, in addition to a few inherited ones'),
    cwd: z
      .string()
      .optional()
      .describe('The working directory. Without it, the server starts in the home directory'),
    sandbox: sandbox.describe(
      'As tools.run_command.sandbox. The server writes only in its working directory, if cwd is set (off)',
    ),
    ...serverFields,
  })
  .describe('A server that Ostler starts')

const remoteServer = (type: 'http' | 'sse') =>
  z
    .strictObject({
      type: z.literal(type),
      url: z
        .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
        .describe('The URL of the server'),
      headers: z.record(z.string(), z.string()).default({}).describe('Headers sent with every request'),
      auth: authSchema.default({ type: 'none' }),
      allowInsecureHttp: z
        .boolean()
        .default(false)
        .describe('If true, unencrypted http is allowed to other machines'),
      ...serverFields,
    })
    .describe(
      type === 'http'
        ? 'A server reached over streamable HTTP'
        : 'A server reached over HTTP with server-sent events (deprecated)',
    )

const server = z.discriminatedUnion('type', [stdioServer, remoteServer('http'), remoteServer('sse')])

const serverName = z
  .string()
  .min(1)
  .max(100)
  .refine((name) => !hasUnseen(name), 'must not contain a line break or a hidden character')
export const servers = z.record(serverName, server)
