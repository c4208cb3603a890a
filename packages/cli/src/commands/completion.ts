import { defineCommand } from '../command-line/command.ts'
import { bareError, usageError } from '../command-line/usage-error.ts'
import { completionScripts } from './completion/scripts.ts'

const shells = ['bash', 'zsh', 'fish'] as const

export const command = defineCommand({
  synopsis: ['<bash|zsh|fish>'],
  about: 'Prints a script with which the shell completes commands, options, server names and session IDs.',
  words: [shells, 'nothing'],
  more: `Put it where your shell looks:
  bash    echo 'source <(ostler completion bash)' >> ~/.bashrc
  zsh     ostler completion zsh > "\${fpath[1]}/_ostler"
  fish    ostler completion fish > ~/.config/fish/completions/ostler.fish`,
  run({ stdout }, { words }) {
    const [name, ...others] = words
    const shell = shells.find((known) => known === name)
    if (name === undefined) throw bareError('for which shell?')
    if (shell === undefined || others.length > 0) throw usageError(`there is no script for '${words.join(' ')}'`)
    stdout.write(completionScripts[shell])
    return 0
  },
})
