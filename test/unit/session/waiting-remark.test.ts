import { expect, test } from 'vitest'
import { noteSizes } from '../../../packages/agent-api/src/session/tool-sizes.ts'

type Parameters = globalThis.Parameters<typeof noteSizes>

function openNotes() {
  const toolbox = { sizes: { current: undefined }, changed: () => undefined }
  const session = { toolbox, record: { memory: { gauge: { ratio: 1 } } } } as unknown as Parameters[0]
  return {
    note: (tools: Readonly<Record<string, boolean>>) => {
      const wireTools = Object.entries(tools).map(([name, waits]) => ({
        name,
        description: `Does ${name}.`,
        inputSchema: { type: 'object' },
        ...(waits && { deferral: 'deferred' }),
      }))
      const find = (name: string) => ({ tool: { ref: { server: 's', tool: name }, description: 'Works.' } })
      return noteSizes(session, { vendor: 'offline' }, { wireTools, find } as unknown as Parameters[2])
    },
    get remark() {
      return session.toolbox.sizes.current?.remark
    },
  }
}

test('the remark about schemas that wait is new with other tools only, and ends when none waits', async () => {
  const notes = openNotes()
  expect(await notes.note({ a: false, b: false })).toBe(false)
  expect(notes.remark).toBeUndefined()
  expect(await notes.note({ a: true, b: true })).toBe(true)
  expect(notes.remark).toContain('The schemas of 2 tools wait')
  expect(await notes.note({ b: true, a: false })).toBe(false)
  expect(notes.remark).toContain('The schemas of 2 tools wait')
  expect(await notes.note({ a: true, b: true, c: true })).toBe(true)
  expect(notes.remark).toContain('The schemas of 3 tools wait')
  expect(await notes.note({ a: false, b: false, c: false })).toBe(false)
  expect(notes.remark).toBeUndefined()
})
