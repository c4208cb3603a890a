import { expect, it } from 'vitest'
import { agentFileSchema } from '../../../packages/agent-api/src/config/agent-file-schema.ts'
import { toBuiltinSettings } from '../../../packages/agent-api/src/config/to-agent-server.ts'

it.each<[object, object]>([
  [{}, {}],
  [
    { run_command: false, read_file: true },
    { run_command: { enabled: false }, read_file: { enabled: true } },
  ],
  [
    { edit_file: { approval: 'ask', maxInstances: 1 } },
    {
      edit_file: {
        enabled: true,
        approval: 'ask',
        maxInstances: 1,
        timeoutMs: undefined,
        include: undefined,
      },
    },
  ],
  [
    { run_command: { timeout: '1m', timeoutMax: 'PT20M', keepVariables: ['NPM_TOKEN'] } },
    {
      run_command: expect.objectContaining({
        enabled: true,
        timeoutMs: 60_000,
        timeoutMsMax: 1_200_000,
        keepVariables: ['NPM_TOKEN'],
      }),
    },
  ],
  [
    { fetch_url: { privateHosts: ['wiki.local'] } },
    { fetch_url: expect.objectContaining({ privateHosts: ['wiki.local'] }) },
  ],
])('%j', (tools, settings) => {
  expect(toBuiltinSettings(agentFileSchema.parse({ tools }))).toEqual(settings)
})
