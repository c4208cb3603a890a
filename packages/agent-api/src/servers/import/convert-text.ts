import type { ServerListFormat } from './server-list.ts'

export interface ConvertOptions {
  readonly format: ServerListFormat
  /** What `${workspaceFolder}` stands for. */
  readonly workspaceFolder?: string
}

export interface ConvertedText {
  readonly text: string
  readonly notes: readonly string[]
}

/** A reference, in whose default braces may stand once; or a dollar sign that Ostler would take for the beginning of one. */
const reference = /\$\{((?:[^{}]|\{[^{}]*\})*)\}|\$(?=[${])/g
const variable = /^[A-Za-z_]\w*(?::-[^]*)?$/

/**
 * A text of another program's settings with its references in Ostler's words, `${NAME}` and `${NAME:-default}`; what meant nothing there
 * means nothing here either. `${input:ID}` is left for someone to fill in.
 */
export function convertText(text: string, { format, workspaceFolder }: ConvertOptions): ConvertedText {
  // Zed takes every character as it is.
  if (format === 'zed') return { text: escapeDollars(text), notes: [] }
  const notes: string[] = []
  const converted = text.replace(reference, (whole, name: string | undefined) => {
    if (name === undefined) return '$$'
    const inEnvironment = /^env:([A-Za-z_]\w*)$/.exec(name)?.[1]
    if (inEnvironment !== undefined) return `\${${inEnvironment}}`
    if (name.startsWith('input:')) return whole
    if (name === 'userHome') return '${HOME}'
    if (name === '/' || name === 'pathSeparator') return '/'
    if (name === 'workspaceFolder') {
      if (workspaceFolder !== undefined) return escapeDollars(workspaceFolder)
      notes.push('${workspaceFolder} became ., the directory where it starts')
      return '.'
    }
    if (name === 'workspaceFolderBasename' && workspaceFolder !== undefined) {
      return escapeDollars(workspaceFolder.split(/[\\/]/).findLast((part) => part !== '') ?? '')
    }
    if (format === 'mcpServers' && variable.test(name)) return whole
    notes.push(`\${${name}} means nothing to Ostler and was left as it is`)
    return escapeDollars(whole)
  })
  return { text: converted, notes }
}

/** A text that Ostler leaves as it is. */
export function escapeDollars(text: string): string {
  return text.replace(/\$(?=[${])/g, '$$$$')
}
