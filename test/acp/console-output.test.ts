import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openAgentLab } from '../support/agent-lab.ts'

/** A local tool that uses the console while its module is loaded, and in each call. */
const talkativeTool = `
  const say = (when) => {
    for (const name of ['log', 'info', 'debug', 'warn', 'error']) console[name](name + ' ' + when, 'with details')
    console.dir({ dir: when })
    console.table([{ table: when }])
    console.group('group ' + when)
    console.count('count ' + when)
  }
  say('while loading')
  const execute = async () => { say('in a call'); return { isError: false, content: [{ type: 'text', text: 'done' }] } }
  export const talk = { ref: { server: null, tool: 'talk' }, description: 'Talks', inputSchema: { type: 'object' }, kind: 'other', execute }`

it('console output of a local tool never reaches the protocol: it is in the log, or on stderr', async () => {
  await using lab = await openAgentLab([{ toolCalls: [{ name: 'talk', args: {} }] }, { text: 'fine' }])
  await writeFile(join(lab.path, 'talk.mjs'), talkativeTool)
  await lab.writeAgentFile({
    approval: { mode: 'auto' },
    localTools: ['./talk.mjs'],
    toolbox: { tools: [{ name: 'talk' }] },
  })
  const log = join(lab.path, 'log')
  // The end of this block fails if a line of stdout is no message.
  await using editor = await lab.start({ args: ['--log-level', 'debug', '--log-file', log] })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  expect(await editor.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' })
  for (const when of ['while loading', 'in a call']) {
    for (const name of ['log', 'info', 'debug', 'warn', 'error'])
      expect(await readFile(log, 'utf8')).toContain(`"${name} ${when}"`)
    for (const text of [`dir: '${when}'`, `table: '${when}'`, `group ${when}`, `count ${when}`])
      expect(editor.stderr()).toContain(text)
  }
  expect(await readFile(log, 'utf8')).not.toContain('with details')
})
