import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'

/** Creates an `ostler` in a directory of the PATH that starts the built command. */
const mark = '# Made by `pnpm run link:command` of Ostler.'
const dist = join(import.meta.dirname, '../../packages/cli/dist')

if (process.platform === 'win32') {
  console.error(
    `This is for Linux and macOS. On Windows, start it with: "${process.execPath}" "${join(dist, 'ostler.js')}"`,
  )
  process.exit(1)
}

const directory = resolve(process.argv[2] ?? join(homedir(), '.local', 'bin'))
const command = join(directory, 'ostler')
if (existsSync(command) && !readFileSync(command, 'utf8').includes(mark)) {
  console.error(
    `There is already another ${command}. Remove it, or name another directory: pnpm run link:command DIRECTORY`,
  )
  process.exit(1)
}

const quoted = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`
mkdirSync(directory, { recursive: true })
writeFileSync(command, `#!/bin/sh\n${mark}\nexec ${quoted(join(dist, 'ostler'))} "$@"\n`)
chmodSync(command, 0o755)
console.log(`Wrote ${command}. Remove it to take it away again.`)

const isOnPath = (process.env['PATH'] ?? '').split(delimiter).includes(directory)
if (!isOnPath)
  console.log(`${directory} is not on your PATH yet. For this shell: export PATH="${directory}:$PATH"`)
