import { readFile } from 'node:fs/promises'
import { loadAgentFile } from '@ostler/agent-api/manage'
import { expect, test } from 'vitest'
import { configurationPage, configurationPath } from '../scripts/configuration-page.ts'
import { agentFilePath } from '../support/agent-files.ts'

test('docs/configuration.md is what `pnpm exec tsx test/scripts/write-configuration.ts` writes', async () => {
  expect(await readFile(configurationPath, 'utf8')).toBe(await configurationPage())
})

test('it describes every field, and contains the examples word for word', async () => {
  const page = await readFile(configurationPath, 'utf8')
  for (const field of ['connectWait', 'allowInsecureHttp', 'rateLimit', 'trustedTools', 'localTools', 'maxInstances', 'apiKey', 'header'])
    expect(page).toContain(`| \`${field}\``)
  for (const name of ['minimal-strict', 'minimal-dynamic', 'mixed'])
    expect(page).toContain(`\`\`\`yaml\n${await readFile(agentFilePath(`${name}.yaml`), 'utf8')}\`\`\``)
})

test('the smallest strict agent file', async () => {
  const { file } = await loadAgentFile(agentFilePath('minimal-strict.yaml'), {})
  expect(file.toolbox).toEqual({ maxConcurrent: 10, tools: [{ name: 'get_customer', maxInstances: 10 }] })
  expect(file.mcpServers).toEqual({
    customers: expect.objectContaining({ type: 'http', url: 'http://localhost:8180/mcp/http/mcp', mode: 'strict' }),
  })
})

test('the smallest dynamic agent file', async () => {
  const { file } = await loadAgentFile(agentFilePath('minimal-dynamic.yaml'), {})
  expect(file.toolbox).toEqual({ maxConcurrent: 10, tools: [] })
  expect(file.mcpServers['customers']).toMatchObject({ mode: 'dynamic', defaultToolConfig: { maxInstances: 10, timeout: 30_000 } })
})

test('a mixed agent file', async () => {
  const { file } = await loadAgentFile(agentFilePath('mixed.yaml'), {})
  expect(file.toolbox.tools).toEqual([
    { name: 'sum_numbers', maxInstances: 20 },
    { name: 'get_customer', maxInstances: 50, timeout: 60_000 },
  ])
  expect(file.mcpServers).toMatchObject({
    customers: { mode: 'dynamic', defaultToolConfig: { maxInstances: 10, timeout: 30_000 } },
    'external-api': { mode: 'strict' },
  })
  expect(file.localTools).toEqual(['./sum-numbers.mjs'])
})
