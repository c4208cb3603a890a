import { execFileSync } from 'node:child_process'
import { link, mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { RequestPermissionRequest, ToolCallContent } from '@agentclientprotocol/sdk'
import { describe, expect, test } from 'vitest'
import { openAcpProcess, selectPermission } from '../support/acp-harness.ts'
import { createEditorServices } from '../support/acp-editor-tools.ts'
import { startLoopbackModel } from '../support/loopback-model/index.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { editors, openToolSession, type ToolSession } from '../support/tool-session.ts'

/** Answers with the option of this id, or rejects. */
const choose = (id: string) => (params: unknown) => {
  const offered = (params as RequestPermissionRequest).options.some(({ optionId }) => optionId === id)
  return { outcome: { outcome: 'selected', optionId: offered ? id : 'reject-once' } }
}

const textIn = (content: readonly ToolCallContent[] | null | undefined) =>
  (content ?? [])
    .map((each) => (each.type === 'content' && each.content.type === 'text' ? each.content.text : ''))
    .join('\n')
const diffsIn = (content: readonly ToolCallContent[] | null | undefined) =>
  (content ?? []).filter(({ type }) => type === 'diff')
const optionIds = ({ options }: RequestPermissionRequest) => options.map(({ optionId }) => optionId)
const cards = ({ editor, sessionId }: ToolSession) =>
  editor.updates(sessionId).filter((update) => update.sessionUpdate === 'tool_call')

describe.each(editors)('in an editor with %s', (_, capabilities) => {
  test('reading in the directories of the session needs no approval', async () => {
    await using session = await openToolSession(capabilities)
    await writeFile(join(session.cwd, 'a.txt'), 'hello')
    expect(await session.call('read_file', { path: 'a.txt' })).toContain('hello')
    expect(session.editor.permissionRequests()).toEqual([])
    expect(cards(session)).toMatchObject([
      { kind: 'read', title: expect.stringContaining('a.txt'), status: 'pending' },
    ])
  })

  test('with reads: ask, reading needs approval like any other call', async () => {
    await using session = await openToolSession(capabilities, { agent: { reads: 'ask' } })
    await writeFile(join(session.cwd, 'a.txt'), 'hello')
    expect(await session.call('read_file', { path: 'a.txt' })).toContain('hello')
    expect(session.editor.permissionRequests().map(optionIds)).toEqual([
      ['allow-once', 'allow-session', 'allow-always', 'reject-once', 'reject-always'],
    ])
  })

  test('a change shows its diff before it is allowed, and a rejection changes nothing', async () => {
    await using session = await openToolSession(capabilities, {
      onPermission: selectPermission('reject_once'),
    })
    const path = join(session.cwd, 'a.txt')
    await writeFile(path, 'one\ntwo\n')
    const diff = { type: 'diff', path, oldText: 'one\ntwo\n', newText: 'one\n2\n' }
    const result = await session.call('edit_file', {
      path: 'a.txt',
      edits: [{ old_text: 'two', new_text: '2' }],
    })
    expect(result).toContain('The person did not allow this call.')
    const [asked] = session.editor.permissionRequests()
    expect(diffsIn(asked?.toolCall.content)).toEqual([diff])
    expect(asked?.toolCall.title).toMatch(/^Edit a\.txt/)
    expect(asked?.toolCall.locations).toMatchObject([{ path }])
    expect(cards(session)).toMatchObject([{ kind: 'edit', content: [diff], locations: [{ path }] }])
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\n')
  })

  test('nobody is asked about a call that cannot work, and the model reads why', async () => {
    await using session = await openToolSession(capabilities)
    expect(
      await session.call('edit_file', { path: 'missing.txt', edits: [{ old_text: 'a', new_text: 'b' }] }),
    ).not.toContain('allow')
    expect(session.editor.permissionRequests()).toEqual([])
    expect(session.editor.updates(session.sessionId)).toContainEqual(
      expect.objectContaining({ status: 'failed' }),
    )
  })

  test.each(['always-ask', 'auto'] as const)(
    'in the mode %s, a path outside needs approval under its real name, and then works',
    async (mode) => {
      await using outside = await openTempDir()
      await using session = await openToolSession(capabilities, { agent: { mode } })
      const real = join(await realpath(outside.path), 'a.txt')
      await writeFile(real, 'outside')
      await symlink(outside.path, join(session.cwd, 'link'))
      expect(await session.call('read_file', { path: 'link/a.txt' })).toContain('outside')
      const [asked] = session.editor.permissionRequests()
      expect(textIn(asked?.toolCall.content)).toContain(real)
      expect(textIn(asked?.toolCall.content)).toContain("outside the session's directories")
      expect(optionIds(asked!)).toEqual(['allow-once', 'allow-session', 'reject-once'])
      expect(
        await session.call('write_file', { path: join(outside.path, 'b.txt'), content: 'new' }),
      ).not.toContain('did not allow')
      expect(await readFile(join(outside.path, 'b.txt'), 'utf8')).toBe('new')
      expect(session.editor.permissionRequests()).toHaveLength(2)
      // The diff is in the question. The card shows it once the call has been allowed.
      expect(diffsIn(session.editor.permissionRequests()[1]?.toolCall.content)).toHaveLength(1)
      expect(cards(session).flatMap(({ content }) => diffsIn(content))).toEqual([])
    },
  )

  test('a folder outside can be allowed for the session, for one tool', async () => {
    await using outside = await openTempDir()
    await using session = await openToolSession(capabilities, { onPermission: choose('allow-session') })
    const folder = await realpath(outside.path)
    await mkdir(join(folder, 'sub'))
    for (const name of ['a.txt', 'sub/b.txt']) await writeFile(join(folder, name), name)
    expect(await session.call('read_file', { path: join(folder, 'a.txt') })).toContain('a.txt')
    expect(session.editor.permissionRequests()[0]?.options[1]).toMatchObject({
      name: `Allow this tool in ${folder} for this session`,
    })
    expect(await session.call('read_file', { path: join(folder, 'sub/b.txt') })).toContain('sub/b.txt')
    expect(session.editor.permissionRequests()).toHaveLength(1)
    await session.call('write_file', { path: join(folder, 'c.txt'), content: 'c' })
    expect(session.editor.permissionRequests()).toHaveLength(2)
    // A listed folder is allowed itself, not the one above it.
    expect(await session.call('list_directory', { path: folder })).toContain('a.txt')
    expect(session.editor.permissionRequests()[2]?.options[1]).toMatchObject({
      name: `Allow this tool in ${folder} for this session`,
    })
  })

  test('a file of secrets needs approval each time, in every mode, and is kept if it is rejected', async () => {
    await using session = await openToolSession(capabilities, {
      agent: { mode: 'auto', builtinTools: { read_file: { approval: 'allow' } } },
      onPermission: choose('allow-always'),
    })
    const path = join(session.cwd, '.env')
    await writeFile(path, 'VALUE=1')
    for (let count = 0; count < 2; count++)
      expect(await session.call('read_file', { path: '.env' })).toContain('did not allow')
    expect(await session.call('write_file', { path: '.env', content: 'VALUE=2' })).toContain('did not allow')
    expect(session.editor.permissionRequests().map(optionIds)).toEqual(
      Array.from({ length: 3 }, () => ['allow-once', 'reject-once']),
    )
    expect(textIn(session.editor.permissionRequests()[0]?.toolCall.content)).toContain(await realpath(path))
    // The old content is in the question, and nowhere else.
    expect(diffsIn(session.editor.permissionRequests()[2]?.toolCall.content)).toMatchObject([
      { oldText: 'VALUE=1' },
    ])
    expect(JSON.stringify(session.editor.updates(session.sessionId))).not.toContain('VALUE=1')
    expect(await readFile(path, 'utf8')).toBe('VALUE=1')
  })

  test.each([
    '.husky/pre-commit',
    '.vscode/tasks.json',
    '.cargo/config.toml',
    '.git/hooks/pre-commit',
    '.npmrc',
    '.envrc',
  ])(
    'a change of %s, which can make another program run, needs approval each time, in every mode',
    async (path) => {
      await using session = await openToolSession(capabilities, {
        agent: {
          mode: 'auto',
          builtinTools: { write_file: { approval: 'allow' }, edit_file: { approval: 'allow' } },
        },
        onPermission: choose('allow-always'),
      })
      await mkdir(dirname(join(session.cwd, path)), { recursive: true })
      await writeFile(join(session.cwd, path), 'old\n')
      expect(
        await session.call('edit_file', { path, edits: [{ old_text: 'old', new_text: 'new' }] }),
      ).toContain('did not allow')
      expect(await session.call('write_file', { path, content: 'x' })).toContain('did not allow')
      expect(session.editor.permissionRequests().map(optionIds)).toEqual(
        Array.from({ length: 2 }, () => ['allow-once', 'reject-once']),
      )
      expect(await readFile(join(session.cwd, path), 'utf8')).toBe('old\n')
    },
  )

  test.each<[what: string, init: readonly (readonly string[])[], path: string]>([
    [
      'the folder that a .git file names',
      [['init', '-q', '--separate-git-dir', 'gitdata', '.']],
      'gitdata/config',
    ],
    ['a bare repository', [['init', '-q', '--bare', 'docs/sample.git']], 'docs/sample.git/config'],
    ['a new file of a bare repository', [['init', '-q', '--bare', 'sample']], 'sample/hooks/new'],
    [
      'core.hooksPath',
      [
        ['init', '-q'],
        ['config', 'core.hooksPath', 'tools/hooks'],
      ],
      'tools/hooks/pre-commit',
    ],
    [
      'core.fsmonitor',
      [
        ['init', '-q'],
        ['config', 'core.fsmonitor', './tools/monitor.sh'],
      ],
      'tools/monitor.sh',
    ],
    [
      'included settings',
      [
        ['init', '-q'],
        ['config', 'include.path', '../tools/gitconfig'],
      ],
      'tools/gitconfig',
    ],
    [
      'core.hooksPath of another repository',
      [
        ['init', '-q', '--separate-git-dir', 'gitdata', '.'],
        ['config', 'core.hooksPath', 'tools/hooks'],
      ],
      'tools/hooks/post-commit',
    ],
  ])("a change of git's own files needs approval in every mode: %s", async (_what, init, path) => {
    await using session = await openToolSession(capabilities, {
      agent: { mode: 'auto' },
      onPermission: selectPermission('reject_once'),
    })
    for (const args of init) execFileSync('git', args, { cwd: session.cwd })
    expect(await session.call('write_file', { path, content: 'x' })).toContain('did not allow')
    expect(session.editor.permissionRequests().map(optionIds)).toEqual([['allow-once', 'reject-once']])
    expect(await session.call('write_file', { path: 'tools/other', content: 'x' })).not.toContain(
      'did not allow',
    )
  })

  test('a change of a file with hard links is asked about in every mode, with the number of its other names', async () => {
    await using outside = await openTempDir()
    await using session = await openToolSession(capabilities, {
      agent: { mode: 'auto' },
      onPermission: choose('allow-session'),
    })
    const path = join(session.cwd, 'node_modules/left-pad/index.js')
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, 'old')
    for (const name of ['store.js', 'other-project.js']) await link(path, join(outside.path, name))
    expect(await session.call('read_file', { path })).toContain('old')
    expect(session.editor.permissionRequests()).toEqual([])
    expect(await session.call('write_file', { path, content: 'new' })).not.toContain('did not allow')
    const [asked] = session.editor.permissionRequests()
    expect(textIn(asked?.toolCall.content)).toContain(
      `${await realpath(path)} (this file has 2 other names, which may be outside)`,
    )
    expect(optionIds(asked!)).toEqual(['allow-once', 'allow-session', 'reject-once'])
    expect(await readFile(join(outside.path, 'store.js'), 'utf8')).toBe('new')
    await session.call('edit_file', { path, edits: [{ old_text: 'new', new_text: 'newer' }] })
    expect(session.editor.permissionRequests()).toHaveLength(2)
  })

  test('another name of a file of secrets needs approval to be read', async () => {
    await using session = await openToolSession(capabilities, {
      agent: { mode: 'auto' },
      onPermission: selectPermission('reject_once'),
    })
    await writeFile(join(session.cwd, '.env'), 'VALUE=1')
    await mkdir(join(session.cwd, 'docs'))
    await link(join(session.cwd, '.env'), join(session.cwd, 'docs/notes.txt'))
    expect(await session.call('read_file', { path: 'docs/notes.txt' })).toContain('did not allow')
    expect(session.editor.permissionRequests()).toHaveLength(1)
  })

  test('a file that can make another program run is read, listed and searched like any other', async () => {
    await using session = await openToolSession(capabilities)
    await mkdir(join(session.cwd, '.vscode'))
    await writeFile(join(session.cwd, '.vscode/tasks.json'), '{ "label": "build" }')
    expect(await session.call('read_file', { path: '.vscode/tasks.json' })).toContain('build')
    expect(await session.call('list_directory', { path: '.vscode' })).toContain('tasks.json')
    expect(await session.call('search_files', { pattern: 'label' })).toContain('.vscode/tasks.json')
    expect(session.editor.permissionRequests()).toEqual([])
  })

  test("the agent's own file and tools need approval each time, whatever they are called", async () => {
    await using services = createEditorServices()
    await using dir = await openTempDir()
    const bot = join(dir.path, 'bot.yaml')
    const tool = `export default { ref: { server: null, tool: 'shout' }, description: '', kind: 'other', inputSchema: { type: 'object' }, execute() {} }`
    let next: { name: string; args: object } = { name: '', args: {} }
    await using model = await startLoopbackModel({
      vendor: 'anthropic',
      script: (request) =>
        request.messages.at(-1)?.parts.at(-1)?.type === 'tool_result'
          ? { text: 'done' }
          : { toolCalls: [next] },
    })
    const agent = [
      `model: ${model.modelId}`,
      'approval: { mode: auto }',
      'localTools: [./lib/own.mjs]',
      'toolbox: { tools: [{ name: shout }] }',
    ].join('\n')
    await mkdir(join(dir.path, 'lib'))
    await writeFile(join(dir.path, 'lib/own.mjs'), tool)
    await writeFile(bot, agent)
    await writeFile(join(dir.path, 'other.yaml'), agent)
    await using editor = await openAcpProcess({
      args: ['--agent', bot, '--state-dir', join(dir.path, 'state')],
      env: model.env,
      capabilities,
      handlers: services.handlers,
      onPermission: choose('allow-always'),
    })
    await editor.initialize()
    const { sessionId } = await editor.newSession({ cwd: dir.path })
    const call = async (name: string, args: object) => {
      next = { name, args }
      await editor.prompt(sessionId, 'go')
      const last = model.requests.at(-1)?.messages.at(-1)?.parts.at(-1)
      return last?.type === 'tool_result' ? last.text : ''
    }
    for (const path of ['bot.yaml', './lib/../bot.yaml', 'lib/own.mjs']) {
      expect(await call('write_file', { path, content: 'approval: { mode: auto }' })).toContain(
        'did not allow',
      )
      expect(await call('read_file', { path })).toContain('did not allow')
    }
    expect(await call('search_files', { pattern: 'localTools' })).toMatch(
      /other\.yaml\n3: [^]*Matches in 1 file that usually holds secrets are not shown/,
    )
    expect(await call('write_file', { path: 'other.yaml', content: '{}' })).toContain('Wrote other.yaml')
    expect(editor.permissionRequests().map(optionIds)).toEqual(
      Array.from({ length: 6 }, () => ['allow-once', 'reject-once']),
    )
    expect(await readFile(bot, 'utf8')).toBe(agent)
  })

  test('in the mode read-only the model is told so, reads, and changes nothing, without a question', async () => {
    await using session = await openToolSession(capabilities)
    const { editor, sessionId, model } = session
    await editor.request('session/set_mode', { sessionId, modeId: 'read-only' })
    await writeFile(join(session.cwd, 'a.txt'), 'hello')
    expect(await session.call('read_file', { path: 'a.txt' })).toContain('hello')
    expect(model.requests.at(-1)?.system).toContain('This session is read-only')
    expect(await session.call('write_file', { path: 'b.txt', content: 'x' })).toContain(
      'not allowed (mode:read-only)',
    )
    expect(
      await session.call('update_plan', { entries: [{ content: 'Write b.txt', status: 'pending' }] }),
    ).toContain('shown')
    expect(editor.permissionRequests()).toEqual([])
    await editor.request('session/set_mode', { sessionId, modeId: 'auto' })
    expect(await session.call('write_file', { path: 'b.txt', content: 'x' })).not.toContain('not allowed')
    expect(model.requests.at(-1)?.system).not.toContain('read-only')
    expect(await readFile(join(session.cwd, 'b.txt'), 'utf8')).toBe('x')
  })
})

test('a tool that is switched off is not offered, and one that is restricted follows its settings', async () => {
  await using session = await openToolSession(
    { elicitation: { form: {} } },
    {
      agent: {
        mode: 'auto',
        builtinTools: {
          edit_file: { enabled: false },
          ask_person: { enabled: false },
          write_file: { approval: 'deny' },
        },
      },
    },
  )
  expect(await session.call('write_file', { path: 'a.txt', content: 'x' })).toContain(
    'not allowed (tool:deny)',
  )
  const offered = session.model.requests[0]?.tools.map(({ name }) => name)
  expect(offered).toContain('read_file')
  expect(offered).not.toContain('edit_file')
  expect(offered).not.toContain('ask_person')
  expect(offered).not.toContain('write_file')
})

test('built-in tools that are switched off are not offered', async () => {
  await using session = await openToolSession({}, { agent: { builtinTools: false } })
  expect(await session.call('read_file', { path: 'a.txt' })).toContain('There is no tool')
  expect(session.model.requests[0]?.tools).toEqual([])
})
