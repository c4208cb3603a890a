import { expect, test } from 'vitest'
import { refuseStale, saw } from '../../../../packages/agent-api/src/workspace/files/stale-file-version.ts'
import { createWorkspaceMemory } from '../../../../packages/agent-api/src/workspace/workspace-memory.ts'
import type { TextFile } from '../../../../packages/agent-api/src/workspace/workspace.ts'

const pathOf = (name: string) => ({
  path: name,
  real: name,
  shown: name,
  isOutside: false,
  sensitivity: undefined,
  otherNames: 0,
})
const fileOf = (text: string): TextFile => ({ text, form: { encoding: 'utf-8', hasBom: false } })

test.each<[string, TextFile | undefined, TextFile | undefined, RegExp]>([
  ['has changed', fileOf('old'), fileOf('new'), /It has changed since/],
  ['was deleted', fileOf('old'), undefined, /It was deleted since/],
  ['was created', undefined, fileOf('new'), /It was created by someone else since/],
])('a file that %s is not written', (_, seen, now, reason) => {
  const memory = createWorkspaceMemory()
  saw(memory, pathOf('a'), seen)
  refuseStale(memory, pathOf('a'), seen)
  expect(() => refuseStale(memory, pathOf('a'), now)).toThrow(reason)
})

test('the 1000 files that were seen last are remembered', () => {
  const memory = createWorkspaceMemory()
  const see = (name: string) => saw(memory, pathOf(name), fileOf('old'))
  for (let index = 0; index < 1_000; index++) see(`${index}`)
  for (const name of ['1', '1000', '1001']) see(name)
  const isRemembered = (name: string) => {
    try {
      refuseStale(memory, pathOf(name), fileOf('new'))
      return false
    } catch {
      return true
    }
  }
  expect(['0', '1', '2', '3', '1001'].map(isRemembered)).toEqual([false, true, false, true, true])
  expect(memory.fileVersions.size).toBe(1_000)
})
