import { z } from 'zod'
import { retentionDefault } from './retention.ts'
import { authSchema } from './auth-schema.ts'
import { approvalModes, readApprovals } from '../policy/approval.ts'
import type { BuiltinToolName } from '../policy/builtin-tools.ts'
import { inclusions, serverModes, toolApprovals, toolConfigDefaults } from '../policy/tool-config.ts'
import { hasUnseen } from '../base/strip-hidden.ts'
import { parseDuration } from './duration.ts'

/**
 * The schema of the agent file. The JSON Schema for editors, the reference documentation and the error messages are generated from it.
 * Descriptions address the author of the file.
 */

const dayMs = 24 * 60 * 60 * 1_000
const maxBytesMin = 1024 ** 2
const maxBytesMax = 1024 ** 4
const contextSizeMin = 1_024
const contextSizeMax = 100_000_000
const durationHint = 'a duration: 30s, 500ms, 2m, PT30S, or a number of milliseconds'

function duration(minMs: number, maxMs: number) {
  return z.union([z.string(), z.number()], { error: `expected ${durationHint}` }).transform((value, context) => {
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

const count = (max: number) => z.int().min(1).max(max)

const toolFields = {
  maxInstances: count(1_000).optional().describe(`The maximum number of parallel calls of this tool (${toolConfigDefaults.maxInstances})`),
  timeout: duration(1, dayMs)
    .optional()
    .describe('The timeout of a call. Each progress notification restarts it, up to ten times its length or 10m (30s)'),
  include: z
    .enum(inclusions)
    .optional()
    .describe(
      'When the tool is offered to the model. always: in every step. manual: when you add it. agent: when the tool search finds it',
    ),
  approval: z
    .enum(toolApprovals)
    .optional()
    .describe('Whether calls of this tool are allowed, asked about or denied. It takes precedence over the approval mode'),
}

const defaultToolConfig = z
  .strictObject(toolFields)
  .describe('The settings of tools that are not in toolbox.tools. Required if the mode is dynamic')

/** The editor's tools are always offered, so `include` would have no effect. */
const { include: _, ...sessionToolFields } = toolFields

const rateLimit = z
  .strictObject({ calls: count(100_000).describe('The number of calls'), per: duration(1, dayMs).describe('The period') })
  .optional()

const toolPatterns = z.array(z.string().min(1)).optional()

const serverFields = {
  description: z.string().optional().describe('What the server is for'),
  mode: z
    .enum(serverModes)
    .describe('strict: every tool must be in toolbox.tools. dynamic: unlisted tools get defaultToolConfig. Pasted entries need none'),
  defaultToolConfig: defaultToolConfig.optional(),
  toolAllowlist: toolPatterns.describe('The only tools that are admitted: names, or patterns such as get_* (all)'),
  toolDenylist: toolPatterns.describe(
    'Tools that are not admitted: names, or patterns such as delete_*. It comes before toolAllowlist (none)',
  ),
  include: z
    .enum(inclusions)
    .optional()
    .describe('When the tools of this server are offered to the model, unless a tool overrides it (always)'),
  required: z.boolean().default(false).describe('If true, the agent does not start without this server'),
  enabled: z.boolean().default(true).describe('If false, the server is not connected'),
  trusted: z.boolean().default(false).describe('If true, Ostler believes the server that a tool is read-only'),
  timeout: duration(1_000, 300_000).default(30_000).describe('The timeout for connecting, including listing the tools'),
  retryAttempts: z
    .int()
    .min(0)
    .max(5)
    .default(3)
    .describe(
      'The number of quick retries after a failed connection. They are followed by one retry per minute. With 0, only a call, a new session or `/mcp reconnect` connects it again',
    ),
  rateLimit: rateLimit.describe('How many calls may start in a period'),
  prompts: z.array(z.string().min(1)).optional().describe('The names of the prompts that become slash commands (all)'),
}

const stdioServer = z
  .strictObject({
    type: z.literal('stdio'),
    command: z.string().min(1).describe('The program to start'),
    args: z.array(z.string()).default([]).describe('Its arguments'),
    env: z.record(z.string(), z.string()).default({}).describe('Environment variables, in addition to a few inherited ones'),
    cwd: z.string().optional().describe('The working directory. Without it, the server starts in the home directory'),
    ...serverFields,
  })
  .describe('A server that Ostler starts')

const remoteServer = (type: 'http' | 'sse') =>
  z
    .strictObject({
      type: z.literal(type),
      url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).describe('The URL of the server'),
      headers: z.record(z.string(), z.string()).default({}).describe('Headers sent with every request'),
      auth: authSchema.default({ type: 'none' }),
      allowInsecureHttp: z.boolean().default(false).describe('If true, unencrypted http is allowed to other machines'),
      ...serverFields,
    })
    .describe(type === 'http' ? 'A server reached over streamable HTTP' : 'A server reached over HTTP with server-sent events (deprecated)')

const server = z.discriminatedUnion('type', [stdioServer, remoteServer('http'), remoteServer('sse')])

const serverName = z
  .string()
  .min(1)
  .max(100)
  .refine((name) => !hasUnseen(name), 'must not contain a line break or a hidden character')
const servers = z.record(serverName, server)

const price = z.number().min(0).max(1_000_000)

const modelFields = {
  contextSize: z
    .int()
    .min(contextSizeMin)
    .max(contextSizeMax)
    .optional()
    .describe('The context window in tokens. Set it if Ostler does not know the model, or to use less of its window'),
  prices: z
    .strictObject({
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/, 'must be three capital letters, such as USD')
        .default('USD')
        .describe('The currency'),
      input: price.describe('The price of a million input tokens'),
      output: price.describe('The price of a million output tokens'),
      cacheRead: price.optional().describe('The price of a million input tokens that the vendor had in its cache (input)'),
      cacheWrite: price.optional().describe('The price of a million input tokens that the vendor added to its cache (input)'),
    })
    .optional()
    .describe('What the vendor charges, to show what a session costs'),
}

const provider = z.strictObject({
  type: z.enum(['anthropic', 'openai', 'google', 'openai-compatible']).describe('The wire format the endpoint speaks'),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('The base URL of the endpoint'),
  apiKey: z.string().min(1).optional().describe('The API key. Prefer a variable, such as ${VAR}'),
  headers: z.record(z.string(), z.string()).optional().describe('Headers sent with every request'),
  ...modelFields,
  models: z
    .record(z.string().min(1).max(200), z.strictObject(modelFields))
    .optional()
    .describe('Settings of single models, by their names without the provider. They take precedence'),
})

const builtinFields = {
  enabled: z.boolean().default(true).describe('Whether the model gets the tool. The value false instead of the fields does the same'),
  ...sessionToolFields,
  timeout: duration(1, dayMs).optional().describe('The timeout of a call (30s)'),
}

/** `false` stands for a tool that is switched off. */
function builtinTool<T extends z.ZodRawShape>(description: string, fields: T) {
  return z
    .union([z.boolean(), z.strictObject({ ...builtinFields, ...fields })], { error: 'expected true, false, or the fields of the tool' })
    .optional()
    .describe(description)
}

const builtinTools = z
  .strictObject({
    read_file: builtinTool('Reads a file', {}),
    write_file: builtinTool('Writes a whole file', {}),
    edit_file: builtinTool('Changes parts of a file', {}),
    list_directory: builtinTool('Lists the files in a folder', {}),
    find_files: builtinTool('Finds files by their names', {}),
    search_files: builtinTool('Searches in files', {}),
    run_command: builtinTool('Runs a shell command', {
      timeout: duration(1, dayMs).optional().describe('The timeout of a command if the model does not choose one (2m)'),
      timeoutMax: duration(1, dayMs).optional().describe('The longest timeout that the model may choose (10m)'),
      keepVariables: z
        .array(z.string().min(1))
        .optional()
        .describe('Environment variables that commands get although their names or values look like secrets (none)'),
    }),
    command_output: builtinTool('Reads the output of a command in the background', {}),
    stop_command: builtinTool('Stops a command in the background', {}),
    fetch_url: builtinTool('Fetches a page', {
      privateHosts: z
        .array(z.string().min(1))
        .optional()
        .describe('Host names and addresses in private networks that may be fetched (none)'),
    }),
    update_plan: builtinTool('Shows the model’s plan', {}),
    delegate: builtinTool('Runs a task in a fresh context', {}),
    ask_person: builtinTool('Asks you a question with a form. Only in editors that show forms', {}),
  } satisfies Record<BuiltinToolName, unknown>)
  .prefault({})

const toolName = z.string().min(1).describe('The name of the tool on its server')

export const agentFileSchema = z.strictObject({
  $schema: z.string().optional().describe('The location of the JSON Schema, for editors'),
  name: z.string().min(1).max(100).optional().describe('The name of the agent. Grants are stored under this name'),
  description: z.string().optional().describe('What the agent is for'),
  systemPrompt: z.string().min(1).optional().describe('The system prompt for the model'),
  model: z.string().min(1).optional().describe('The model, as provider/model, or offline'),
  providers: z
    .record(z.string().regex(/^[\w.-]+$/), provider)
    .optional()
    .describe('Model endpoints by name, in addition to the built-in ones'),
  thoughtLevel: z
    .enum(['default', 'off', 'low', 'medium', 'high'])
    .optional()
    .describe('How much the model thinks before it answers, if it has such levels (default: the model decides)'),
  models: z
    .strictObject({ small: z.string().min(1).optional().describe('A small model for side work, such as titles and summaries (the model)') })
    .optional()
    .describe('Models for other work than the conversation'),
  context: z
    .strictObject({
      compactAt: z
        .int()
        .min(30)
        .max(95)
        .default(80)
        .describe('How full the context window may be, in percent, before older results are shortened and older messages summarized'),
      projectInstructions: z
        .boolean()
        .default(true)
        .describe('Whether the model reads the AGENTS.md files of the project, or CLAUDE.md or GEMINI.md where there is none'),
      skills: z
        .boolean()
        .default(true)
        .describe('Whether the skills in .agents/skills of the project and of your home directory are offered'),
    })
    .prefault({})
    .describe('What the model reads besides the conversation, and how much'),
  commands: z
    .record(
      z.string().regex(/^[A-Za-z][\w.-]{0,63}$/, 'must begin with a letter, and contain only letters, digits, ".", "_" and "-"'),
      z.strictObject({
        description: z.string().min(1).describe('What the command does, for the menu of the editor'),
        prompt: z.string().min(1).describe('What the model reads instead of the command. $ARGUMENTS stands for the text after its name'),
        hint: z.string().min(1).optional().describe('What to write after the name, such as [file]'),
      }),
    )
    .default({})
    .describe('Your own slash commands by name'),
  maxSteps: count(1_000).optional().describe('The maximum number of requests to the model per prompt (100)'),
  connectWait: duration(0, 300_000)
    .optional()
    .describe('How long the first step of a prompt waits for servers that are still connecting (2s)'),
  mcpServers: servers.default({}).describe('The agent’s own MCP servers by name'),
  storedServers: z
    .union([z.enum(['all', 'none']), z.array(z.string().min(1))], { error: 'expected all, none, or a list of names' })
    .default('all')
    .describe('The stored servers that the agent uses in addition to its own. They are added with ostler mcp or the console'),
  toolbox: z
    .strictObject({
      maxConcurrent: count(1_000).optional().describe('The maximum number of parallel calls of all tools (10)'),
      tools: z
        .array(
          z.strictObject({
            name: toolName,
            server: z.string().min(1).optional().describe('Limits the entry to the tool of this server'),
            mode: z
              .enum(serverModes)
              .optional()
              .describe(
                'strict: defaultToolConfig of the server does not apply to this tool. dynamic: it does, also on a strict server (the mode of the server)',
              ),
            ...toolFields,
          }),
        )
        .default([])
        .describe('Settings per tool'),
    })
    .prefault({})
    .describe('Which tools are admitted, and their limits'),
  tools: builtinTools.describe('The built-in tools: each can be switched off or restricted. They need no entry in toolbox.tools'),
  toolBudget: count(500)
    .default(20)
    .describe('How many tools with include: agent are offered per prompt. If there are more, the tool search chooses'),
  sessionServers: z
    .strictObject({
      mode: z
        .enum(serverModes)
        .default('dynamic')
        .describe('strict: only tools in toolbox.tools are admitted. dynamic: all tools are admitted'),
      defaultToolConfig: z.strictObject(sessionToolFields).optional().describe('The settings of tools that are not in toolbox.tools'),
      approval: z
        .enum(toolApprovals)
        .optional()
        .describe('Whether calls of session servers are allowed, asked about or denied, unless a tool overrides it'),
      rateLimit: rateLimit.describe('How many calls of each session server may start in a period, per session'),
    })
    .prefault({})
    .describe('The settings of session servers, which the editor adds'),
  approval: z
    .strictObject({
      mode: z
        .enum(approvalModes)
        .default('always-ask')
        .describe(
          'read-only: only read. always-ask: ask before every call that does more. trusted-only: run trusted tools, ask before all others. auto: run without asking',
        ),
      trustedTools: z
        .array(z.string().min(1))
        .default([])
        .describe('Patterns: server:tool, server:*, ostler:tool for a built-in tool, or just a tool name for all servers'),
      reads: z
        .enum(readApprovals)
        .default('allow')
        .describe(
          'Whether built-in tools may read, list and search in the session’s directories without a question. ask: like any other call',
        ),
    })
    .prefault({})
    .describe('When to ask before running a tool'),
  remoteImages: z
    .enum(['text', 'show'])
    .default('text')
    .describe('text: a remote image that the model or a tool refers to is shown as its address. show: the editor may fetch it'),
  history: z
    .strictObject({
      keepDays: count(36_500)
        .default(retentionDefault.keepDays)
        .describe('The number of days after which unused calls and sessions are deleted'),
      maxBytes: z
        .int()
        .min(maxBytesMin)
        .max(maxBytesMax)
        .default(retentionDefault.maxBytes)
        .describe('The maximum size of the database in bytes. The oldest data is deleted first'),
    })
    .prefault({})
    .describe('The retention of the history'),
  localTools: z
    .array(z.string().min(1))
    .default([])
    .describe('Paths of modules that export tools made with defineTool, relative to this file'),
})

export type AgentFile = z.output<typeof agentFileSchema>
