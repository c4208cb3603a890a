import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../support/run-cli.ts'
import { openAcpProcess, selectPermission } from '../support/acp-harness.ts'
import { fixtureServer } from '../support/agent-files.ts'
import { canary, filesOf } from '../support/canaries.ts'
import { startLoopbackModel, type ModelRequest, type Reply } from '../support/loopback-model/index.ts'
import { openTempDir } from '../support/temp-dir.ts'

const secret = canary('Disguised')
const server = fixtureServer('disguising-server.mjs')
/** Hidden characters, literally and as JSON escapes. */
const hidden =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- Hidden characters are what this is about.
  /[\u0007\u000d\u001b\u009b\u00ad\u200b\u200d\u202e\u2060\ufe0f\ufeff\u{e0041}\u{e0100}]|\\u00(?:07|1b|9b|ad)|\\u200[bd]|\\u202e|\\u2060|\\ufe(?:0f|ff)|\\r(?!\\n)/giu

/** Undoes what a reader could undo: removes hidden characters, case, and gaps between hex digits. */
function readable(text: string): string {
  return text.replace(hidden, '').toLowerCase()
}

const hex = Buffer.from(secret).toString('hex')
const disguises = [
  secret.toLowerCase(),
  hex,
  hex.replace(/../g, '$& ').trim(),
  Buffer.from(secret.toUpperCase()).toString('hex'),
]

function leaksIn(outputs: Readonly<Record<string, string>>): string[] {
  return Object.entries(outputs).flatMap(([name, output]) => {
    const text = readable(output)
    return disguises.flatMap((disguise) => {
      const at = text.indexOf(disguise)
      return at === -1 ? [] : [`${name}: …${text.slice(Math.max(0, at - 80), at + disguise.length)}`]
    })
  })
}

function hiddenIn(outputs: Readonly<Record<string, string>>): string[] {
  return Object.entries(outputs).flatMap(([name, output]) =>
    [...output.matchAll(hidden)].slice(0, 3).map(({ 0: character, index }) => {
      return `${name}: ${JSON.stringify(character)} in ${JSON.stringify(output.slice(Math.max(0, index - 60), index + 30))}`
    }),
  )
}

test('a secret that a server disguises is redacted wherever a server can send text, and nothing hidden gets through', async () => {
  await using dir = await openTempDir()
  await using model = await startLoopbackModel({ vendor: 'anthropic', script })
  const state = join(dir.path, 'state')
  const log = join(dir.path, 'log')
  await using editor = await openAcpProcess({
    args: ['--model', model.modelId, '--state-dir', state, '--log-level', 'debug', '--log-file', log],
    env: model.env,
    capabilities: { session: { notices: {} }, elicitation: { form: {}, url: {} } },
    handlers: {
      'session/request_permission': selectPermission('allow_once'),
      'elicitation/create': () => ({ action: 'accept', content: { text: 'an answer' } }),
    },
  })
  await editor.initialize()
  const env = [{ name: 'API_TOKEN', value: secret }]
  const { sessionId } = await editor.newSession({
    cwd: dir.path,
    mcpServers: ['stdio', 'broken'].map((name) => ({
      name,
      command: process.execPath,
      args: [server, name],
      env,
    })),
  })
  await editor.prompt(sessionId, 'go')
  await editor.prompt(sessionId, '/mcp')
  await editor.prompt(sessionId, '/tools')
  await editor.prompt(sessionId, '/stdio:note x')
  const offered = model.requests[0]?.tools.map(({ name }) => name) ?? []
  const commands = (
    await editor.waitForUpdate(
      sessionId,
      'available_commands_update',
      ({ availableCommands }) => availableCommands.length > 2,
    )
  ).availableCommands
  const methods = new Set(editor.received().map(({ method }) => method))
  editor.closeInput()
  await editor.exit
  const wire = editor.transcript
    .flatMap(({ direction, line }) => (direction === 'received' ? [line] : []))
    .join('\n')
  const { stdout } = await runCli(['sessions', 'export', '--state-dir', state, sessionId], {
    env: { HOME: dir.path },
    cwd: dir.path,
  })

  // Every channel was used.
  expect(offered).toEqual(expect.arrayContaining(['stdio__tell', 'stdio__fail', 'stdio__ask']))
  expect(methods).toContain('elicitation/create')
  expect(model.requests.some(({ system }) => system.startsWith('sampling'))).toBe(true)
  for (const [name, text] of Object.entries({
    wire,
    model: JSON.stringify(model.requests.map(({ body }) => body)),
    stdout,
  })) {
    expect(text.split('<begin> [redacted]').length, name).toBeGreaterThan(5)
  }
  const shown = { wire, model: JSON.stringify(model.requests.map(({ body }) => body)), export: stdout }
  const kept = { log: await readFile(log, 'utf8'), stderr: editor.stderr(), ...(await filesOf(state)) }
  expect(leaksIn({ ...shown, ...kept })).toEqual([])
  expect(hiddenIn(shown)).toEqual([])
  // A tool with hidden characters in its choices cannot be called, and such a prompt cannot be typed.
  expect(offered).not.toContain('stdio__hides')
  expect(commands.map(({ name }) => name)).not.toContain('stdio:hidden')
  expect(wire).toContain('hidden characters')
})

function script({ system, tools, messages }: ModelRequest): Reply {
  if (system.startsWith('sampling')) return { text: 'sampled' }
  if (messages.length > 1) return { text: 'done' }
  const wanted = tools.filter(({ name }) => /__(?:tell|fail|ask)$/.test(name))
  return { toolCalls: wanted.map(({ name }) => ({ name, args: { text: 'x' } })) }
}
