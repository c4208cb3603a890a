import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadAgentFile } from '../../../packages/agent-api/src/config/agent-file.ts'
import { parseServerEntry } from '../../../packages/agent-api/src/config/parse-server-entry.ts'
import { toAgentFileJsonSchema } from '../../../packages/agent-api/src/config/schema-view.ts'
import { toAgentServer, toConfiguredTools } from '../../../packages/agent-api/src/config/to-agent-server.ts'
import { toAdmission } from '../../../packages/agent-api/src/servers/admission.ts'
import { compileSchema } from '../../support/agent-files.ts'
import { makeFifo } from '../../support/make-fifo.ts'
import { openTempDir } from '../../support/temp-dir.ts'

async function load(text: string, env: Record<string, string> = {}, name = 'ostler.yaml') {
  await using dir = await openTempDir()
  const path = join(dir.path, name)
  await writeFile(path, text)
  const { file, warnings, notes, sourceOf } = await loadAgentFile(path, env)
  return {
    file,
    warnings,
    notes: notes.map((note) => note.replace(`${dir.path}/`, '')),
    sourceOf: (...at: (string | number)[]) => sourceOf(at).replace(`${dir.path}/`, ''),
  }
}

/** The error message's lines, without the test's folder. */
async function complaint(
  text: string,
  env: Record<string, string> = {},
  name = 'ostler.yaml',
): Promise<string[]> {
  const error: unknown = await load(text, env, name).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toMatchObject({ code: 'config.invalid' })
  const [, ...lines] = (error as Error).message.split('\n')
  return lines.map((line) => line.trim().replace(/^\/.*\/(?=ostler\.)/, ''))
}

const customers = `
mcpServers:
  customers:
    type: http
    url: http://localhost:8180/mcp
    mode: dynamic
    defaultToolConfig: { maxInstances: 10, timeout: P0DT0H0M30S }
`

describe('a file that is no agent file', () => {
  it.each(['hello', '[1]', '\u0000\u0001\u001b[31m'])(
    '%j is refused, also if the environment sets a field',
    async (text) => {
      for (const env of [undefined, { OSTLER_MODEL: 'offline' }]) {
        const [line] = await complaint(text, env)
        expect(line).toMatch(/^ostler\.yaml:1:1: the file: found .*; expected object$/)
      }
    },
  )

  it('of more than 1 MiB is not read', async () => {
    await expect(load(`model: offline\n${'# x\n'.repeat(300_000)}`)).rejects.toMatchObject({
      code: 'config.unreadable',
      message: expect.stringMatching(/ cannot be read: it is larger than 1 MiB\.$/),
    })
  })
})

describe('loadAgentFile', () => {
  it('reads YAML and applies every default', async () => {
    const { file } = await load(`model: ollama/qwen3\n${customers}`)
    expect(file).toMatchObject({
      model: 'ollama/qwen3',
      mcpServers: {
        customers: {
          type: 'http',
          mode: 'dynamic',
          defaultToolConfig: { maxInstances: 10, timeout: 30_000 },
          required: false,
          enabled: true,
          trusted: false,
          timeout: 30_000,
          retryAttempts: 3,
          auth: { type: 'none' },
        },
      },
      toolbox: { tools: [] },
      toolBudget: 20,
      approval: { mode: 'always-ask', trustedTools: [] },
      sessionServers: { mode: 'dynamic' },
      localTools: [],
    })
  })

  it('reads when servers start and end', async () => {
    const { file } = await load(`
sessionServers: { start: eager, idle: never }
mcpServers:
  x: { command: x, mode: dynamic, defaultToolConfig: {}, start: known-on-demand, idle: 1s }
  y: { command: x, mode: strict }
`)
    expect(file.sessionServers).toMatchObject({ start: 'eager', idle: Infinity })
    const [x, y] = Object.entries(file.mcpServers).map(([name, entry]) => toAgentServer(name, entry))
    expect(x).toMatchObject({ start: 'known-on-demand', idleMs: 1_000 })
    expect([y?.start, y?.idleMs]).toEqual([undefined, undefined])
  })

  it('reads JSON, and JSON with comments, tabs and trailing commas', async () => {
    expect((await load('{ "model": "offline" }', {}, 'ostler.json')).file.model).toBe('offline')
    const text = '{\n\t// which model\n\t"model": "a//b", /* not this:\n"x": 1 */\n\t"maxSteps": 3,\n}'
    expect((await load(text, {}, 'ostler.jsonc')).file).toMatchObject({ model: 'a//b', maxSteps: 3 })
    expect(await complaint(text.replace('3', '0'), {}, 'ostler.jsonc')).toEqual([
      'ostler.jsonc:5:2: maxSteps: found 0; expected at least 1',
    ])
  })

  it('treats an empty or missing file as no settings', async () => {
    expect((await load('')).file.approval.mode).toBe('always-ask')
    expect((await loadAgentFile(undefined, {})).file.mcpServers).toEqual({})
  })

  it('reports where YAML is broken', async () => {
    expect(await complaint('model: "offline\n')).toEqual([expect.stringMatching(/^ostler\.yaml:\d+:\d+: /)])
  })

  it('reports which file cannot be read', async () => {
    await expect(loadAgentFile('/no/such/ostler.yaml', {})).rejects.toThrow(
      /\/no\/such\/ostler\.yaml cannot be read/,
    )
    await using dir = await openTempDir()
    const pipe = join(dir.path, 'ostler.yaml')
    makeFifo(pipe)
    for (const path of [pipe, '/dev/zero'])
      await expect(loadAgentFile(path, {})).rejects.toThrow(
        `The agent file ${path} cannot be read: it is not a regular file.`,
      )
  })
})

