import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeModels } from '../../../../packages/workbench/src/agent-file/describe-models.ts'
import { openTempDir } from '../../../support/temp-dir.ts'

it('describes the models of an agent: those that agents have listed, or else the recommended ones', async () => {
  await using stateDir = await openTempDir()
  const env = { ANTHROPIC_API_KEY: 'hush-hush-hush', OPENAI_API_KEY: 'hush-hush-hush' }
  const models = [{ id: 'gpt-6-astra' }, { id: 'gpt-4-old' }]
  const lists = { 'openai https://api.openai.com/v1': { fetchedAt: 1, models } }
  writeFileSync(join(stateDir.path, 'models.json'), JSON.stringify(lists))
  const described = describeModels({ providers: {}, env }, stateDir.path)
  const levelsOf = Object.fromEntries(described.models.map(({ id, thoughtLevels }) => [id, thoughtLevels]))
  expect(levelsOf).toMatchObject({
    'anthropic/claude-opus-5-5': ['low', 'medium', 'high'],
    'openai/gpt-4-old': [],
    offline: [],
  })
  expect(levelsOf).not.toHaveProperty(['openai/gpt-6.1-sol'])
  expect(
    described.providers.filter(({ hasKey }) => hasKey).map(({ name, keySource }) => [name, keySource]),
  ).toEqual([
    ['anthropic', 'ANTHROPIC_API_KEY'],
    ['openai', 'OPENAI_API_KEY'],
  ])
  expect(JSON.stringify(described)).not.toContain('hush')
})
