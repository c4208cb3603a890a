import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { loadAgentFile } from '@ostler/agent-api/internal'
import { expect, test } from 'vitest'
import { configurationPage, configurationPath } from '../scripts/configuration-page.ts'
import { examineAgentFile } from '../../packages/agent-api/src/config/examine-agent-file.ts'
import { agentFilePath } from '../support/agent-files.ts'

const docs = dirname(configurationPath)

test('docs/configuration.md is what `pnpm exec tsx test/scripts/write-configuration.ts` writes', async () => {
  expect(await readFile(configurationPath, 'utf8')).toBe(await configurationPage())
})

test('it describes every field, and contains the examples word for word', async () => {
  const page = await readFile(configurationPath, 'utf8')
  for (const field of [
    'connectWait',
    'allowInsecureHttp',
    'rateLimit',
    'trustedTools',
    'localTools',
    'maxInstances',
    'apiKey',
    'header',
  ])
    expect(page).toContain(`| \`${field}\``)
  for (const name of ['minimal-strict', 'minimal-dynamic', 'mixed'])
    expect(page).toContain(`\`\`\`yaml\n${await readFile(agentFilePath(`${name}.yaml`), 'utf8')}\`\`\``)
})

test('every agent file in the docs is valid', async () => {
  const pages = (await readdir(docs)).filter((name) => name.endsWith('.md')).map((name) => join(docs, name))
  const texts = await Promise.all(
    [...pages, join(docs, '../README.md')].map(async (page) => [page, await readFile(page, 'utf8')] as const),
  )
  const found = texts.flatMap(([page, text]) =>
    [...text.matchAll(/^```ya?ml\n([^]*?)^```$/gm)].map(([, block = '']) => ({ page, block })),
  )
  expect(found.length).toBeGreaterThan(5)
  for (const { page, block } of found) {
    const { syntaxErrors, problems } = examineAgentFile('ostler.yaml', block, {})
    expect({ page, block, syntaxErrors, problems }).toEqual({ page, block, syntaxErrors: [], problems: [] })
  }
})

test('the smallest strict agent file', async () => {
  const { file } = await loadAgentFile(agentFilePath('minimal-strict.yaml'), {})
  expect(file.toolbox).toEqual({ maxConcurrent: 10, tools: [{ name: 'get_customer', maxInstances: 10 }] })
  expect(file.mcpServers).toEqual({
    customers: expect.objectContaining({
      type: 'http',
      url: 'http://localhost:8180/mcp/http/mcp',
      mode: 'strict',
    }),
  })
})

test('the smallest dynamic agent file', async () => {
  const { file } = await loadAgentFile(agentFilePath('minimal-dynamic.yaml'), {})
  expect(file.toolbox).toEqual({ maxConcurrent: 10, tools: [] })
  expect(file.mcpServers['customers']).toMatchObject({
    mode: 'dynamic',
    defaultToolConfig: { maxInstances: 10, timeout: 30_000 },
  })
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
