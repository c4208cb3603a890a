import { expect, test } from 'vitest'
import { silentLogger } from '../../../packages/agent-api/src/base/logger.ts'
import { defaultTiming } from '../../../packages/agent-api/src/base/timing.ts'
import {
  createBuiltinTools,
  openWorkspace,
} from '../../../packages/agent-api/src/workspace/create-builtin-tools.ts'
import type { BuiltinToolsOptions } from '../../../packages/agent-api/src/workspace/open-builtin-tools.ts'

test('sessions share the schemas of the built-in tools, so each is formatted and kept once', async () => {
  const options = {
    roots: ['/'],
    ownFiles: [],
    settings: {},
    timing: defaultTiming,
    logger: silentLogger,
    cleaner: {},
  } as unknown as BuiltinToolsOptions
  await using workspace = openWorkspace(options)
  const [one = [], other = []] = [0, 1].map(() => createBuiltinTools(workspace, options))
  const own = one.filter(({ inputSchema }, index) => inputSchema !== other[index]?.inputSchema)
  // Its schema contains a limit from the agent file.
  expect(own.map(({ ref }) => ref.tool)).toEqual(['run_command'])
})
