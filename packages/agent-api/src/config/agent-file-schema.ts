import { z } from 'zod'
import { retentionDefault } from './retention.ts'
import { headerName } from '../base/header.ts'
import { approvalModes } from '../policy/approval.ts'
import { inclusions, serverModes, toolApprovals, toolConfigDefaults } from '../policy/tool-config.ts'
import { parseDuration } from './duration.ts'

/**
 * The schema of the agent file. The JSON Schema for editors, the reference documentation and the error messages are generated from it.
 * Descriptions address the author of the file.
 */

const dayMs = 24 * 60 * 60 * 1_000
const maxBytesMin = 1024 ** 2
const maxBytesMax = 1024 ** 4
const durationHint = 'a duration: 30s, 500ms, 2m, PT30S, or a number of milliseconds'

function duration(minMs: number, maxMs: number) {
  return z.union([z.string(), z.number()], { error: `expected ${durationHint}` }).transform((value, context) => {
    const ms = parseDuration(value)
    if (ms !== undefined && ms >= minMs && ms <= maxMs) return ms
    const message = ms === undefined ? `expected ${durationHint}` : `must be from ${minMs} ms to ${maxMs} ms, and is ${ms} ms`
    context.issues.push({ code: 'custom', message, input: value })
    return z.NEVER
  })
}

const count = (max: number) => z.int().min(1).max(max)

const toolFields = {
  maxInstances: count(1_000).optional().describe(`How many calls of this tool may run at once (${toolConfigDefaults.maxInstances})`),
  timeout: duration(1, dayMs).optional().describe('How long one call may take without a word of progress (30s)'),
  include: z
    .enum(inclusions)
    .optional()
    .describe('always: in every step. manual: when the person adds it. agent: when the search finds it'),
  approval: z.enum(toolApprovals).optional().describe('What happens with a call of this tool, before the mode is looked at'),
}

const defaultToolConfig = z.strictObject(toolFields).describe('How a tool that is not in toolbox.tools may be used')

/** The editor's tools are always offered, so `include` would have no effect. */
const { include: _, ...sessionToolFields } = toolFields

const auth = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('none') }),
    z.strictObject({ type: z.literal('bearer'), token: z.string().min(1).describe('Sent as Authorization: Bearer') }),
    z.strictObject({
      type: z.literal('api-key'),
      key: z.string().min(1).describe('The key'),
      header: z.string().regex(headerName, 'must be the name of a header').default('x-api-key').describe('The header it is sent in'),
    }),
    z.strictObject({
      type: z.literal('basic'),
      username: z.string().min(1).describe('The user name'),
      password: z.string().describe('The password'),
    }),
  ])
  .describe('How Ostler shows the server who it is')

const rateLimit = z
  .strictObject({ calls: count(100_000).describe('So many calls'), per: duration(1, dayMs).describe('in so much time') })
  .optional()

const serverFields = {
  description: z.string().optional().describe('What the server is for'),
  mode: z.enum(serverModes).describe('strict: every tool must be in toolbox.tools. dynamic: other tools get defaultToolConfig'),
  defaultToolConfig: defaultToolConfig.optional(),
  include: z
    .enum(inclusions)
    .optional()
    .describe('How the tools of this server are offered to the model, unless a tool says otherwise (always)'),
  required: z.boolean().default(false).describe('Without this server the agent does not start'),
  enabled: z.boolean().default(true).describe('Whether it is connected at all'),
  trusted: z.boolean().default(false).describe('Whether its word that a tool only reads is taken'),
  timeout: duration(1_000, 300_000).default(30_000).describe('How long connecting may take, its list of tools included'),
  retryAttempts: z
    .int()
    .min(0)
    .max(5)
    .default(3)
    .describe('How many quick retries a failed connection gets, before one a minute. 0: none at all'),
  rateLimit: rateLimit.describe('How many calls may begin in a stretch of time'),
  prompts: z
    .array(z.string().min(1))
    .optional()
    .describe('The prompts of the server that become slash commands, by the names it gives them (all)'),
}

const stdioServer = z
  .strictObject({
    type: z.literal('stdio'),
    command: z.string().min(1).describe('The program to start'),
    args: z.array(z.string()).default([]).describe('Its arguments'),
    env: z.record(z.string(), z.string()).default({}).describe('Variables it gets, on top of a short list of harmless ones'),
    cwd: z.string().optional().describe('Where it starts'),
    ...serverFields,
  })
  .describe('A server that Ostler starts')