describe('problems of an agent file', () => {
  it('are reported all at once, with place, path, what was found and what is allowed', async () => {
    const text = `
modle: offline
maxSteps: 0
mcpServers:
  customers:
    type: http
    url: http://example.com/mcp
    mode: dynamc
    timout: 3s
  files:
    type: stdoi
    mode: strict
toolbox:
  tools:
    - name: get
      timeout: soon
`
    expect(await complaint(text)).toEqual([
      "ostler.yaml:2:1: modle: unknown field; did you mean 'model'?",
      'ostler.yaml:3:1: maxSteps: found 0; expected at least 1',
      'ostler.yaml:7:5: mcpServers.customers.url: must use https: plain http to other machines requires allowInsecureHttp: true',
      'ostler.yaml:8:5: mcpServers.customers.mode: found "dynamc"; expected strict or dynamic; did you mean \'dynamic\'?',
      "ostler.yaml:9:5: mcpServers.customers.timout: unknown field; did you mean 'timeout'?",
      'ostler.yaml:11:5: mcpServers.files.type: found "stdoi"; expected one of: stdio, http, sse',
      'ostler.yaml:16:7: toolbox.tools.0.timeout: expected a duration: 30s, 500ms, 2m, PT30S, or a number of milliseconds',
    ])
  })

  it('are all reported for an entry whose type is missing or wrong', async () => {
    const text = `
mcpServers:
  guessed:
    command: 5
    args: run
    extra: 1
  misspelt:
    type: htpp
    url: nowhere
    auth: { type: bearr, tokn: x }
    mode: strict
  unclear:
    mode: dynamc
`
    expect(
      (await complaint(text)).map((line) => line.replace(/^ostler\.yaml:\d+:\d+: mcpServers\./, '')),
    ).toEqual([
      "guessed.mode: MCP server 'guessed' is missing required field 'mode': 'strict' requires all tools to be configured, 'dynamic' uses defaultToolConfig for unconfigured tools. Only an entry as in a README needs none, and this one has 'extra'. For the defaults, write mode: dynamic and defaultToolConfig: {}",
      'guessed.command: found 5; expected string',
      'guessed.args: found a string; expected array',
      'guessed.extra: unknown field',
      'misspelt.type: found "htpp"; expected one of: stdio, http, sse',
      'misspelt.url: must be an http or https URL',
      'misspelt.auth.type: found a string; expected one of: none, bearer, api-key, basic, oauth, client-credentials, client-credentials-jwt, enterprise, workload',
      "misspelt.auth.tokn: unknown field; did you mean 'token'?",
      'unclear.type: missing; expected a command or a url',
      'unclear.mode: found "dynamc"; expected strict or dynamic; did you mean \'dynamic\'?',
    ])
  })

  it('names what to write instead of each field of the earlier design', async () => {
    const toolbox = `toolbox:
    max_concurrent: 10
    tools:
      - name: get_customer
        max_instances: 10
        colour: red
    mcps:
      - name: customers
        url: http://localhost:8180/mcp
        transport: streamable_http
        mode: dynamic
        default_tool_config:
          max_instances: 10
          timeout: P0DT0H0M30S
        prompts: []
        tool_allowlist: [read_*]
`
    const short = async (text: string) =>
      (await complaint(text)).map((line) => line.replace('is a name of an earlier design; write', '→'))
    expect(await short(`myai:\n  ${toolbox}`)).toEqual([
      'ostler.yaml:3:5: myai.toolbox.max_concurrent: → toolbox.maxConcurrent',
      'ostler.yaml:5:9: myai.toolbox.tools.0.name: → toolbox.tools[].name',
      'ostler.yaml:6:9: myai.toolbox.tools.0.max_instances: → toolbox.tools[].maxInstances',
      'ostler.yaml:7:9: myai.toolbox.tools.0.colour: unknown field',
      'ostler.yaml:9:9: myai.toolbox.mcps.0.name: → mcpServers.customers',
      'ostler.yaml:10:9: myai.toolbox.mcps.0.url: → mcpServers.customers.url',
      'ostler.yaml:11:9: myai.toolbox.mcps.0.transport: → mcpServers.customers.type (streamable_http is http)',
      'ostler.yaml:12:9: myai.toolbox.mcps.0.mode: → mcpServers.customers.mode',
      'ostler.yaml:13:9: myai.toolbox.mcps.0.default_tool_config: → mcpServers.customers.defaultToolConfig',
      'ostler.yaml:14:11: myai.toolbox.mcps.0.default_tool_config.max_instances: → mcpServers.customers.defaultToolConfig.maxInstances',
      'ostler.yaml:15:11: myai.toolbox.mcps.0.default_tool_config.timeout: → mcpServers.customers.defaultToolConfig.timeout',
      'ostler.yaml:16:9: myai.toolbox.mcps.0.prompts: → mcpServers.customers.prompts',
      'ostler.yaml:17:9: myai.toolbox.mcps.0.tool_allowlist: → mcpServers.customers.toolAllowlist',
    ])
    expect(
      await short(
        'toolbox: { max_concurrent: 3, mcps: [{ name: a$& }, { url: x }] }\nmyai: { constructor: 1 }',
      ),
    ).toEqual([
      "ostler.yaml:1:12: toolbox.max_concurrent: unknown field; did you mean 'maxConcurrent'?",
      'ostler.yaml:1:40: toolbox.mcps.0.name: → mcpServers.a$&',
      'ostler.yaml:1:55: toolbox.mcps.1.url: → mcpServers.NAME.url',
      'ostler.yaml:2:9: myai.constructor: unknown field',
    ])
  })

  it.each([
    [
      'a type is needed if there is no command and no URL to tell it from',
      customers.replace(/ {4}(type|url):.*\n/g, ''),
      'mcpServers.customers.type: missing; expected a command or a url',
    ],
    [
      'a server has a command or a URL',
      customers.replace('type: http', 'command: customers'),
      'mcpServers.customers.url: unknown field for this type',
    ],
    [
      'a number that may have been meant as seconds',
      customers.replace('mode: dynamic', 'mode: dynamic\n    timeout: 60'),
      'must be between 1000 ms and 300000 ms, but is 60 ms; for seconds, write 60s',
    ],
    [
      'two names for one field',
      customers.replace('mode: dynamic', 'mode: dynamic\n    enabled: true\n    disabled: true'),
      'mcpServers.customers.disabled: unknown field',
    ],
    [
      'https is required beyond this machine',
      customers.replace('localhost', 'example.com'),
      'must use https: plain http to other machines',
    ],
    [
      'the mode of a server is required',
      customers.replace('mode: dynamic', 'required: true'),
      "mcpServers.customers.mode: MCP server 'customers' is missing required field 'mode'",
    ],
    [
      'also beside the fields of a README',
      'mcpServers: { x: { command: x, args: [], timeout: 5s } }',
      "mcpServers.x.mode: MCP server 'x' is missing required field 'mode'",
    ],
    [
      'dynamic requires its defaults',
      'mcpServers: { customers: { command: x, mode: dynamic } }',
      "mcpServers.customers.defaultToolConfig: MCP server 'customers' is configured with mode='dynamic' but missing required field 'defaultToolConfig'; write defaultToolConfig: {} for the default limits",
    ],
    ...['mode: strict', 'mode: dynamic\n    defaultToolConfig: {}\n    required: true'].map((decisive) => [
      `a server that is checked at the start does not wait (${decisive.slice(-14)})`,
      `mcpServers:\n  x:\n    command: x\n    start: known-on-demand\n    ${decisive}`,
      'mcpServers.x.start: a strict or required server is checked at the start, so it cannot wait',
    ]),
    [
      'a server sleeps after a second at the earliest',
      'sessionServers: { idle: 900ms }',
      'sessionServers.idle: found "900ms"; expected never, or a duration between 1s and 24h, such as 10m',
    ],
    [
      'what waits by the name of a server is one of three words',
      'sessionServers: { schemas: { github: lazy, "*": full } }',
      'sessionServers.schemas.github: found "lazy"; expected one of: auto, full, deferred',
    ],
    [
      'and so is what waits of all servers',
      'sessionServers: { schemas: lazy }',
      'sessionServers.schemas: found "lazy"; expected auto, full, deferred, or one of them by the name of each server',
    ],
    [
      'or never',
      'sessionServers: { idle: seldom }',
      'sessionServers.idle: found "seldom"; expected never, or a duration between 1s and 24h, such as 10m',
    ],
    [
      'a URL is a URL',
      customers.replace('http://localhost:8180/mcp', 'localhost'),
      'must be an http or https URL',
    ],
    [
      'instances are positive',
      customers.replace('maxInstances: 10', 'maxInstances: 0'),
      'mcpServers.customers.defaultToolConfig.maxInstances: found 0; expected at least 1',
    ],
    [
      'instances are whole',
      customers.replace('maxInstances: 10', 'maxInstances: 1.5'),
      'mcpServers.customers.defaultToolConfig.maxInstances: ',
    ],
    [
      'a duration is positive',
      customers.replace('P0DT0H0M30S', 'PT0S'),
      'must be between 1 ms and 86400000 ms, but is 0 ms',
    ],
    [
      'a server’s time-out is bounded',
      customers.replace('mode: dynamic', 'mode: dynamic\n    timeout: 10m'),
      'must be between 1000 ms and 300000 ms, but is 600000 ms',
    ],
    [
      'what has no effect is refused',
      'sessionServers: { defaultToolConfig: { include: manual } }',
      'sessionServers.defaultToolConfig.include: has no effect: the tools of the editor’s servers are always offered',
    ],
    [
      'retries are bounded',
      customers.replace('mode: dynamic', 'mode: dynamic\n    retryAttempts: 6'),
      'retryAttempts: found 6; expected at most 5',
    ],
  ])('%s', async (_, text, message) => {
    expect(await complaint(text)).toEqual([expect.stringContaining(message)])
  })

  it('never contain a value that may be a secret', async () => {
    const text = customers.replace(
      'mode: dynamic',
      'mode: dynamic\n    auth: { type: bearer, token: 12345678 }\n    headers: { x: 87654321 }',
    )
    const lines = await complaint(text)
    expect(lines).toHaveLength(2)
    expect(lines.join('\n')).not.toMatch(/1234|8765/)
  })
})

