import { defineCommand } from '../command-line/command.ts'
import { bareError, usageError } from '../command-line/usage-error.ts'
import { emacsSnippet, jetbrainsSnippet, neovimSnippet, zedSnippet } from './editor/editor-snippets.ts'

const snippets = new Map([
  ['zed', { toText: zedSnippet, place: "Zed's settings.json (command palette: zed: open settings file)" }],
  ['jetbrains', { toText: jetbrainsSnippet, place: '~/.jetbrains/acp.json' }],
  ['neovim', { toText: neovimSnippet, place: 'your Neovim configuration, in the setup of CodeCompanion' }],
  ['emacs', { toText: emacsSnippet, place: 'your init.el, in the setup of agent-shell' }],
])

export const command = defineCommand({
  synopsis: ['<zed|jetbrains|neovim|emacs>'],
  about: "Prints what to add to the editor's settings, with the absolute paths of this installation.",
  words: [['zed', 'jetbrains', 'neovim', 'emacs'], 'nothing'],
  async run(io, { words }) {
    const [name, ...others] = words
    if (name === undefined) throw bareError('no editor given')
    const snippet = snippets.get(name)
    if (snippet === undefined || others.length > 0)
      throw usageError(`no settings for '${words.join(' ')}'; expected zed, jetbrains, neovim or emacs`)
    // Only for a person: a script that reads both streams needs the snippet alone.
    if (io.stderr.isTTY) io.stderr.write(`Add this to ${snippet.place}:\n`)
    // Absolute paths, because an editor started from a desktop has a minimal PATH.
    io.stdout.write(`${snippet.toText([...io.self, 'acp'])}\n`)
    return 0
  },
})
