import { fileURLToPath } from 'node:url'
import { bareError, readCommandLine, usageError } from '../command-line/command-line.ts'
import { emacsSnippet, jetbrainsSnippet, neovimSnippet, zedSnippet } from './editor/editor-snippets.ts'
import { editorCommand } from './specs/editor.ts'

const snippets = new Map([
  ['zed', { toText: zedSnippet, place: "Zed's settings.json (command palette: zed: open settings file)" }],
  ['jetbrains', { toText: jetbrainsSnippet, place: '~/.jetbrains/acp.json' }],
  ['neovim', { toText: neovimSnippet, place: 'your Neovim configuration, where CodeCompanion is set up' }],
  ['emacs', { toText: emacsSnippet, place: 'your init.el, where agent-shell is set up' }],
])

export async function runEditor(args: string[]): Promise<number> {
  const line = readCommandLine(editorCommand, args)
  if (line === undefined) return 0
  const [name, ...others] = line.words
  if (name === undefined) throw bareError(editorCommand, 'which editor?')
  const snippet = snippets.get(name)
  if (snippet === undefined || others.length > 0) throw usageError(editorCommand, `there is no snippet for '${line.words.join(' ')}'`)
  // An editor started from a desktop has a thin PATH, so both paths are absolute.
  const script = process.argv[1] ?? fileURLToPath(import.meta.url)
  // For a person only: a script that reads both streams wants the snippet alone.
  if (process.stderr.isTTY) process.stderr.write(`Add this to ${snippet.place}:\n`)
  process.stdout.write(`${snippet.toText([process.execPath, script, 'acp'])}\n`)
  return 0
}
