import { realpathSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { StdioServerConfig } from '../../../packages/agent-api/src/mcp/server-config.ts'
import { serverIdentity } from '../../../packages/agent-api/src/policy/server-identity.ts'
import { openTempDir } from '../../support/temp-dir.ts'

it('finds a relative command in the folder in which the server starts', async () => {
  await using dir = await openTempDir()
  for (const folder of ['own', 'session', 'start']) {
    await mkdir(join(dir.path, folder))
    await writeFile(join(dir.path, folder, 'server'), '')
    await chmod(join(dir.path, folder, 'server'), 0o700)
  }
  const [own, session, start] = ['own', 'session', 'start'].map((folder) =>
    join(realpathSync(dir.path), folder),
  ) as [string, string, string]
  const config = (): StdioServerConfig => ({
    type: 'stdio',
    name: 'here',
    command: './server',
    args: [],
    env: {},
  })
  expect(serverIdentity({ ...config(), cwd: own }, session)).toMatchObject({
    path: join(own, 'server'),
    cwd: own,
  })
  expect(serverIdentity(config(), session)).toMatchObject({ path: join(session, 'server'), cwd: session })
  expect(serverIdentity(config(), start, true)).toMatchObject({ path: join(start, 'server'), cwd: '' })
})
