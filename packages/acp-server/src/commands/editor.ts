import { fileURLToPath } from 'node:url'
import { emacsSnippet, jetbrainsSnippet, neovimSnippet, zedSnippet } from '../editor-snippets.ts'
import { parseFlags } from '../parse-flags.ts'
import { UsageError } from '../usage-error.ts'
import { editorUsage } from '../usage.ts'

const snippets = new Map([
  ['zed', { toText: zedSnippet, place: "Zed's settings.json (command palette: zed: open settings file)" }],
  ['jetbrains', { toText: jetbrainsSnippet, place: '~/.jetbrains/acp.json' }],
  ['neovim', { toText: neovimSnippet, place: 'your Neovim configuration, where CodeCompanion is set up' }],
  ['emacs', { toText: emacsSnippet, place: 'your init.el, where agent-shell is set up' }],
])

export async function runEditor(args: string[]): Promise<number> {
  const { values, positionals } = parseFlags(
    { args, options: { help: { type: 'boolean', short: 'h' } }, allowPositionals: true },
    editorUsage,
  )
  if (values.help === true) {
    process.stdout.write(editorUsage)
    return 0
  }
  const [name, ...others] = positionals
  if (name === undefined) throw new UsageError('which editor?', editorUsage)
  const snippet = snippets.get(name)
  if (snippet === undefined || others.length > 0) throw new UsageError(`there is no snippet for '${positionals.join(' ')}'`, editorUsage)
  // An editor started from a desktop has a thin PATH, so both paths are absolute.
  const script = process.argv[1] ?? fileURLToPath(import.meta.url)
  // For a person only: a script that reads both streams wants the snippet alone.
  if (process.stderr.isTTY) process.stderr.write(`Add this to ${snippet.place}:\n`)
  process.stdout.write(`${snippet.toText([process.execPath, script, 'acp'])}\n`)
  return 0
}
