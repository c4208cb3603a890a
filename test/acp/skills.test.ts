import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AgentConfig } from '@ostler/agent-api'
import { expect, test } from 'vitest'
import type { AcpInProcess } from '../support/acp-harness.ts'
import { openSessionLab, type SessionLab } from '../support/acp-sessions.ts'
import type { ModelRequest, Reply } from '../support/loopback-model/index.ts'
import { textIn } from '../support/loopback-model/window.ts'

const slowScript = fileURLToPath(new URL('../fixtures/servers/slow-start.mjs', import.meta.url))

/** Reads the skill that the prompt names: `read NAME [FILE]`. */
function script({ messages }: ModelRequest): Reply {
  const last = messages.at(-1)
  const [, name, file] = /^read (\S+)(?: (\S+))?$/.exec(textIn(last)) ?? []
  return last?.role === 'user' && name !== undefined
    ? { toolCalls: [{ name: 'read_skill', args: { name, ...(file !== undefined && { file }) } }] }
    : { text: 'ok' }
}

interface Skilled extends AsyncDisposable {
  readonly lab: SessionLab
  readonly editor: AcpInProcess
  readonly sessionId: string
  prompt(text: string): Promise<ModelRequest | undefined>
}

const skill = (name: string, description: string, text: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${text}\n`

/** Files are below the folder of the test: `home` is the home directory, `project` the working directory. */
async function openSkilled(
  files: Readonly<Record<string, string>>,
  agent: AgentConfig = {},
): Promise<Skilled> {
  await using opened = new AsyncDisposableStack()
  const lab = opened.use(await openSessionLab(script))
  for (const [path, text] of Object.entries({ 'project/README.md': '', 'home/.profile': '', ...files })) {
    await mkdir(dirname(join(lab.path, path)), { recursive: true })
    await writeFile(join(lab.path, path), text)
  }
  const env = { ...lab.model.env, HOME: join(lab.path, 'home') }
  const editor = opened.use(await lab.open({ agent: { env, ...agent } }))
  const { sessionId } = await editor.newSession({ cwd: join(lab.path, 'project') })
  const all = opened.move()
  return {
    lab,
    editor,
    sessionId,
    async prompt(text) {
      await editor.prompt(sessionId, text)
      return lab.model.requests.at(-1)
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

const deploy = {
  'project/.agents/skills/deploy/SKILL.md': skill(
    'deploy',
    'How to deploy the stable',
    'First feed the horses. Then run deploy.sh.',
  ),
}
const resultOf = (request: ModelRequest | undefined) =>
  request?.messages
    .at(-1)
    ?.parts.map((part) => ('text' in part ? part.text : ''))
    .join('\n')

test('skills of the project and of the home directory are offered by name, and read on demand', async () => {
  await using skilled = await openSkilled({
    ...deploy,
    'home/.agents/skills/letters/SKILL.md': skill('letters', '>\n  How to write\n  letters', 'Be kind.'),
  })
  const request = await skilled.prompt('hello')
  expect(request?.system).toMatch(/- letters: How to write letters\n- deploy: How to deploy the stable/)
  expect(request?.system).not.toContain('feed the horses')
  expect(resultOf(await skilled.prompt('read deploy'))).toMatch(
    /The folder of this skill is .*deploy\.\n\n\s*First feed the horses/,
  )
  expect(resultOf(await skilled.prompt('read letters'))).toContain('Be kind.')
  expect(skilled.editor.permissionRequests()).toEqual([])
})

test('files in the folder of a skill are read, and no others', async () => {
  await using skilled = await openSkilled({
    ...deploy,
    'project/.agents/skills/deploy/docs/hosts.md': 'one host',
    'secret.md': 'the secret',
  })
  await symlink(
    join(skilled.lab.path, 'secret.md'),
    join(skilled.lab.path, 'project/.agents/skills/deploy/link.md'),
  )
  expect(resultOf(await skilled.prompt('read deploy docs/hosts.md'))).toBe('one host')
  for (const file of [
    'link.md',
    '../../../../secret.md',
    join(skilled.lab.path, 'secret.md'),
    'docs',
    'missing.md',
  ]) {
    expect(resultOf(await skilled.prompt(`read deploy ${file}`))).toContain(`no readable text file '${file}'`)
  }
  expect(resultOf(await skilled.prompt('read deplay'))).toBe(
    "There is no skill 'deplay'. Did you mean 'deploy'?",
  )
})

test('a skill cannot reach a file of secrets without a question', async () => {
  await using skilled = await openSkilled({
    ...deploy,
    'project/.env': 'TOKEN=one',
    'project/.agents/skills/deploy/hosts.env': 'TOKEN=two',
  })
  const folder = join(skilled.lab.path, 'project/.agents/skills')
  await symlink('../../../.env', join(folder, 'deploy/link.md'))
  for (const file of ['link.md', 'hosts.env']) {
    expect(resultOf(await skilled.prompt(`read deploy ${file}`))).toContain(`no readable text file '${file}'`)
  }
})

test('a skill that links out of its place is refused with a reason', async () => {
  await using skilled = await openSkilled({
    ...deploy,
    'project/.git/HEAD': 'ref: refs/heads/main',
    'project/SKILL.md': skill('root', 'All of the project', 'text'),
    'project/src/app.ts': '',
    'project/notes/plan.md': 'the plan',
    'project/shared/feed/SKILL.md': skill('feed', 'How to feed', 'Oats.'),
    'project/shared/feed/hay.md': 'hay',
    'elsewhere/SKILL.md': skill('elsewhere', 'Of another project', 'text'),
    'home/.agents/skills/all/SKILL.md': skill('all', 'x', 'text'),
  })
  const { lab } = skilled
  const folder = join(lab.path, 'project/.agents/skills')
  await symlink('../..', join(folder, 'whole'))
  await symlink('..', join(folder, 'agents'))
  await symlink(join(lab.path, 'elsewhere'), join(folder, 'away'))
  await symlink('../../shared/feed', join(folder, 'feed'))
  await symlink('../../../notes/plan.md', join(folder, 'deploy/plan.md'))
  await using editor = await lab.open({ agent: { env: { ...lab.model.env, HOME: join(lab.path, 'home') } } })
  const { sessionId } = await editor.newSession({ cwd: join(lab.path, 'project/src') })
  const ask = async (text: string) => {
    await editor.prompt(sessionId, text)
    return lab.model.requests.at(-1)
  }
  const [, list] = /read_skill:\n((?:- .*\n?)+)/.exec((await ask('hello'))?.system ?? '') ?? []
  expect(list?.trim().split('\n')).toEqual([
    '- all: x',
    '- deploy: How to deploy the stable',
    '- feed: How to feed',
  ])
  await ask('/help')
  expect(editor.text(sessionId)).toMatch(
    /skills\/whole is not used as a skill: it is a link to a folder that contains it/,
  )
  expect(editor.text(sessionId)).toMatch(
    /skills\/away is not used as a skill: it is a link out of the project/,
  )
  expect(resultOf(await ask('read deploy plan.md'))).toContain(
    "no readable text file 'plan.md'. Links out of its folder are not followed.",
  )
  expect(resultOf(await ask('read feed hay.md'))).toBe('hay')
})

test('a huge folder of skills is not read to its end, and /help says so', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 1_100 }, (_, index) => [`project/.agents/skills/file${index}.md`, '']),
  )
  await using skilled = await openSkilled(files)
  await skilled.prompt('/help')
  expect(skilled.editor.text(skilled.sessionId)).toContain(
    'skills has too many entries: only 300 folders are read.',
  )
})

test('a skill is a slash command', async () => {
  await using skilled = await openSkilled(deploy)
  await skilled.editor.waitForUpdate(
    skilled.sessionId,
    'available_commands_update',
    ({ availableCommands }) =>
      availableCommands.some(
        ({ name, description }) => name === 'deploy' && description === 'How to deploy the stable',
      ),
  )
  const request = await skilled.prompt('/deploy to the second server')
  expect(textIn(request?.messages.at(-1))).toMatch(
    /^Use the skill 'deploy'\. Its folder is [^]*<skill>\nFirst feed the horses[^]*<\/skill>\n\nto the second server$/,
  )
})

test("a project does not replace a person's skill, and broken skills are left out", async () => {
  await using skilled = await openSkilled({
    ...deploy,
    'home/.agents/skills/mine/SKILL.md': skill('deploy', 'My own way', 'Mine.'),
    'project/.agents/skills/none/SKILL.md': 'no frontmatter',
    'project/.agents/skills/nameless/SKILL.md': '---\ndescription: Named after its folder\n---\ntext',
    'project/.agents/skills/silent/SKILL.md': '---\nname: silent\n---\ntext',
    'project/.agents/skills/odd/SKILL.md': '---\nname: "../odd"\ndescription: d\n---\ntext',
    'project/.agents/skills/bomb/SKILL.md': '---\na: &a [x]\nname: *a\ndescription: d\n---\ntext',
  })
  const request = await skilled.prompt('hello')
  const [, list] = /read_skill:\n((?:- .*\n?)+)/.exec(request?.system ?? '') ?? []
  expect(list?.trim().split('\n')).toEqual(['- deploy: My own way', '- nameless: Named after its folder'])
  expect(resultOf(await skilled.prompt('read deploy'))).toContain('Mine.')
})

test('many skills with long descriptions are bounded', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 150 }, (_, index) => [
      `project/.agents/skills/s${index}/SKILL.md`,
      skill(`s${index}`, 'long '.repeat(500), 'text'),
    ]),
  )
  await using skilled = await openSkilled(many)
  const request = await skilled.prompt('hello')
  expect(request?.system.length).toBeLessThan(14_000)
  expect(request?.system).toMatch(/- and \d+ more, which the person can name/)
})

test('a command that is cancelled before the model reads it leaves a trace for the model', async () => {
  const commands = [{ name: 'review', description: 'Review a file', prompt: 'Review $ARGUMENTS.' }]
  await using lab = await openSessionLab(script, { agent: { commands, connectWaitMs: 60_000 } })
  await using editor = await lab.open()
  const gate = join(lab.path, 'gate')
  await writeFile(gate, '')
  const slow = { name: 'slow', command: process.execPath, args: [slowScript, '0', 'slow', gate], env: [] }
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [slow] })
  for (const text of ['/review app.ts', 'look at b.ts', '/compact']) {
    const answered = editor.prompt(sessionId, text)
    editor.notify('session/cancel', { sessionId })
    expect(await answered).toEqual({ stopReason: 'cancelled' })
  }
  await rm(gate)
  await editor.prompt(sessionId, 'hello')
  expect(lab.model.requests.at(-1)?.messages.map(textIn)).toEqual([
    '/review app.ts',
    expect.stringContaining('not answered'),
    'look at b.ts',
    expect.stringContaining('not answered'),
    'hello',
  ])
})

test('skills can be switched off', async () => {
  await using skilled = await openSkilled(deploy, { skills: false })
  const request = await skilled.prompt('hello')
  expect(request?.system).not.toContain('deploy')
  expect(request?.tools.map(({ name }) => name)).not.toContain('read_skill')
})

test('commands of the agent file put their arguments into the prompt', async () => {
  const commands = [
    {
      name: 'review',
      description: 'Review a file',
      prompt: 'Review $ARGUMENTS. Then say what $ARGUMENTS does.',
      hint: '[file]',
    },
    { name: 'tests', description: 'Run the tests', prompt: 'Run all tests.' },
    { name: 'mcp', description: 'Hidden by the built-in command', prompt: 'x' },
  ]
  await using skilled = await openSkilled({}, { commands })
  const texts = [
    ['/review app.ts $& $1', 'Review app.ts $& $1. Then say what app.ts $& $1 does.'],
    ['/tests', 'Run all tests.'],
    ['/tests twice', 'Run all tests.\n\ntwice'],
  ] as const
  for (const [prompt, read] of texts)
    expect(textIn((await skilled.prompt(prompt))?.messages.at(-1))).toBe(read)
  await skilled.prompt('/help')
  expect(skilled.editor.text(skilled.sessionId)).toContain('- `/review [file]`: Review a file')
  expect(skilled.editor.text(skilled.sessionId)).not.toContain('Hidden by')
})
