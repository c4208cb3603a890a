import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { toChars } from '../support/styled-text.ts'
import { questionPicture, questionPicturePath } from './question-picture.ts'
import { toSvg } from './terminal-picture.ts'

/**
 * Draws docs/tour.svg and docs/question.svg: what the tour and `ostler chat` show in a terminal, without this machine's paths. Build the
 * command first, then run `pnpm exec tsx test/scripts/picture.ts`.
 */
const repository = join(import.meta.dirname, '../..')

const tour = ['$ npx -y pnpm@12.18.0 start', ...shortened(await runTour())]
await write(
  join(repository, 'docs/tour.svg'),
  toSvg(
    'The tour in a terminal: an editor starts Ostler, opens a session with three MCP servers, and runs their tools',
    tour.map(toChars),
  ),
)
await write(questionPicturePath, await questionPicture())

async function write(picture: string, svg: string): Promise<void> {
  const leftover = [repository, homedir(), 'ostler-tour-', 'ostler-test-'].find((part) => svg.includes(part))
  if (leftover !== undefined) throw new Error(`the picture would show ${leftover}`)
  await writeFile(picture, svg)
  console.log(`wrote ${picture}`)
}

async function runTour(): Promise<string[]> {
  const tsx = join(repository, 'node_modules/.bin/tsx')
  const { stdout } = await promisify(execFile)(tsx, [join(repository, 'test/tour/tour.ts')], {
    env: { ...process.env, FORCE_COLOR: '1', NO_COLOR: undefined },
  })
  return stdout.replaceAll(/(?:\/[\w.-]+)+\/ostler-tour-\w+/g, '/tmp/tour').split('\n')
}

/** Omits the registration at the end, and repeated lists of answers. */
function shortened(lines: readonly string[]): string[] {
  const end = lines.findIndex((line) => stripVTControlCharacters(line).startsWith('Register Ostler'))
  const seen = new Set<string>()
  const kept = lines.slice(0, end === -1 ? undefined : end).filter((line) => {
    const isRepeated = line.includes(' · ') && seen.has(line)
    seen.add(line)
    return !isRepeated
  })
  return kept.join('\n').trimEnd().split('\n')
}