describe('a syntax error', () => {
  const braces =
    'JSON in braces cannot follow other YAML. Remove the outer braces and the spaces before the fields inside them, or write the whole file as JSON, in ostler.json'

  it.each([
    ['in one line', 'model: offline\n{ "mcpServers": { "a": { "command": "npx" } } }\n', 2],
    [
      'in several lines',
      'model: offline\n\n{\n  "mcpServers": {\n    "a": { "command": "npx" }\n  }\n}\n',
      3,
    ],
    [
      'below an indented field',
      'approval:\n  mode: auto\n{\n  "mcpServers": {\n    "a": { "command": "npx" }\n  }\n}\n',
      3,
    ],
  ])('for braces around a pasted block %s says what to remove', async (_, text, line) => {
    expect(await complaint(text)).toEqual([`ostler.yaml:${line}:1: ${braces}`])
  })

  it.each([
    [
      'a map',
      'mcpServers:\n  web: { type: http, url: https://x.example, auth: { type: bearer, token: ${T} } }\n',
      2,
    ],
    ['a list', 'mcpServers:\n  a:\n    type: stdio\n    command: a\n    args: [--key, ${KEY:-none}]\n', 5],
  ])('for a variable in the braces of %s asks for quotes', async (_, text, line) => {
    const [first = '', ...others] = await complaint(text)
    expect(first).toMatch(
      new RegExp(
        `^ostler\\.yaml:${line}:\\d+: in braces or brackets, a variable must be in quotes: "\\$\\{NAME\\}"$`,
      ),
    )
    expect(others).toEqual([])
  })

  it('is gone without the outer braces', async () => {
    const { file } = await load(
      'approval:\n  mode: auto\n"mcpServers": {\n    "a": { "command": "npx" }\n  }\n',
    )
    expect(file.mcpServers).toHaveProperty('a')
  })

  it('is reported once per line', async () => {
    expect(await complaint('{ "mcpServers": {} }\nname: x\n"model": [ }\n')).toEqual([
      expect.stringMatching(/^ostler\.yaml:2:1: /),
      expect.stringMatching(/^ostler\.yaml:3:\d+: /),
    ])
  })
})

