import { z } from 'zod'
import { retentionDefault } from './retention.ts'
import { approvalModes } from '../policy/approval-mode.ts'
import { readApprovals } from '../policy/approval.ts'
import type { BuiltinToolName } from '../workspace/builtin-tools.ts'
import { schemaModes, serverModes, toolApprovals } from '../policy/tool-config.ts'
import { text } from './auth-schema.ts'
import {
  count,
  dayMs,
  duration,
  rateLimit,
  asAgent,
  definitionChanges,
  restFields,
  sandbox,
  servers,
  sessionToolFields,
  toolFields,
} from './server-schema.ts'

/**
 * The schema of the agent file. The JSON Schema for editors, the reference documentation and the error messages are generated from it.
 * Descriptions address the author of the file.
 */

const contextSizeMax = 100_000_000
const contextSizeMin = 1_024
const maxBytesMax = 1024 ** 4
const maxBytesMin = 1024 ** 2

const price = z.number().min(0).max(1_000_000)

const modelFields = {
  contextSize: z
    .int()
    .min(contextSizeMin)
    .max(contextSizeMax)
    .optional()
    .describe(
      'The context window in tokens. Set it if Ostler does not know the model, or to use less of its window',
    ),
  prices: z
    .strictObject({
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/, 'must be three capital letters, such as USD')
        .default('USD')
        .describe('The currency'),
      input: price.describe('The price of a million input tokens'),
      output: price.describe('The price of a million output tokens'),
      cacheRead: price
        .optional()
        .describe('The price of a million input tokens that the vendor had in its cache (input)'),
      cacheWrite: price
        .optional()
        .describe('The price of a million input tokens that the vendor added to its cache (input)'),
    })
    .optional()
    .describe('What the vendor charges, to show what a session costs'),
}

const provider = z.strictObject({
  type: z
    .enum(['anthropic', 'openai', 'google', 'openai-compatible'])
    .describe('The wire format the endpoint speaks'),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('The base URL of the endpoint'),
  apiKey: text.optional().describe('The API key. Prefer a variable, such as ${VAR}'),
  headers: z.record(z.string(), z.string()).optional().describe('Headers sent with every request'),
  ...modelFields,
  models: z
    .record(z.string().min(1).max(200), z.strictObject(modelFields))
    .optional()
    .describe('Settings of single models, by their names without the provider. They take precedence'),
})

const builtinFields = {
  enabled: z
    .boolean()
    .default(true)
    .describe('Whether the model gets the tool. The value false instead of the fields does the same'),
  ...sessionToolFields,
  timeout: duration(1, dayMs).optional().describe('The timeout of a call (30s)'),
}

/** `false` stands for a tool that is switched off. */
function builtinTool<T extends z.ZodRawShape>(description: string, fields: T) {
  return z
    .union([z.boolean(), z.strictObject({ ...builtinFields, ...fields })], {
      error: 'expected true, false, or the fields of the tool',
    })
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
      timeout: duration(1, dayMs)
        .optional()
        .describe('The timeout of a command if the model does not choose one (2m)'),
      timeoutMax: duration(1, dayMs)
        .optional()
        .describe('The longest timeout that the model may choose (10m)'),
      keepVariables: z
        .array(text)
        .optional()
        .describe(
          'Environment variables that commands get although their names or values look like secrets (none)',
        ),
      sandbox,
    }),
    command_output: builtinTool('Reads the output of a command in the background', {}),
    stop_command: builtinTool('Stops a command in the background', {}),
    fetch_url: builtinTool('Fetches a page', {
      privateHosts: z
        .array(text)
        .optional()
        .describe('Host names and addresses in private networks that may be fetched (none)'),
    }),
    update_plan: builtinTool('Shows the model’s plan', {}),
    delegate: builtinTool('Runs a task in a fresh context', {}),
    ask_person: builtinTool('Asks you a question with a form. Only in editors that show forms', {}),
  } satisfies Record<BuiltinToolName, unknown>)
  .prefault({})

