import { readdir, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openAcpProcess, type AcpProcess } from '../support/acp-harness.ts'
import { sumServer } from '../support/acp-scripted.ts'
import { fixturePath } from '../support/mcp-clients.ts'
import { descendantsOf, survivorsAfter, until } from '../support/processes.ts'
import { openTempDir } from '../support/temp-dir.ts'

/** The guarantee is 2 s, which test/mcp/processes.test.ts checks. The rest is for a busy machine. */
const killedWithinMs = 2_000 + 2_000

/** There is no guarantee for anything else here. This is time for a busy machine. */
const goneWithinMs = 15_000

/** Ignores the end of its input and SIGTERM, behind a shell that waits for it. */
function stubbornServer(name: string, file: string) {
  const line = [process.execPath, fixturePath('faulty-server.mjs'), 'ignore-sigterm', file]
    .map((word) => `'${word}'`)
    .join(' ')
  return { name, command: '/bin/sh', args: ['-c', `${line}; true`], env: [] }
}

/** Opens a session and waits until all of its servers are connected. */
async function openSession(
  editor: AcpProcess,
  mcpServers: readonly { readonly name: string }[],
): Promise<string> {
  const { sessionId } = await editor.newSession({ cwd: editor.home, mcpServers: [...mcpServers] })
  // Tools with the same name lead to a warning, which does not mean that a server is missing.
  await editor.waitForUpdate(
    sessionId,
    'notice',
    ({ title, description }) =>
      !title.includes('not available') && description?.includes('still connecting') !== true,
  )
  return sessionId
}

test('sessions with 3 servers each, opened and deleted, leave no process and no descriptor', async () => {
  await using folder = await openTempDir()
  const agentFile = join(folder.path, 'ostler.json')
  // Otherwise, the servers of the later sessions would start when they are used.
  await writeFile(agentFile, JSON.stringify({ model: 'offline', sessionServers: { start: 'eager' } }))
  await using editor = await openAcpProcess({
    args: ['--agent', agentFile],
    capabilities: { session: { notices: {} } },
  })
  await editor.initialize()
  const servers = ['one', 'two', 'three'].map((name) => sumServer(name))
  const openAndDelete = async () => {
    const sessions = await Promise.all([openSession(editor, servers), openSession(editor, servers)])
    expect((await descendantsOf(editor.pid)).length).toBeGreaterThanOrEqual(6)
    await Promise.all(sessions.map((sessionId) => editor.request('session/delete', { sessionId })))
  }
  // The first sessions load what stays: code, the shared watchdog, and the thread that waits for the end.
  await openAndDelete()
  await openAndDelete()
  const [processes, descriptors] = await until('a quiet start', async () => {
    const counts = await countsOf(editor.pid)
    return counts[0] <= 1 && counts
  })

  await openAndDelete()
  await openAndDelete()

  await until(
    'the processes to end',
    async () => (await descendantsOf(editor.pid)).length <= processes,
    goneWithinMs,
  )
  const left = await until(
    'the descriptors to be closed',
    async () => (await countsOf(editor.pid))[1] <= descriptors,
    goneWithinMs,
  ).catch(() => openFiles(editor.pid))
  expect(left).toBe(true)
  expect((await openFiles(editor.pid)).filter(isWatch).length).toBeLessThanOrEqual(1)
})

test('SIGKILL of ostler leaves none of its servers, even unresponsive ones', async () => {
  await using dir = await openTempDir()
  await using editor = await openAcpProcess({ capabilities: { session: { notices: {} } } })
  await editor.initialize()
  await openSession(editor, [stubbornServer('one', `${dir.path}/1`), stubbornServer('two', `${dir.path}/2`)])
  await openSession(editor, [stubbornServer('three', `${dir.path}/3`), sumServer()])
  const family = await descendantsOf(editor.pid)
  // Three shells with a server each, a server without a shell, and the watchdog.
  expect(family.length).toBeGreaterThanOrEqual(8)
  process.kill(editor.pid, 'SIGKILL')
  await editor.exit
  expect(await survivorsAfter(family, killedWithinMs)).toEqual([])
})

/** A process that rests watches folders with one descriptor, which comes and goes. */
function isWatch(file: string): boolean {
  return file.endsWith(':inotify')
}

async function countsOf(pid: number): Promise<[processes: number, descriptors: number]> {
  const descriptors = (await openFiles(pid)).filter((file) => !isWatch(file))
  return [(await descendantsOf(pid)).length, descriptors.length]
}

async function openFiles(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`
  const names = await readdir(folder)
  return Promise.all(
    names.map(async (name) => `${name} → ${await readlink(`${folder}/${name}`).catch(() => 'closed')}`),
  )
}
