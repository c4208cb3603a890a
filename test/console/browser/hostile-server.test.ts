import { createStoredState, type QuestionBody } from '@ostler/agent-api/internal'
import { expect, test } from 'vitest'
import { fixtureServer } from '../../support/agent-files.ts'
import type { ModelRequest, Reply } from '../../support/loopback-model/index.ts'
import { openBeacon, type Beacon } from '../support/beacon.ts'
import { seen } from '../support/browser.ts'
import { openConsoleLab, openSession, type ConsoleLab } from '../support/console-lab.ts'
import { hostileName, hostileText, inspectPage } from '../support/hostile-text.ts'

/** Checks that each text has arrived, because otherwise a test would always pass. */
function unseen(fields: ReadonlySet<string>, wanted: readonly string[]): string[] {
  return wanted.filter((field) => !fields.has(field))
}

interface HostileLab {
  readonly lab: ConsoleLab
  readonly beacon: Beacon
  readonly say: (field: string) => string
  readonly args: (transport: 'stdio' | 'asking' | 'broken') => string[]
  /** Inspects the current page with everything expanded. */
  inspect(): Promise<void>
  /** All fields whose text has been seen so far. */
  readonly fields: ReadonlySet<string>
}

/** Checks that no injected code ran and no request was sent. Disposing the lab checks the rest. */
async function withHostile(
  use: (hostile: HostileLab) => Promise<void>,
  script?: (request: ModelRequest) => Reply,
): Promise<void> {
  await using beacon = await openBeacon()
  await using lab = await openConsoleLab({ file: 'approval: { mode: auto }\n', ...(script && { script }) })
  const fields = new Set<string>()
  const template = hostileText(beacon.origin)
  await use({
    lab,
    beacon,
    fields,
    say: (field) => template.replaceAll('FIELD', field),
    args: (transport) => [fixtureServer('hostile-server.mjs'), transport, template],
    async inspect() {
      const found = await lab.page.evaluate<{ problems: string[]; fields: string[] }>(inspectPage)
      expect(found.problems).toEqual([])
      for (const field of found.fields) fields.add(field)
    },
  })
  // Injected code has had enough time to run.
  expect(await lab.page.evaluate('globalThis.__xss')).toBeUndefined()
  expect(beacon.visits).toEqual([])
}