describe('entries as they are in READMEs', () => {
  const readmes: readonly (readonly [string, string, Record<string, unknown>])[] = [
    [
      'a command',
      '{ "command": "npx", "args": ["-y", "@x/server"], "env": { "KEY": "k" } }',
      { type: 'stdio', command: 'npx', args: ['-y', '@x/server'], env: { KEY: 'k' } },
    ],
    ['a URL', '{ "url": "https://x.example/mcp" }', { type: 'http', url: 'https://x.example/mcp' }],
    ['a URL for server-sent events', '{ "url": "https://x.example/sse" }', { type: 'sse' }],
    [
      'type http',
      '{ "type": "http", "url": "https://x.example/sse", "headers": { "X": "y" } }',
      { type: 'http', headers: { X: 'y' } },
    ],
    ['type streamable-http', '{ "type": "streamable-http", "url": "https://x.example" }', { type: 'http' }],
    ['type streamableHttp', '{ "type": "streamableHttp", "url": "https://x.example" }', { type: 'http' }],
    ['type sse', '{ "type": "sse", "url": "https://x.example/mcp", "headers": {} }', { type: 'sse' }],
    ['type stdio', '{ "type": "stdio", "command": "x" }', { type: 'stdio' }],
    ['a transport', '{ "transport": "streamable-http", "url": "https://x.example" }', { type: 'http' }],
    ['serverUrl', '{ "serverUrl": "https://x.example/mcp" }', { type: 'http', url: 'https://x.example/mcp' }],
    ['httpUrl', '{ "httpUrl": "https://x.example/mcp" }', { type: 'http', url: 'https://x.example/mcp' }],
    ['disabled', '{ "command": "x", "disabled": true }', { enabled: false }],
    ['not disabled', '{ "command": "x", "disabled": false }', { enabled: true }],
    [
      'a variable',
      '{ "url": "https://x.example", "headers": { "A": "Bearer ${env:TOKEN}" } }',
      { headers: { A: 'Bearer t' } },
    ],
  ]

  it.each(readmes)('%s', async (_, entry, expected) => {
    const { file, notes } = await load(`{ "mcpServers": { "x": ${entry} } }`, { TOKEN: 't' }, 'ostler.json')
    expect(file.mcpServers['x']).toMatchObject({
      mode: 'dynamic',
      required: false,
      trusted: false,
      enabled: true,
      ...expected,
    })
    expect(file.mcpServers['x']).toHaveProperty('defaultToolConfig', {})
    expect(notes).toEqual([
      'ostler.json:1:19: mcpServers.x: counts as mode: dynamic with the default limits, because it says no mode',
    ])
  })

  it('numbers, true and false among the variables become the text that was written', async () => {
    const { file } = await load(
      '{ "mcpServers": { "x": { "command": "x", "env": { "PORT": 8080, "DEBUG": true, "API": 1.10, "ID": 12345678901234567890 } } } }',
      {},
      'ostler.json',
    )
    expect(file.mcpServers['x']).toMatchObject({
      env: { PORT: '8080', DEBUG: 'true', API: '1.10', ID: '12345678901234567890' },
    })
  })

  it('other values among the variables are refused', async () => {
    expect(await complaint('mcpServers: { x: { command: x, env: { A: null, B: [1] } } }')).toEqual([
      'ostler.yaml:1:39: mcpServers.x.env.A: found null; expected string',
      'ostler.yaml:1:48: mcpServers.x.env.B: found a list; expected string',
    ])
  })

  it.each([
    ['startup_timeout_sec', '20', 'timeout is the time for connecting, such as 30s'],
    ['tool_timeout_sec', '60', 'defaultToolConfig.timeout is the time for a call, such as 60s'],
    ['envFile', '".env"', 'the file is not read. Write its variables in env'],
    ['gallery', 'true', 'it belongs to another program'],
    ['_comment', '"a note"', 'it belongs to another program'],
  ])('%s has no effect, and a warning says so', async (field, value, reason) => {
    const { warnings, file } = await load(
      `{ "mcpServers": { "x": { "command": "x", "${field}": ${value} } } }`,
      {},
      'ostler.json',
    )
    expect(file.mcpServers['x']).not.toHaveProperty(field)
    expect(warnings).toEqual([
      expect.stringContaining(`ostler.json:1:42: mcpServers.x.${field}: has no effect: ${reason}`),
    ])
  })

  it.each(['dynamic', 'strict'])(
    'a list that leaves out no tool is no filter, and the mode stays %s',
    async (mode) => {
      const { warnings, file } = await load(
        `mcpServers: { x: { command: x, mode: ${mode}, defaultToolConfig: {}, tools: ["*"], disabledTools: [] } }`,
      )
      expect(file.mcpServers['x']).toMatchObject({ mode })
      expect(warnings).toEqual([])
    },
  )

  it.each([
    ['disabledTools', '[drop]', 'write its names in toolDenylist'],
    ['excludeTools', '[drop]', 'write its names in toolDenylist'],
    ['includeTools', '[find]', 'write its names in toolAllowlist'],
    ['includeTools', '[]', 'write its names in toolAllowlist'],
    ['tools', '[]', 'write its names in toolAllowlist'],
    ['tools', '["*", find]', 'write its names in toolAllowlist'],
    ['disabledTools', '"drop"', 'this list belongs to another program. Instead, write'],
  ])('%s: %s is an error that says what to write instead', async (field, list, advice) => {
    expect(await complaint(`mcpServers: { x: { command: x, ${field}: ${list}, mode: strict } }`)).toEqual([
      expect.stringMatching(
        new RegExp(`^ostler\\.yaml:1:32: mcpServers\\.x\\.${field}: .*${RegExp.escape(advice)}`),
      ),
    ])
  })

  it('what an error says to write instead of a list of allowed tools admits only those', async () => {
    const { file } = await load(
      'mcpServers: { x: { command: x, mode: dynamic, defaultToolConfig: {}, toolAllowlist: [find] } }',
    )
    const policy = toAgentServer('x', file.mcpServers['x']!)
    const { tools } = toAdmission({
      server: 'x',
      origin: 'x',
      policy,
      offered: ['find', 'drop'],
      configured: toConfiguredTools(file),
    })
    expect([...tools.keys()]).toEqual(['find'])
  })

  it('a stored entry takes no numbers as variables, because only texts are kept secret, and no file of variables', () => {
    const { problems } = parseServerEntry(
      'x',
      { command: 'x', mode: 'strict', env: { TOKEN: 12345678 }, envFile: '.env', tools: ['*'] },
      {},
    )
    expect(problems.map(({ path, message }) => `${path.join('.')}: ${message}`).toSorted()).toEqual([
      'env.TOKEN: found a number; expected string',
      'envFile: unknown field',
    ])
  })

  it('permissions of another program have no effect, and a warning says so', async () => {
    const { warnings, file } = await load(
      '{ "mcpServers": { "x": { "command": "x", "autoApprove": ["rm"], "alwaysAllow": [], "trust": true } } }',
      {},
      'ostler.json',
    )
    expect(file.mcpServers['x']).not.toHaveProperty('trust')
    expect(file.approval).toEqual({ mode: 'always-ask', trustedTools: [], reads: 'allow' })
    expect(warnings).toEqual(
      ['autoApprove', 'alwaysAllow', 'trust'].map((field) =>
        expect.stringContaining(
          `mcpServers.x.${field}: has no effect: approval and toolbox.tools say which tools may run`,
        ),
      ),
    )
  })

  it('fit the JSON Schema for editors', () => {
    const matches = compileSchema(toAgentFileJsonSchema())
    for (const [name, entry] of readmes.filter(
      ([, entry]) => !/transport|serverUrl|httpUrl|disabled|streamableHttp/.test(entry),
    ))
      expect({ name, fits: matches({ mcpServers: { x: JSON.parse(entry) as unknown } }) }).toEqual({
        name,
        fits: true,
      })
    const refused = [{ args: [] }, { command: 'x', timeout: 1_000 }, { command: 'x', mode: 'dynamic' }]
    for (const x of refused) expect({ x, fits: matches({ mcpServers: { x } }) }).toEqual({ x, fits: false })
    for (const x of [
      { command: 'x', mode: 'strict' },
      { command: 'x', timeout: 1_000, mode: 'dynamic', defaultToolConfig: {} },
    ])
      expect({ x, fits: matches({ mcpServers: { x } }) }).toEqual({ x, fits: true })
  })
})