const remoteServer = (type: 'http' | 'sse') =>
  z
    .strictObject({
      type: z.literal(type),
      url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).describe('Where the server is'),
      headers: z.record(z.string(), z.string()).default({}).describe('Headers sent with every request'),
      auth: auth.default({ type: 'none' }),
      allowInsecureHttp: z.boolean().default(false).describe('Whether plain http may be used beyond this machine'),
      ...serverFields,
    })
    .describe(
      type === 'http' ? 'A server reached over streamable HTTP' : 'A server reached over HTTP with server-sent events, the older way',
    )

const server = z.discriminatedUnion('type', [stdioServer, remoteServer('http'), remoteServer('sse')])

const servers = z.record(z.string().min(1).max(100), server)

const provider = z.strictObject({
  type: z.enum(['anthropic', 'openai', 'google', 'openai-compatible']).describe('The wire format the endpoint speaks'),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where the endpoint is'),
  apiKey: z.string().min(1).optional().describe('The key; best as ${VAR}'),
  headers: z.record(z.string(), z.string()).optional().describe('Headers sent with every request'),
})

const toolName = z.string().min(1).describe('The name of the tool, as its server gives it')

export const agentFileSchema = z.strictObject({
  $schema: z.string().optional().describe('Where editors find the schema of this file'),
  name: z.string().min(1).max(100).optional().describe('How the agent is called; its grants are kept under this name'),
  description: z.string().optional().describe('What the agent is for'),
  systemPrompt: z.string().min(1).optional().describe('What the model is told before the conversation'),
  model: z.string().min(1).optional().describe('provider/model, or offline'),
  providers: z
    .record(z.string().regex(/^[\w.-]+$/), provider)
    .optional()
    .describe('Model endpoints by name, on top of the built-in ones'),
  maxSteps: count(1_000).optional().describe('How many requests to the model one prompt may take (100)'),
  connectWait: duration(0, 300_000)
    .optional()
    .describe('How long the first step of a prompt waits for servers that are still connecting (5s)'),
  mcpServers: servers.default({}).describe('The agent’s own MCP servers by name'),
  storedServers: z
    .union([z.enum(['all', 'none']), z.array(z.string().min(1))], { error: 'expected all, none, or a list of names' })
    .default('all')
    .describe('Which of the servers that were added with ostler mcp or the console the agent uses, besides its own'),
  toolbox: z
    .strictObject({
      maxConcurrent: count(1_000).optional().describe('How many calls of all tools together may run at once (10)'),
      tools: z
        .array(
          z.strictObject({ name: toolName, server: z.string().min(1).optional().describe('Only the tool of this server'), ...toolFields }),
        )
        .default([])
        .describe('Tools and how they may be used'),
    })
    .prefault({})
    .describe('Tools that are let in, and their limits'),
  toolBudget: count(500).default(20).describe('How many tools with include: agent are offered for one prompt; the search chooses them'),
  sessionServers: z
    .strictObject({
      mode: z.enum(serverModes).default('dynamic').describe('strict locks the editor’s servers to toolbox.tools'),
      defaultToolConfig: z.strictObject(sessionToolFields).optional().describe('How a tool that is not in toolbox.tools may be used'),
      approval: z.enum(toolApprovals).optional().describe('What happens with calls of the editor’s servers, unless a tool says otherwise'),
      rateLimit: rateLimit.describe('How many calls of each of the editor’s servers may begin in a stretch of time, per session'),
    })
    .prefault({})
    .describe('How the editor’s servers are treated'),
  approval: z
    .strictObject({
      mode: z
        .enum(approvalModes)
        .default('always-ask')
        .describe('auto: run. always-ask: ask. trusted-only: run what is trusted, ask for the rest'),
      trustedTools: z.array(z.string().min(1)).default([]).describe('server:tool, server:*, or a bare tool name for every server'),
    })
    .prefault({})
    .describe('Who is asked before a tool runs'),
  remoteImages: z
    .enum(['text', 'show'])
    .default('text')
    .describe('text: an image elsewhere that the model or a tool refers to is shown as its address. show: the editor may fetch it'),
  history: z
    .strictObject({
      keepDays: count(36_500)
        .default(retentionDefault.keepDays)
        .describe('How many days calls and sessions are kept after they were last used'),
      maxBytes: z
        .int()
        .min(maxBytesMin)
        .max(maxBytesMax)
        .default(retentionDefault.maxBytes)
        .describe('How large the database may become; what is oldest goes first'),
    })
    .prefault({})
    .describe('How long what happened is kept'),
  localTools: z.array(z.string().min(1)).default([]).describe('Modules that export tools made with defineTool, relative to this file'),
})

export type AgentFile = z.output<typeof agentFileSchema>