test('hostile text of a server about itself and its tools is only displayed', async () => {
  await withHostile(async ({ lab, args, inspect, fields }) => {
    const name = hostileName('name')
    const entry = {
      type: 'stdio',
      command: process.execPath,
      args: args('asking'),
      description: hostileName('about'),
      enabled: false,
    }
    await lab.console.ask('POST', '/api/servers', { name, entry })
    await lab.go('/servers')
    await lab.get('button', 'Connect').click()
    await inspect()
    await lab.inDialog('button', 'Run and connect').click()
    await lab.sees('Connected')
    await inspect()
    await lab.get('button', 'Edit').click()
    await lab.inDialog('button', 'Test connection').click()
    await lab.inDialog('list', 'Discovered tools').waitFor()
    await inspect()
    expect(
      unseen(fields, ['name', 'about', 'server-title', 'server-version', 'tool', 'tool-title', 'left-out']),
    ).toEqual([])

    await lab.go(`/servers/${encodeURIComponent(name)}`)
    const tools = lab.get('region', 'Tools').getByRole('link')
    await seen(() => tools.count()).toBe(5)
    for (const index of [0, 1, 2, 3]) {
      await tools.nth(index).click()
      await lab.get('heading', 'Try it').waitFor()
      await inspect()
      await lab.get('radio', 'JSON').check()
      await lab.get('textbox', 'Arguments (JSON)').fill('{}')
      await lab.press('Run tool')
      if (index === 3) {
        await lab.sees(/\(progress\)/)
        await inspect()
        await lab.press('Cancel')
      }
      await lab
        .get('region', 'Try it')
        .getByText(/^(Succeeded|Failed|Cancelled)$/)
        .waitFor()
      await inspect()
    }
    await lab.get('link', /^asks/).click()
    await lab.get('radio', 'JSON').check()
    await lab.get('textbox', 'Arguments (JSON)').fill('{}')
    await lab.press('Run tool')
    for (const [text, refusal] of [
      ['(form-message)', 'Decline'],
      ['(page-message)', 'Decline'],
      ['(sampling-text)', 'Reject'],
    ] as const) {
      const question = lab.get('article', /^Asks/).filter({ hasText: text })
      await question.waitFor()
      await inspect()
      await question.getByRole('button', { name: refusal }).click()
    }
    await lab.get('region', 'Result').getByText('asked').waitFor()
    await lab.get('link', 'Log').click()
    await lab.page.getByLabel('Log lines').waitFor()
    await inspect()
    await lab.get('link', 'Protocol').click()
    const messages = lab.get('list', 'Messages').getByRole('button', { name: /received/ })
    for (const index of [0, 1, 2, 3]) {
      await messages.nth(index).click()
      await lab.page.getByLabel('Message', { exact: true }).waitFor()
      await inspect()
      await messages.nth(index).click()
    }
    for (const part of ['About', 'Settings', 'Calls']) {
      await lab
        .get('navigation', /^Parts of/)
        .getByRole('link', { name: part })
        .click()
      await inspect()
    }
    await lab.get('link', /^Prompts \d+$/).click()
    await lab.get('list', 'Prompts').waitFor()
    await inspect()
    await lab.get('link', /^Resources \d+$/).click()
    await lab.get('list', 'Templates').waitFor()
    await lab
      .get('list', 'Resources')
      .getByRole('button', { name: /^Read / })
      .click()
    await lab.get('list', 'Resources').locator('pre').waitFor()
    await inspect()
    const described = [
      'schema-title',
      'property',
      'property-title',
      'property-description',
      'default',
      'enum',
      'enum-description',
      'item',
      'pattern',
    ]
    const results = [
      'text',
      'html',
      'json-key',
      'json-value',
      'image-type',
      'resource-uri',
      'resource-text',
      'blob-uri',
      'link-title',
      'link',
      'structured',
    ]
    const others = [
      'error-text',
      'rpc-error',
      'progress',
      'uri',
      'read-text',
      'resource-about',
      'prompt',
      'prompt-about',
      'argument',
    ]
    const asked = [
      'form-message',
      'form-title',
      'form-choice',
      'page-message',
      'sampling-text',
      'sampling-prompt',
    ]
    const parts = ['logged', 'logger', 'instructions', 'template-name', 'template-about']
    expect(unseen(fields, [...described, ...results, ...others, ...asked, ...parts])).toEqual([])

    await lab.go('/agent?view=servers')
    await lab.get('list', 'Servers of the agent').waitFor()
    await inspect()
    await lab.go('/agent')
    // After the built-in tools come those of the server.
    await lab.page.locator('.tool-policy tbody tr').nth(12).waitFor()
    await inspect()
  })
})

test('so is its output, and so are imported settings', async () => {
  await withHostile(async ({ lab, args, say, inspect, fields }) => {
    await lab.console.ask('POST', '/api/servers', {
      name: 'broken',
      entry: {
        type: 'stdio',
        command: process.execPath,
        args: args('broken'),
        retryAttempts: 0,
        enabled: false,
      },
    })
    await lab.go('/servers')
    await lab.press('Connect')
    await lab.inDialog('button', 'Run and connect').click()
    await lab.get('alert').waitFor()
    await inspect()
    expect(unseen(fields, ['stderr'])).toEqual([])

    const file = {
      mcpServers: {
        [hostileName('import-name')]: {
          command: say('import-command'),
          args: [say('import-args')],
          env: { [say('import-env')]: say('import-value') },
        },
        [say('import-long-name')]: { command: 'true' },
        plain: { command: 'true' },
        'of a kind': { type: say('import-type') },
        web: {
          url: `javascript:${say('import-url')}`,
          headers: { [say('import-header')]: say('import-header-value') },
        },
      },
      inputs: [{ id: 'key', description: say('import-input'), type: 'promptString' }],
    }
    await lab.press('Add server')
    await lab.inDialog('textbox', 'Command line, URL or JSON').fill(JSON.stringify(file))
    await lab.inDialog('list', /^Servers: /).waitFor()
    await inspect()
    await lab.inDialog('button', /^Add (?:all )?\d/).click()
    await lab
      .get('alert')
      .or(lab.page.getByText(/servers? added/))
      .first()
      .waitFor()
    await inspect()
    expect(unseen(fields, ['import-name', 'import-command', 'import-args'])).toEqual([])
  })
})

