import type { CommandSpec } from '../../command-line/command-spec.ts'
import { helpFlag } from './shared-flags.ts'

export const editorCommand = {
  name: 'editor',
  summary: 'Print how to register Ostler in an editor',
  synopsis: ['<zed|jetbrains|neovim|emacs>'],
  about: "Prints what to add to the editor's settings, with the absolute paths of this installation.",
  flags: { help: helpFlag },
  words: [['zed', 'jetbrains', 'neovim', 'emacs'], 'nothing'],
} as const satisfies CommandSpec
