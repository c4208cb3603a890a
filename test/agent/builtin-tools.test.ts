import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openAgent, promptText } from './agent-harness.ts'

const edit = { name: 'edit_file', args: { path: 'a.txt', edits: [{ old_text: 'one', new_text: '1' }] } }

it('a program without an editor has the built-in tools, on the disk', async () => {
  await using setup = await openAgent([{ toolCalls: [edit] }, { text: 'done' }])
  await writeFile(join(setup.folder, 'a.txt'), 'one\n')
  await promptText(setup.agent.createSession({ cwd: setup.folder }), 'go')
  expect(await readFile(join(setup.folder, 'a.txt'), 'utf8')).toBe('1\n')
})

it('a program may provide the files itself, with content that is not saved', async () => {
  await using setup = await openAgent([{ toolCalls: [edit] }, { text: 'done' }])
  const path = join(setup.folder, 'a.txt')
  await writeFile(path, 'on disk\n')
  const buffers = new Map([[path, 'one, in memory\n']])
  const workspace = {
    readText: (name: string) => Promise.resolve(buffers.get(name) ?? ''),
    writeText: (name: string, text: string) => Promise.resolve(void buffers.set(name, text)),
  }
  await promptText(setup.agent.createSession({ cwd: setup.folder, workspace }), 'go')
  expect(buffers.get(path)).toBe('1, in memory\n')
  expect(await readFile(path, 'utf8')).toBe('on disk\n')
})

it('without anyone to ask, a change is refused', async () => {
  await using setup = await openAgent([{ toolCalls: [edit] }, { text: 'done' }], { mode: 'always-ask' })
  await writeFile(join(setup.folder, 'a.txt'), 'one\n')
  await promptText(setup.agent.createSession({ cwd: setup.folder }), 'go')
  expect(await readFile(join(setup.folder, 'a.txt'), 'utf8')).toBe('one\n')
})
