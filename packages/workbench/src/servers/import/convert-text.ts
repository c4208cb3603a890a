import type { Dialect } from './dialects.ts'

export interface ConvertOptions {
  readonly references: Dialect['references']
  readonly workspaceFolder?: string
}

interface ConvertedText {
  readonly text: string
  readonly notes: readonly string[]
}

/** A reference. Its default may contain braces once, or a dollar sign that Ostler would read as the start of a reference. */
const reference = /\$\{((?:[^{}]|\{[^{}]*\})*)\}|\$(?=[${])/g
const variable = /^[A-Za-z_]\w*(?::-[^]*)?$/

/**
 * Converts references in another program's settings to `${NAME}` and `${NAME:-default}`. Text that is not a reference there is escaped.
 * `${input:ID}` is kept, to be filled in later.
 */
export function convertText(text: string, { references, workspaceFolder }: ConvertOptions): ConvertedText {
  if (references === 'none') return { text: escapeDollars(text), notes: [] }
  if (references === 'added') return { text: onlyEnvironment(text), notes: [] }
  const notes: string[] = []
  const converted = text.replace(reference, (whole, name: string | undefined) => {
    if (name === undefined) return '$$'
    const inEnvironment = /^env:([A-Za-z_]\w*)$/.exec(name)?.[1]
    if (inEnvironment !== undefined) return `\${${inEnvironment}}`
    if (name.startsWith('input:')) return whole
    if (name === 'userHome') return '${HOME}'
    if (name === 'workspaceFolder') {
      if (workspaceFolder !== undefined) return escapeDollars(workspaceFolder)
      notes.push('${workspaceFolder} was replaced with “.”, the working directory')
      return '.'
    }
    if (references === 'own' && variable.test(name)) return whole
    notes.push(`\${${name}} is not known to Ostler and stays as it is`)
    return escapeDollars(whole)
  })
  return { text: converted, notes }
}

/** For a program without references: `toCommon` adds those to the environment. */
function onlyEnvironment(text: string): string {
  return text.replace(reference, (whole, name: string | undefined) => {
    const variableName = /^env:([A-Za-z_]\w*)$/.exec(name ?? '')?.[1]
    return variableName === undefined ? escapeDollars(whole === '$' ? '$$' : whole) : `\${${variableName}}`
  })
}

export function escapeDollars(text: string): string {
  return text.replace(/\$(?=[${])/g, '$$$$')
}
