import { open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { applyEdits } from '../../packages/agent-api/src/workspace/files/apply-edits.ts'
import { createRedactor } from '../../packages/agent-api/src/redaction/redact.ts'
import { createTextCleaner } from '../../packages/agent-api/src/redaction/text-cleaner.ts'
import { editFileTool } from '../../packages/agent-api/src/workspace/files/edit-file.ts'
import { createFileAccess } from '../../packages/agent-api/src/workspace/files/file-access.ts'
import { createWorkspaceFiles } from '../../packages/agent-api/src/workspace/files/workspace-files.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { compare, timed } from './measure.ts'

/** Measures edits of a file of 1 MB, as ratios within one run. A missed bar is marked, and sets the exit code. */
const lineCount = 20_000
const editCount = 100
const callCount = 200
const rounds = 5
const cleaner = createTextCleaner(createRedactor())

const lines = Array.from(
  { length: lineCount },
  (_, index) => `  const value${index} = compute(${index * 7919}, "some text") // ${index}`,
)
const text = `${lines.join('\n')}\n`
const crlfText = text.replaceAll('\n', '\r\n')

/** Evenly spread edits. `change` makes the wanted text differ from the file. */
function editsOf(count: number, change: (line: string) => string = String) {
  return Array.from({ length: count }, (_, index) => {
    const line = lines[Math.floor((index * lineCount) / count)] ?? ''
    return { oldText: change(`${line}\n`), newText: `  const changed${index} = 0\n`, replaceAll: false }
  })
}

function edit(source: string, edits: ReturnType<typeof editsOf>): Promise<number> {
  return timed(async () => {
    const result = await applyEdits(source, edits, { clean: cleaner.clean })
    if (result.type === 'problem') throw new Error(result.problem)
  })
}

console.log(
  `node ${process.version}, a file of ${(text.length / 1e6).toFixed(1)} MB with ${lineCount} lines, median of ${rounds} rounds\n`,
)
await benchOneCall()
await benchManyCalls()

/** Every kind of match costs a few passes over the file, and little per edit. */
async function benchOneCall(): Promise<void> {
  const times = await compare(rounds, {
    ten: () => edit(text, editsOf(10)),
    exact: () => edit(text, editsOf(editCount)),
    crlf: () => edit(crlfText, editsOf(editCount)),
    blanks: () =>
      edit(
        text,
        editsOf(editCount, (line) => line.replace('\n', '  \n')),
      ),
    indent: () =>
      edit(
        text,
        editsOf(editCount, (line) => `  ${line}`),
      ),
  })
  console.log(`10 edits in one call                  ${ms(times.ten)}`)
  report('100 edits', times.exact, times.exact / times.ten, 20, '× 10 edits')
  report('100 edits, LF for CRLF', times.crlf, times.crlf / times.ten, 60, '× 10 edits')
  report('100 edits, other blanks at the ends', times.blanks, times.blanks / times.ten, 60, '× 10 edits')
  report('100 edits, other indentation', times.indent, times.indent / times.ten, 60, '× 10 edits')
}

/** A call with its plan, on disk, compared with a plain atomic replacement of the file. */
async function benchManyCalls(): Promise<void> {
  await using dir = await openTempDir('ostler-bench-')
  const path = join(dir.path, 'big.ts')
  const access = createFileAccess(
    { roots: [dir.path], ownFiles: [], files: createWorkspaceFiles({}) },
    { cleaner },
  )
  const tool = editFileTool(access)
  const { signal } = new AbortController()
  const calls = editsOf(callCount).map(({ oldText, newText }) => ({
    path,
    edits: [{ old_text: oldText, new_text: newText }],
  }))
  const times = await compare(3, {
    async replace() {
      await writeFile(path, text)
      return timed(async () => {
        for (let call = 0; call < callCount; call++) await replaceFile(path, await readFile(path, 'utf8'))
      })
    },
    async calls() {
      await writeFile(path, text)
      // A new session, which has seen no version of the file.
      access.saw(
        { path, real: path, shown: path, isOutside: false, sensitivity: undefined, otherNames: 0 },
        { text, form: { encoding: 'utf-8', hasBom: false } },
      )
      return timed(async () => {
        for (const args of calls) {
          const plan = await tool.plan?.(args, signal)
          const result = await tool.execute(args, { toolCallId: 'c', signal, plan, show: () => undefined })
          if (result.isError) throw new Error(JSON.stringify(result.content))
        }
      })
    },
  })
  console.log(`\n${callCount} × read and replace the file          ${ms(times.replace)}`)
  report(
    `${callCount} × edit_file, with its plan`,
    times.calls,
    times.calls / times.replace,
    6,
    '× replacing it',
  )
}

async function replaceFile(path: string, content: string): Promise<void> {
  const handle = await open(`${path}.tmp`, 'w')
  await handle.writeFile(content)
  await handle.sync()
  await handle.close()
  await rename(`${path}.tmp`, path)
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`.padStart(12)
}

function report(name: string, value: number, ratio: number, bar: number, unit: string): void {
  const isMissed = ratio > bar
  if (isMissed) process.exitCode = 1
  console.log(
    `${name.padEnd(37)} ${ms(value)}   ${ratio.toFixed(2)} ${unit} (bar ${bar})${isMissed ? '   MISSED' : ''}`,
  )
}
