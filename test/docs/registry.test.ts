import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openAcpProcess } from '../support/acp-harness.ts'

/** The rules of the ACP registry for the entry of an agent that npx starts. */
const entrySchema = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  name: z.string().min(1),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  description: z.string().min(1),
  repository: z.url(),
  website: z.url(),
  authors: z.array(z.string()),
  license: z.string(),
  distribution: z.strictObject({ npx: z.strictObject({ package: z.string(), args: z.array(z.string()) }) }),
})

const repository = join(import.meta.dirname, '../..')
const readEntry = async () =>
  entrySchema.parse(JSON.parse(await readFile(join(repository, 'registry/agent.json'), 'utf8')))

test("the registry's entry names the current version of the published command", async () => {
  const { version, distribution, repository: source } = await readEntry()
  const manifest = JSON.parse(await readFile(join(repository, 'packages/cli/package.json'), 'utf8')) as {
    name: string
    version: string
    repository: { url: string }
  }
  expect(manifest.repository.url).toBe(`git+${source}.git`)
  expect(version).toBe(manifest.version)
  expect(distribution.npx.package).toBe(`${manifest.name}@${manifest.version}`)
})

test('the command of the entry offers a login that the registry accepts', async () => {
  const { distribution } = await readEntry()
  expect(distribution.npx.args).toEqual(['acp'])
  await using editor = await openAcpProcess()
  const { authMethods = [] } = await editor.initialize({ clientCapabilities: { auth: { terminal: true } } })
  // Without a type, a method is one that the agent handles itself.
  expect(authMethods.some((method) => !('type' in method) || method.type === 'terminal')).toBe(true)
})

test('the icon is 16 by 16 and takes its color from the theme', async () => {
  const icon = await readFile(join(repository, 'registry/icon.svg'), 'utf8')
  expect(icon).toMatch(/^<svg [^>]*width="16" height="16" viewBox="0 0 16 16">/)
  const colors = [...icon.matchAll(/\b(?:fill|stroke)="([^"]*)"/g)].map(([, color]) => color)
  expect(colors).toContain('currentColor')
  for (const color of colors) expect(['currentColor', 'none', 'inherit']).toContain(color)
  expect(icon).not.toMatch(/style=|<script|#[0-9a-f]{3}|rgb\(/i)
})
