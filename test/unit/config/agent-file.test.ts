import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadAgentFile } from '../../../packages/agent-api/src/config/agent-file.ts'
import { openTempDir } from '../../support/temp-dir.ts'

async function load(text: string, name = 'ostler.yaml') {
  await using dir = await openTempDir()
  const file = join(dir.path, name)
  await writeFile(file, text)
  return await loadAgentFile(file)
}

describe('loadAgentFile', () => {
  it('reads YAML', async () => {
    const text =
      'model: ollama/qwen3\nproviders:\n  ollama:\n    type: openai-compatible\n    baseUrl: http://127.0.0.1:11434/v1\nmaxSteps: 20\n'
    expect(await load(text)).toEqual({
      model: 'ollama/qwen3',
      providers: { ollama: { type: 'openai-compatible', baseUrl: 'http://127.0.0.1:11434/v1' } },
      maxSteps: 20,
    })
  })

  it('reads JSON', async () => {
    expect(await load('{ "model": "offline" }', 'ostler.json')).toEqual({ model: 'offline' })
  })

  it('takes an empty file for no settings', async () => {
    expect(await load('')).toEqual({})
  })

  it('says all that is wrong, with the place', async () => {
    const loading = load('model: offline\nmodle: x\nmaxSteps: 0\nproviders:\n  mine:\n    type: openal\n')
    await expect(loading).rejects.toMatchObject({ code: 'config.invalid' })
    await expect(loading).rejects.toThrow(/ostler\.yaml:2:1: modle: unknown field/)
    await expect(loading).rejects.toThrow(/ostler\.yaml:3:1: maxSteps: /)
    await expect(loading).rejects.toThrow(/ostler\.yaml:6:5: providers\.mine\.type: /)
  })

  it('says where YAML is broken', async () => {
    await expect(load('model: "offline\n')).rejects.toThrow(/ostler\.yaml:\d+:\d+: /)
  })

  it('says which file is missing', async () => {
    await expect(loadAgentFile('/no/such/ostler.yaml')).rejects.toThrow(/\/no\/such\/ostler\.yaml cannot be read/)
  })
})
