import { bareError, defineCommand, listed, usageError } from '../command-line/command.ts'
import { completionScripts, type Shell } from './completion/scripts.ts'

const shells = Object.keys(completionScripts) as Shell[]

export const command = defineCommand({
  synopsis: [`<${shells.join('|')}>`],
  about: 'Prints a script that completes commands, options, server names and session IDs.',
  words: [shells, 'nothing'],
  more: `Install it for your shell:
  bash        echo 'eval "$(ostler completion bash)"' >> ~/.bashrc
  zsh         ostler completion zsh > "\${fpath[1]}/_ostler"
  fish        ostler completion fish > ~/.config/fish/completions/ostler.fish
  powershell  Add-Content $PROFILE 'ostler completion powershell | Out-String | Invoke-Expression'`,
  run({ stdout }, { words }) {
    const [name, ...others] = words
    const shell = shells.find((known) => known === name)
    if (name === undefined) throw bareError('no shell given')
    if (shell === undefined || others.length > 0)
      throw usageError(`no completion script for '${words.join(' ')}'; expected ${listed(shells)}`)
    stdout.write(completionScripts[shell])
  },
})
