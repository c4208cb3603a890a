import { defineCommand } from '../command-line/command.ts'
import { bareError, usageError } from '../command-line/usage-error.ts'
import { completionScripts } from './completion/scripts.ts'

const shells = ['bash', 'zsh', 'fish'] as const

export const command = defineCommand({
  synopsis: ['<bash|zsh|fish>'],
  about: 'Prints a script that completes commands, options, server names and session IDs.',
  words: [shells, 'nothing'],
  more: `Install it for your shell:
  bash    echo 'source <(ostler completion bash)' >> ~/.bashrc
  zsh     ostler completion zsh > "\${fpath[1]}/_ostler"
  fish    ostler completion fish > ~/.config/fish/completions/ostler.fish`,
  run({ stdout }, { words }) {
    const [name, ...others] = words
    const shell = shells.find((known) => known === name)
    if (name === undefined) throw bareError('no shell given')
    if (shell === undefined || others.length > 0)
      throw usageError(`no completion script for '${words.join(' ')}'; expected bash, zsh or fish`)
    stdout.write(completionScripts[shell])
    return 0
  },
})
