interface CalledTool {
  /** The server's name, or its ID if another server has the same name. */
  readonly server: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** The flags that make a command use the same agent file and state. */
  readonly flags: readonly string[]
}

export function toCallCommand({ server, tool, arguments: args, flags }: CalledTool): string {
  const json = Object.keys(args).length === 0 ? [] : [asciiJson(args)]
  // Without it, a name that begins with a dash would be a flag.
  const end = [server, tool].some((word) => word.startsWith('-')) ? ['--'] : []
  return ['ostler', 'mcp', 'call', ...flags, ...end, server, tool, ...json].map(toShellWord).join(' ')
}

/** Quotes a word so that no shell changes it. */
export function toShellWord(word: string): string {
  return /^[\w@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** JSON without control characters, which a terminal would act on when they are pasted. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
