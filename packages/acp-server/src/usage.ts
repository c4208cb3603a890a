export const usage = `Usage: ostler <command>

Commands:
  acp       Serve an editor: speak ACP on standard input and output
  editor    Print how to register Ostler in an editor

Options:
  --help       Show this, or the help of a command
  --version    Show the version
`

export const acpUsage = `Usage: ostler acp [options]

Speaks the Agent Client Protocol on standard input and output. Editors start this command themselves.

Options:
  --agent FILE         The agent file: model, prompt, limits
  --model ID           The model, as provider/model, or "offline"
  --state-dir DIR      Where state is kept (default: $XDG_STATE_HOME/ostler or ~/.local/state/ostler)
  --log-level LEVEL    error, warn (default), info or debug
  --log-file FILE      Write the log to this file as well
  --help               Show this
`

export const editorUsage = `Usage: ostler editor <zed|jetbrains|neovim|emacs>

Prints what to add to the editor's settings, with the absolute paths of this installation.

Options:
  --help    Show this
`
