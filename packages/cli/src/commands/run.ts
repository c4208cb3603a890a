import { text as readAll } from 'node:stream/consumers'
import type { ContentBlock } from '@ostler/acp-server'
import { bareError, defineCommand, switchFlag, textFlag, usageError } from '../command-line/command.ts'
import { parseTimeout } from '../command-line/parse-values.ts'
import type { Io } from '../terminal/io.ts'
import { sessionFlags } from './run/session-flags.ts'

const flags = {
  ...sessionFlags,
  json: switchFlag('Print events, one JSON object per line'),
  timeout: textFlag('TIME', 'Cancel after this time, such as 90s or 10m'),
} as const

export const command = defineCommand({
  synopsis: ['PROMPT... [options]', '- [options]'],
  about:
    'Answers one prompt in the current folder, and exits. The answer is on standard output, everything else on standard error.\nA prompt of - is read from standard input. Questions are asked on the terminal; without one, the calls are rejected.',
  flags,
  words: ['nothing'],
  more: `Exit codes:
  0    answered                       5    at the limit of requests
  1    failed                         6    answered, but calls were rejected: nobody could be asked
  2    wrong command line             124  at --timeout
  3    refused by the model           130  cancelled, or SIGINT; 143 SIGTERM; 129 SIGHUP
  4    cut off at the token limit     141  the reader closed the output

Examples:
  ostler run "Why does the build fail?"
  git diff | ostler run "Write a commit message for this change:" - --approve none`,
  async run(io, { values, words }) {
    const [{ parseSessionFlags }, { runPrompt }] = await Promise.all([
      import('./run/open-conversation.ts'),
      import('./run/run-prompt.ts'),
    ])
    const wish = parseSessionFlags(values)
    const timeoutMs = parseTimeout(values.timeout)
    if (words.length === 0) throw bareError('no prompt given')
    return runPrompt(io, { values, wish, timeoutMs, content: await readPrompt(io, words) })
  },
})

/** A path in piped text attaches nothing, because nobody typed it. */
async function readPrompt(io: Io, words: readonly string[]): Promise<ContentBlock[]> {
  if (words.filter((word) => word === '-').length > 1)
    throw usageError('standard input can be read only once')
  const typed = words.filter((word) => word !== '-').join(' ')
  const { missingFiles, missingText, toPrompt } = await import('../client/to-prompt.ts')
  const place = { cwd: io.cwd, home: io.env['HOME'] }
  const blocks = typed.trim() === '' ? [] : toPrompt(typed, place)
  const missing = missingFiles(typed, place)
  if (missing.length > 0) io.stderr.write(`ostler: ${missingText(missing)}\n`)
  const piped = words.includes('-') ? await readAll(io.stdin) : ''
  const content: ContentBlock[] = [
    ...blocks,
    ...(piped.trim() === '' ? [] : [{ type: 'text' as const, text: piped }]),
  ]
  if (content.length === 0) throw usageError('the prompt is empty')
  return content
}