test('so are questions, and one that cannot be shown hides no other', async () => {
  await withHostile(async ({ lab, say, inspect, fields }) => {
    using history = createStoredState({ stateDir: lab.stateDir })
    const diff = { type: 'diff', path: say('diff-path'), oldText: say('diff-old'), newText: say('diff-new') }
    const call = {
      kind: 'call',
      callId: 'call_1',
      title: say('title'),
      ref: { server: hostileName('call-server'), tool: say('call-tool') },
      args: { [say('args-key')]: say('args-value') },
      content: [],
      isEditable: true,
      choices: [{ id: 'allow-once', name: say('choice'), kind: 'allow_once' }],
      serverOrigin: say('origin'),
      changes: [say('change')],
      difference: `+${say('difference')}`,
      inputSchema: {
        type: 'object',
        properties: { [say('args-key')]: { type: 'string', description: say('args-about') } },
      },
    }
    const plan = {
      effect: 'command',
      command: { line: say('line'), cwd: say('folder') },
      sensitive: [say('sensitive')],
      outside: [say('outside')],
    }
    const schema = {
      type: 'object',
      properties: { x: { type: 'string', title: say('form-title'), enum: [say('form-choice')] } },
    }
    const html = { uri: 'ui://x', mimeType: 'text/html', text: say('html-resource') }
    const svg = { type: 'image', mimeType: 'image/svg+xml', data: Buffer.from(say('svg')).toString('base64') }
    const bodies: readonly object[] = [
      call,
      { ...call, plan, content: [diff, { type: 'resource', resource: html }, svg] },
      { ...call, title: 'Broken', content: [{ type: 'diff' }, { type: 'resource' }] },
      { kind: 'form', server: hostileName('form-server'), message: say('form-message'), schema },
      {
        kind: 'page',
        server: 'rich',
        message: say('page-message'),
        url: `https://example.com/${encodeURIComponent(say('url'))}`,
      },
    ]
    for (const body of bodies)
      await history.questions.open({
        agent: say('agent'),
        sessionId: say('session'),
        body: body as QuestionBody,
      })
    await lab.go('/questions')
    await seen(() => lab.get('list', 'Questions').getByRole('listitem').count()).toBeGreaterThanOrEqual(
      bodies.length,
    )
    await lab.sees(/^This question cannot be shown/)
    await lab.get('article', 'The server rich asks').waitFor()
    await inspect()
    await lab.get('button', 'Edit arguments').first().click()
    await inspect()
    const shown = [
      'title',
      'call-server',
      'call-tool',
      'args-key',
      'args-value',
      'choice',
      'origin',
      'change',
      'difference',
      'args-about',
    ]
    const planned = [
      'line',
      'folder',
      'sensitive',
      'outside',
      'diff-path',
      'diff-old',
      'diff-new',
      'html-resource',
    ]
    expect(
      unseen(fields, [
        ...shown,
        ...planned,
        'form-server',
        'form-message',
        'form-title',
        'form-choice',
        'page-message',
      ]),
    ).toEqual([])
  })
})

test('so is everything in a session', async () => {
  let say = (field: string): string => field
  const script = ({ messages, tools }: ModelRequest): Reply =>
    messages.at(-1)?.parts.some(({ type }) => type === 'tool_result')
      ? { thoughts: say('thought'), text: say('answer') }
      : {
          text: say('answer-before'),
          // Tools of the server, not the built-in ones. The last one waits until it is cancelled.
          toolCalls: tools
            .filter(({ name }) => name.includes('__'))
            .slice(0, 3)
            .map(({ name }) => ({ name, args: { [say('argument-name')]: say('argument-value') } })),
        }
  await withHostile(async (hostile) => {
    const { lab, args, inspect, fields } = hostile
    say = hostile.say
    await using editor = lab.edit()
    const sessionId = await openSession(editor, lab, [
      { name: hostileName('session-server'), command: process.execPath, args: args('stdio'), env: [] },
      { name: 'broken', command: process.execPath, args: args('broken'), env: [] },
    ])
    await lab.go('/servers')
    await lab.get('list', 'Servers in use now').waitFor()
    await inspect()
    await lab.go('/calls')
    await editor.prompt(sessionId, say('prompt-text'))
    const rows = lab.page.locator('button.call-head')
    await seen(() => rows.count()).toBe(3)
    for (const row of await rows.all()) await row.click()
    await seen(() => lab.get('heading', 'Arguments').count()).toBe(3)
    await inspect()
    await lab.go(`/sessions/${sessionId}`)
    await lab.get('region', 'Turn 1').waitFor()
    await inspect()
    await inspect()
    await lab.go('/sessions')
    await lab.get('list', 'Sessions').waitFor()
    await inspect()
    await editor.request('session/close', { sessionId })
    await lab.get('button', /^Delete/).click()
    await inspect()
    const all = ['session-server', 'prompt-text', 'answer', 'answer-before', 'text', 'error-text', 'tool']
    expect(unseen(fields, all)).toEqual([])
  }, script)
})
