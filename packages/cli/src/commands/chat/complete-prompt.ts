import { readdirSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { toSafeLine, toSafeText } from '../../terminal/safe-text.ts'
import type { Completion } from './chat-state.ts'

export interface KnownCommand {
  readonly name: string
  readonly description: string
  /** The words that can follow. */
  readonly values?: readonly string[]
}

const foundMax = 50

/** Completes a command while it is typed, and a path when Tab asks for it. */
export function completePrompt(
  line: string,
  isAsked: boolean,
  commands: readonly KnownCommand[],
  cwd: string,
): readonly Completion[] {
  const [, name, value] = /^\/(\S*)(?: +(\S*))?$/.exec(line) ?? []
  if (name !== undefined && value === undefined) {
    return commands
      .filter((command) => command.name.startsWith(name))
      .slice(0, foundMax)
      .map((command) => ({
        line: `/${command.name} `,
        label: `/${toSafeLine(command.name)}`,
        description: toSafeLine(command.description),
      }))
  }
  if (name !== undefined && value !== undefined) {
    const values = commands.find((command) => command.name === name)?.values ?? []
    return values
      .filter((each) => each.startsWith(value) && each !== value)
      .slice(0, foundMax)
      .map((each) => ({ line: `/${name} ${each}`, label: toSafeLine(each) }))
  }
  return isAsked ? completePath(line, cwd) : []
}

function completePath(line: string, cwd: string): readonly Completion[] {
  const word = /(?:\\.|[^\s\\])*$/.exec(line)?.[0] ?? ''
  const typed = word.replace(/^@/, '').replaceAll(/\\(.)/g, '$1')
  if (typed === '') return []
  const [folder, start] = typed.endsWith('/')
    ? [typed, '']
    : [typed.includes('/') ? `${dirname(typed)}/` : '', basename(typed)]
  try {
    return readdirSync(resolve(cwd, folder), { withFileTypes: true })
      .filter(
        (entry) =>
          entry.name.startsWith(start) &&
          entry.name === toSafeText(entry.name) &&
          (start !== '' || !entry.name.startsWith('.')),
      )
      .slice(0, foundMax)
      .map((entry) => {
        const path = `${folder === '//' ? '/' : folder}${entry.name}${entry.isDirectory() ? '/' : ''}`
        const escaped = path.replaceAll(/[\s\\'"]/g, String.raw`\$&`)
        return {
          line: `${line.slice(0, line.length - word.length)}${word.startsWith('@') ? '@' : ''}${escaped}`,
          label: path,
        }
      })
  } catch {
    return []
  }
}
