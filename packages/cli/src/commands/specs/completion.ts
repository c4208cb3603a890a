import type { CommandSpec } from '../../command-line/command-spec.ts'
import { helpFlag } from './shared-flags.ts'

export const shells = ['bash', 'zsh', 'fish'] as const

export const completionCommand = {
  name: 'completion',
  summary: 'Print what lets a shell complete the commands',
  synopsis: ['<bash|zsh|fish>'],
  about: 'Prints a script with which the shell completes commands, options, server names and session IDs.',
  flags: { help: helpFlag },
  words: [shells, 'nothing'],
  more: `Put it where your shell looks:
  bash    echo 'source <(ostler completion bash)' >> ~/.bashrc
  zsh     ostler completion zsh > "\${fpath[1]}/_ostler"
  fish    ostler completion fish > ~/.config/fish/completions/ostler.fish`,
} as const satisfies CommandSpec
