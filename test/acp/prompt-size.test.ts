import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { openSessionLab } from '../support/acp-sessions.ts'
import type { LoopbackVendor } from '../support/loopback-model/index.ts'

const vendors = [
  'anthropic',
  'openai',
  'openai-responses',
  'google',
] as const satisfies readonly LoopbackVendor[]

const bytesMax = 6 * 1_024

describe.each(vendors)('%s', (vendor) => {
  test('the built-in instructions and tools are short as they are sent', async () => {
    await using lab = await openSessionLab(undefined, { vendor })
    execFileSync('git', ['init', '-q', '-b', 'main', lab.path])
    const capabilities = {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      elicitation: { form: {} },
    }
    await using editor = await lab.open({
      capabilities,
      agent: { env: { ...lab.model.env, SHELL: '/bin/bash' } },
    })
    const { sessionId } = await editor.newSession({ cwd: lab.path })
    await editor.prompt(sessionId, 'hello')
    const [request] = lab.model.requests
    expect(request?.tools.map(({ name }) => name)).toHaveLength(13)
    expect(request?.system).toContain('on branch main')
    const { tools } = (request?.body ?? {}) as { readonly tools?: unknown }
    const sent = JSON.stringify({ system: request?.system, tools })
    expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(bytesMax)
  })
})
