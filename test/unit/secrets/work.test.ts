import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../../packages/agent-api/src/secrets/redact.ts'
import { sealSecrets } from '../../../packages/agent-api/src/secrets/seal-secrets.ts'
import { secretsOf } from '../../../packages/agent-api/src/secrets/secrets-of.ts'
import { spansOfCommand, spansOfText, spansOfUrl } from '../../../packages/agent-api/src/secrets/secret-spans.ts'

// prettier-ignore
const plain = ['a', 'A', 'ab', 'a1', '0123456789abcdef', 'QUJD+/==', '://', 'a@', 'a:', '=', 'a=', '&', '%', '%41', ' ', '"', "'", `"'`]
// prettier-ignore
const crafted = [
  'a://', 'a://b:c@', 'a=b&', '\\', '\\"', 'a b', '-', '-a ', '--token ', 'token=', 'token=a&', 'token: ', 'API_KEY="', 'basic ', '/', '.', ';', '$', '${',
  '${A:-', '${secret', 'eyJ', 'eyJ-', 'eyJa.', 'sk-', 'ghp_', 'AKIA', 'ya29.', 'SG.', '-----BEGIN PRIVATE KEY-----', '\n', '\u{1F511}',
]

const text = (shape: string, length: number) => shape.repeat(Math.ceil(length / shape.length))

function work(run: () => void): number {
  const start = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(start)
  return user + system
}

const triesMax = 4

/**
 * Four times the text is about four times the work; sixteen times would be the square. What is too little to be measured is little enough, and
 * the best of a few tries counts: a machine that does other things makes none of them better.
 */
function expectLinear(run: (length: number) => void, length: number): void {
  let ratio = Infinity
  for (let tries = 0; ratio >= 10 && tries < triesMax; tries++) {
    const small = work(() => run(length))
    ratio = Math.min(ratio, work(() => run(4 * length)) / Math.max(small, 30_000))
  }
  expect(ratio).toBeLessThan(10)
}

describe('the work does not grow faster than the text', { timeout: 120_000 }, () => {
  it.each([...plain, ...crafted])('%j', (shape) => {
    expectLinear((length) => {
      const long = text(shape, length)
      for (const spansOf of [spansOfText, spansOfCommand, spansOfUrl]) spansOf(long)
      spansOfUrl(`https://h/?${long}`)
    }, 12_000)
  })

  it.each(plain)('%j, a million characters in every field', (shape) => {
    expectLinear((length) => {
      const long = text(shape, length)
      const pairs = { HARMLESS: long, [long.slice(0, 10_000)]: 'x' }
      secretsOf({ type: 'stdio', name: 's', command: long, args: [long, '--token', long, `--token=${long}`, `x ${long}`], env: pairs })
      secretsOf({ type: 'http', name: 's', url: `https://h/${long}`, headers: pairs })
      sealSecrets({ type: 'stdio', command: long, args: ['--token', long], env: pairs, url: `https://h/?${long}` })
    }, 250_000)
  })

  it.each([...plain, ...crafted])('%j as a secret, and in a text', (shape) => {
    expectLinear((length) => {
      const redactor = createRedactor()
      redactor.add(`${text(shape, length)}!`)
      const almost = text(shape, length)
      redactor.redact(almost)
      redactor.redactCommand(almost)
      redactor.openEnd(`${almost}?`)
    }, 25_000)
  })

  it('and a long secret is struck as a whole', () => {
    const redactor = createRedactor()
    const secret = Array.from({ length: 100_000 }, (_, index) => index.toString(36)).join('/')
    redactor.add(secret)
    expect(redactor.redact(`a ${secret} b ${encodeURIComponent(secret)} c`)).toBe('a [redacted] b [redacted] c')
    expect(redactor.openEnd(`a ${secret.slice(0, 100)}`)).toBe(100)
  })

  it('and thousands of parameters of one name are told apart', () => {
    const { secrets } = sealSecrets({ type: 'http', url: `https://h/?${'key=a&'.repeat(10_000)}` })
    expect(Object.keys(secrets).at(-1)).toBe('url.query.key-10000')
  })
})