export const agentFileSchema = z.strictObject({
  $schema: z.string().optional().describe('The location of the JSON Schema, for editors'),
  name: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('The name of the agent. Grants are stored under this name'),
  description: z.string().optional().describe('What the agent is for'),
  systemPrompt: text.optional().describe('The system prompt for the model'),
  model: text.optional().describe('The model, as provider/model, or offline'),
  providers: z
    .record(z.string().regex(/^[\w.-]+$/), provider)
    .optional()
    .describe('Model endpoints by name, in addition to the built-in ones'),
  thoughtLevel: z
    .enum(['default', 'off', 'low', 'medium', 'high'])
    .optional()
    .describe(
      'How much the model thinks before it answers, if it has such levels (default: the model decides)',
    ),
  models: z
    .strictObject({
      small: text
        .optional()
        .describe('A small model for side work, such as titles and summaries (the model)'),
    })
    .optional()
    .describe('Models for work other than the conversation'),
  context: z
    .strictObject({
      compactAt: z
        .int()
        .min(30)
        .max(95)
        .default(80)
        .describe(
          'How full the context window may be, in percent, before older results are shortened and older messages summarized',
        ),
      projectInstructions: z
        .boolean()
        .default(true)
        .describe(
          'Whether the model reads the AGENTS.md files of the project, or CLAUDE.md or GEMINI.md in folders without one',
        ),
      skills: z
        .boolean()
        .default(true)
        .describe(
          'Whether the skills in .agents/skills of the project and of your home directory are offered',
        ),
    })
    .prefault({})
    .describe('What the model reads besides the conversation, and how much'),
  commands: z
    .record(
      z
        .string()
        .regex(
          /^[A-Za-z][\w.-]{0,63}$/,
          'must begin with a letter, and contain only letters, digits, ".", "_" and "-"',
        ),
      z.strictObject({
        description: text.describe('What the command does, for the menu of the editor'),
        prompt: text.describe(
          'What the model reads instead of the command. $ARGUMENTS stands for the text after its name',
        ),
        hint: text.optional().describe('What to write after the name, such as [file]'),
      }),
    )
    .default({})
    .describe('Your own slash commands by name'),
  maxSteps: count(1_000).optional().describe('The maximum number of requests to the model per prompt (100)'),
  connectWait: duration(0, 300_000)
    .optional()
    .describe(
      'How long the first step of a prompt waits for servers that are still connecting (1s, in `ostler run` 10s)',
    ),
  mcpServers: servers.default({}).describe('The agent’s own MCP servers by name'),
  storedServers: z
    .union([z.enum(['all', 'none']), z.array(text)], {
      error: 'expected all, none, or a list of names',
    })
    .default('all')
    .describe(
      'The stored servers that the agent uses in addition to its own. They are added with ostler mcp or the console',
    ),
  toolbox: z
    .strictObject({
      maxConcurrent: count(1_000)
        .optional()
        .describe('The maximum number of parallel calls of all tools (10)'),
      tools: z
        .array(
          z.strictObject({
            name: text.describe('The name of the tool on its server'),
            server: text.optional().describe('Limits the entry to the tool of this server'),
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
  tools: builtinTools.describe(
    'The built-in tools: each can be switched off or restricted. They need no entry in toolbox.tools',
  ),
  toolBudget: count(500)
    .default(20)
    .describe(
      'How many tools with include: agent are offered per prompt. If there are more, the tool search chooses',
    ),
  definitionChanges: definitionChanges(
    'By default, you are asked about what acts and about instructions, and told about the rest',
  ),
  sessionServers: z
    .strictObject({
      mode: z
        .enum(serverModes)
        .default('dynamic')
        .describe('strict: only tools in toolbox.tools are admitted. dynamic: all tools are admitted'),
      defaultToolConfig: z
        .strictObject(sessionToolFields)
        .optional()
        .describe('The settings of tools that are not in toolbox.tools'),
      approval: z
        .enum(toolApprovals)
        .optional()
        .describe(
          'Whether calls of session servers are allowed, asked about or denied, unless a tool overrides it',
        ),
      rateLimit: rateLimit.describe(
        'How many calls of each session server may start in a period, per session',
      ),
      sandbox: sandbox.describe('As tools.run_command.sandbox, for the servers that Ostler starts (off)'),
      definitionChanges: definitionChanges(asAgent),
      ...restFields('known-on-demand'),
      schemas: z
        .union([z.enum(schemaModes), z.record(text, z.enum(schemaModes))], {
          error: 'expected auto, full, deferred, or one of them by the name of each server',
        })
        .default('auto')
        .describe(
          'Whether the schemas of tools wait until the model asks for them. auto: if the definitions of all tools take more than schemaShare. full: never. deferred: always. An object sets it by the name of the server, and "*" stands for all others',
        ),
      schemaShare: z
        .int()
        .min(1)
        .max(100)
        .default(10)
        .describe('How much of the context window the definitions of tools may take, in percent'),
    })
    .prefault({})
    .describe('The settings of session servers, which the editor adds'),
  approval: z
    .strictObject({
      mode: z
        .enum(approvalModes)
        .default('always-ask')
        .describe(
          'read-only: only read. always-ask: ask before every call that does more. trusted-only: run trusted tools, ask before all others. fenced: edit, and run commands in a sandbox, without asking. auto: run without asking',
        ),
      trustedTools: z
        .array(text)
        .default([])
        .describe(
          'Patterns: server:tool, server:*, ostler:tool for a built-in tool, or just a tool name for all servers',
        ),
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
    .describe(
      'text: a remote image that the model or a tool refers to is shown as its address. show: the editor may fetch it',
    ),
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
    .array(text)
    .default([])
    .describe('Paths of modules that export tools made with defineTool, relative to this file'),
})

export type AgentFile = z.output<typeof agentFileSchema>
