import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RequestPermissionRequest } from '@agentclientprotocol/sdk'
import { expect, test } from 'vitest'
import { createEditorServices } from '../support/acp-editor-tools.ts'
import { openScriptedSession } from '../support/acp-scripted.ts'
import type { ModelRequest, Reply } from '../support/loopback-model/index.ts'
import { mixedEditors } from '../support/tool-session.ts'

const project: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "cart", "type": "module" }\n',
  '.gitignore': 'node_modules/\n',
  'src/cart.js': `import { withTax } from './tax.js'

export function total(items) {
  let sum = 0
  for (const { price, count } of items) sum += price
  return withTax(sum)
}
`,
  'src/tax.js': `export const rate = 0.2

export function withTax(sum) {
  return sum * rate
}
`,
  'test/cart.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { total } from '../src/cart.js'

test('the total counts every item and adds the tax', () => {
  assert.equal(total([{ price: 10, count: 2 }, { price: 5, count: 1 }]), 30)
})
`,
}

/** The steps of a model. Each step gets the results of the previous one. */
const steps: readonly ((results: readonly string[]) => Reply)[] = [
  () => ({
    toolCalls: [
      { name: 'search_files', args: { pattern: 'export function', path: 'src' } },
      { name: 'list_directory', args: {} },
    ],
  }),
  ([found]) => ({
    toolCalls: [...new Set(found?.match(/[\w/]*(?:cart|tax)\.js/g))].map((path) => ({
      name: 'read_file',
      args: { path: path.startsWith('src/') ? path : `src/${path}` },
    })),
  }),
  () => ({ toolCalls: [{ name: 'run_command', args: { command: 'node test/cart.test.js' } }] }),
  () => ({
    toolCalls: [
      {
        name: 'edit_file',
        args: {
          path: 'src/cart.js',
          edits: [{ old_text: 'sum += price\n', new_text: 'sum += price * count\n' }],
        },
      },
      {
        name: 'edit_file',
        args: {
          path: 'src/tax.js',
          edits: [{ old_text: 'return sum * rate', new_text: 'return sum * (1 + rate)' }],
        },
      },
    ],
  }),
  () => ({ toolCalls: [{ name: 'run_command', args: { command: 'node test/cart.test.js' } }] }),
  () => ({ text: 'Both bugs are fixed.' }),
]

/** A person who allows what is asked, for longer than once if that is offered. */
function allowForLonger(request: RequestPermissionRequest) {
  const option =
    request.options.find(({ kind }) => kind === 'allow_always') ??
    request.options.find(({ kind }) => kind === 'allow_once')
  return { outcome: { outcome: 'selected', optionId: option?.optionId } }
}

test.each(mixedEditors)(
  'in an editor with %s, a model fixes a failing test of a project, with two questions',
  async (_, capabilities) => {
    await using services = createEditorServices()
    const read: string[][] = []
    const script = (request: ModelRequest): Reply => {
      const results =
        request.messages.at(-1)?.parts.flatMap((part) => (part.type === 'tool_result' ? [part.text] : [])) ??
        []
      read.push(results)
      return steps[read.length - 1]?.(results) ?? { text: 'too many steps' }
    }
    await using session = await openScriptedSession({
      script,
      capabilities,
      handlers: services.handlers,
      onPermission: allowForLonger,
      agent: { mode: 'always-ask' },
    })
    for (const [name, content] of Object.entries(project)) {
      await mkdir(join(session.cwd, name, '..'), { recursive: true })
      await writeFile(join(session.cwd, name), content)
    }
    expect(await session.editor.prompt(session.sessionId, 'The test fails. Fix it.')).toEqual({
      stopReason: 'end_turn',
    })
    expect(session.editor.text(session.sessionId)).toContain('Both bugs are fixed.')
    expect(read[3]?.[0]).toMatch(/fail 1[^]*exit code 1/)
    expect(read[5]?.[0]).toMatch(/pass 1/)
    expect(read[5]?.[0]).not.toMatch(/exit code 1/)
    expect(await readFile(join(session.cwd, 'src/cart.js'), 'utf8')).toBe(
      project['src/cart.js']?.replace('+= price', '+= price * count'),
    )
    expect(await readFile(join(session.cwd, 'src/tax.js'), 'utf8')).toBe(
      project['src/tax.js']?.replace('sum * rate', 'sum * (1 + rate)'),
    )
    expect(session.editor.permissionRequests().map(({ toolCall }) => toolCall.title)).toEqual([
      'node test/cart.test.js',
      // The two edits ask at once, and one answer serves both.
      expect.stringMatching(/^Edit src\/(cart|tax)\.js \(1 place\)$/),
    ])
    await session.editor.prompt(session.sessionId, '/undo')
    expect(await readFile(join(session.cwd, 'src/cart.js'), 'utf8')).toBe(project['src/cart.js'])
  },
)
