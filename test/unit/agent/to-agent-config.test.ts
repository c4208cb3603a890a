import { expect, test } from 'vitest'
import { toAgentConfig } from '../../../packages/agent-api/src/agent/to-agent-config.ts'
import { agentFileSchema } from '../../../packages/agent-api/src/config/agent-file-schema.ts'

test.each([
  ['connectWait', { connectWait: '5s' }, { connectWaitMs: 5_000 }],
  ['maxSteps', { maxSteps: 3 }, { maxSteps: 3 }],
  ['toolBudget', { toolBudget: 7 }, { toolBudget: 7 }],
  ['toolbox', { toolbox: { maxConcurrent: 4 } }, { toolbox: { maxConcurrent: 4 } }],
  [
    'sessionServers',
    {
      sessionServers: {
        mode: 'strict',
        approval: 'deny',
        defaultToolConfig: { timeout: '2s', maxInstances: 3 },
        rateLimit: { calls: 2, per: '1m' },
      },
    },
    {
      sessionServers: {
        mode: 'strict',
        approval: 'deny',
        defaultToolConfig: { timeoutMs: 2_000, maxInstances: 3 },
        rateLimit: { calls: 2, perMs: 60_000 },
      },
    },
  ],
  [
    'a tool',
    {
      toolbox: {
        tools: [
          {
            name: 'a',
            server: 'x',
            mode: 'strict',
            maxInstances: 2,
            timeout: '1s',
            include: 'manual',
            approval: 'ask',
          },
        ],
      },
    },
    {
      toolbox: {
        tools: [
          {
            name: 'a',
            server: 'x',
            mode: 'strict',
            maxInstances: 2,
            timeoutMs: 1_000,
            include: 'manual',
            approval: 'ask',
          },
        ],
      },
    },
  ],
  [
    'a server',
    {
      mcpServers: {
        x: {
          type: 'stdio',
          command: 'x',
          mode: 'dynamic',
          defaultToolConfig: { maxInstances: 2 },
          toolAllowlist: ['a'],
          toolDenylist: ['b'],
          prompts: ['p'],
        },
      },
    },
    {
      mcpServers: [
        {
          mode: 'dynamic',
          defaultToolConfig: { maxInstances: 2 },
          toolAllowlist: ['a'],
          toolDenylist: ['b'],
          prompts: ['p'],
        },
      ],
    },
  ],
])('%s of the agent file is a setting of the agent', (_, file, config) => {
  expect(toAgentConfig(agentFileSchema.parse(file))).toMatchObject(config)
})
