import { createRedactor } from '../../packages/agent-api/src/redaction/redact.ts'
import { sealSecrets } from '../../packages/agent-api/src/secret-store/seal-secrets.ts'
import { secretsOf } from '../../packages/agent-api/src/mcp/secrets-of.ts'
import { stripHidden } from '../../packages/agent-api/src/base/strip-hidden.ts'
import {
  spansOfCommand,
  spansOfText,
  spansOfUrl,
} from '../../packages/agent-api/src/redaction/secrets-in-commands-and-text.ts'

// prettier-ignore
const plain = ['a', 'A', 'ab', 'a1', '0123456789abcdef', 'QUJD+/==', '://', 'a@', 'a:', '=', 'a=', '&', '%', '%41', ' ', '"', "'", `"'`]
// prettier-ignore
const crafted = [
  'a://', 'a://b:c@', 'a=b&', '\\', '\\"', 'a b', '-', '-a ', '--token ', 'token=', 'token=a&', 'token: ', 'API_KEY="', 'basic ', '/', '.', ';', '$', '${',
  '${A:-', '${secret', 'eyJ', 'eyJ-', 'eyJa.', 'sk-', 'ghp_', 'AKIA', 'ya29.', 'SG.', '-----BEGIN PRIVATE KEY-----', '\n', '\u{1F511}',
]

// prettier-ignore
const hiding = [
  'a\u200b', '\u200b', '\ufe0f', '❤\ufe0f', 'م\u200d', '\u001b', '\u001b[', '\u001b[0', '\u001b]', '\u001b]a', '\u009b1', '\ud800', '\r',
]

interface Subject {
  readonly name: string
  readonly shapes: readonly string[]
  readonly length: number
  readonly run: (long: string) => void
}

const subjects: readonly Subject[] = [
  {
    name: 'finding secrets in a text, a command and a URL',
    shapes: [...plain, ...crafted],
    length: 12_000,
    run(long) {
      for (const spansOf of [spansOfText, spansOfCommand, spansOfUrl]) spansOf(long)
      spansOfUrl(`https://h/?${long}`)
    },
  },
  {
    name: 'sealing an entry with long fields',
    shapes: plain,
    length: 250_000,
    run(long) {
      const pairs = { HARMLESS: long, [long.slice(0, 10_000)]: 'x' }
      secretsOf({
        type: 'stdio',
        name: 's',
        command: long,
        args: [long, '--token', long, `--token=${long}`, `x ${long}`],
        env: pairs,
      })
      secretsOf({ type: 'http', name: 's', url: `https://h/${long}`, headers: pairs })
      sealSecrets({
        type: 'stdio',
        command: long,
        args: ['--token', long],
        env: pairs,
        url: `https://h/?${long}`,
      })
    },
  },
  {
    name: 'striking a long secret in a long text',
    shapes: [...plain, ...crafted],
    length: 25_000,
    run(long) {
      const redactor = createRedactor()
      redactor.add(`${long}!`)
      redactor.redact(long)
      redactor.redactCommand(long)
      redactor.openEnd(`${long}?`)
    },
  },
  {
    name: 'finding a secret in a text that hides characters',
    shapes: hiding,
    length: 250_000,
    run(long) {
      const redactor = createRedactor()
      redactor.add('s3cr3t-value')
      redactor.redact(stripHidden(long))
    },
  },
]

const triesMax = 4
/** Four times the text takes four times the work if linear, and sixteen times if quadratic. */
const growthMax = 10
/** Less work cannot be compared reliably. */
const comparableUs = 30_000

function cpuUs(run: () => void): number {
  const start = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(start)
  return user + system
}

/** The growth of the work for a text four times as long. The best of a few runs, because a busy machine only makes it worse. */
function growth({ run, length }: Subject, shape: string): number {
  const text = (characters: number) => shape.repeat(Math.ceil(characters / shape.length))
  const [short, long] = [text(length), text(4 * length)]
  let ratio = Infinity
  for (let tries = 0; ratio >= growthMax && tries < triesMax; tries++) {
    const small = cpuUs(() => run(short))
    ratio = Math.min(ratio, cpuUs(() => run(long)) / Math.max(small, comparableUs))
  }
  return ratio
}

for (const subject of subjects) {
  const growths = subject.shapes.map((shape) => ({ shape, ratio: growth(subject, shape) }))
  const { shape, ratio } = growths.reduce((worst, each) => (each.ratio > worst.ratio ? each : worst))
  const isLinear = ratio < growthMax
  process.stdout.write(
    `${subject.name}: ${ratio.toFixed(1)} times the work for 4 times ${JSON.stringify(shape)}${isLinear ? '' : ': too much'}\n`,
  )
  if (!isLinear) process.exitCode = 1
}
