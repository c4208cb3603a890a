import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runOstler } from '../cli/run-ostler.ts'
import { openAcpProcess } from '../support/acp-harness.ts'
import { sumServer } from '../support/acp-scripted.ts'
import { startHistoryProcess } from '../support/history-processes.ts'
import { until } from '../support/processes.ts'
import { openTempDir } from '../support/temp-dir.ts'

const canary = 'canary-7f3a91'

async function filesWithCanary(stateDir: string): Promise<readonly string[]> {
  const names = (await readdir(stateDir)).filter((name) => name.startsWith('ostler.db'))
  const found = await Promise.all(
    names.map(async (name) => (await readFile(join(stateDir, name))).includes(canary)),
  )
  return names.filter((_, index) => found[index])
}

it.each(['another process', 'nobody'])(
  'the servers of a killed process are in no file after the next start, with %s at the state',
  async (who) => {
    await using folder = await openTempDir()
    // A process of its own: reading the files here would release the locks that this process holds on them.
    await using other = who === 'nobody' ? undefined : startHistoryProcess('holder', folder.path, 'call')
    await other?.line((line) => line === 'ready')
    await using editor = await openAcpProcess({ args: ['--model', 'offline', '--state-dir', folder.path] })
    await editor.initialize()
    const server = sumServer(canary)
    await editor.newSession({ cwd: folder.path, mcpServers: [{ ...server, args: [...server.args, canary] }] })
    await until('the servers to be shown', async () => (await filesWithCanary(folder.path)).length > 0)
    process.kill(editor.pid, 'SIGKILL')
    await editor.exit
    expect(await filesWithCanary(folder.path)).not.toEqual([])

    expect(await runOstler(['sessions', 'list', '--state-dir', folder.path])).toMatchObject({ code: 0 })
    await expect.poll(() => filesWithCanary(folder.path)).toEqual([])
  },
)