describe('${VAR} in an agent file', () => {
  it('is expanded', async () => {
    const { file } = await load('model: ${PROVIDER}/${MODEL:-qwen3}', { PROVIDER: 'ollama' })
    expect(file.model).toBe('ollama/qwen3')
  })

  it('is an error that names the field if it is unset', async () => {
    expect(await complaint('model: ${MODEL}\nsystemPrompt: ${PROMPT}')).toEqual([
      'ostler.yaml:1:1: model: the variable MODEL is not set; ${MODEL:-default} gives it a value',
      'ostler.yaml:2:1: systemPrompt: the variable PROMPT is not set; ${PROMPT:-default} gives it a value',
    ])
  })
})

describe('the environment', () => {
  it('overrides any value of the file', async () => {
    const env = {
      OSTLER_MCP_SERVERS__CUSTOMERS__MODE: 'strict',
      OSTLER_MCP_SERVERS__CUSTOMERS__DEFAULT_TOOL_CONFIG__MAX_INSTANCES: '3',
      OSTLER_MODEL: '123',
      OSTLER_TOOLBOX__TOOLS__0__NAME: 'get',
      OSTLER_APPROVAL__TRUSTED_TOOLS: '["a:b"]',
    }
    const { file, sourceOf } = await load(`model: offline\n${customers}`, env)
    expect(file).toMatchObject({
      model: '123',
      mcpServers: { customers: { mode: 'strict', defaultToolConfig: { maxInstances: 3, timeout: 30_000 } } },
      toolbox: { tools: [{ name: 'get' }] },
      approval: { trustedTools: ['a:b'] },
    })
    expect(sourceOf('mcpServers', 'customers', 'mode')).toBe('OSTLER_MCP_SERVERS__CUSTOMERS__MODE')
    expect(sourceOf('mcpServers', 'customers', 'url')).toBe('ostler.yaml:6:5')
  })

  it('overrides a field of an entry of a list', async () => {
    const { file } = await load('toolbox: { tools: [{ name: a }, { name: b, timeout: 1s }] }', {
      OSTLER_TOOLBOX__TOOLS__1__TIMEOUT: '5s',
    })
    expect(file.toolbox.tools).toEqual([{ name: 'a' }, { name: 'b', timeout: 5_000 }])
  })

  it('can add a server without a file', async () => {
    const env = {
      OSTLER_MCP_SERVERS__FILES__TYPE: 'stdio',
      OSTLER_MCP_SERVERS__FILES__COMMAND: 'files',
      OSTLER_MCP_SERVERS__FILES__MODE: 'strict',
    }
    expect((await loadAgentFile(undefined, env)).file.mcpServers).toMatchObject({
      files: { command: 'files', mode: 'strict' },
    })
  })

  it('is checked like the file, and an error names the variable', async () => {
    expect(await complaint(customers, { OSTLER_MCP_SERVERS__CUSTOMERS__MODE: 'loose' })).toEqual([
      'OSTLER_MCP_SERVERS__CUSTOMERS__MODE: mcpServers.customers.mode: found "loose"; expected strict or dynamic',
    ])
    expect(await complaint(customers, { OSTLER_MCP_SERVER__CUSTOMERS__MODE: 'strict' })).toEqual([
      "OSTLER_MCP_SERVER__CUSTOMERS__MODE: there is no field 'MCP_SERVER'; did you mean 'mcpServers'?",
    ])
  })

  it("ignores other programs' variables", async () => {
    expect(
      (await load('', { OSTLER_AGENT: '/x', OSTLER_SOMETHING: 'else', OTHER__THING: '1' })).file.model,
    ).toBeUndefined()
  })
})
