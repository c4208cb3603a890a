export const usage = `Usage: ostler <command>

Commands:
  acp       Serve an editor: speak ACP on standard input and output
  editor    Print how to register Ostler in an editor
  init      Write an agent file to start from
  check     Say whether an agent file is right, and what its servers offer
  schema    Print the JSON Schema of the agent file
  grants    Show and revoke what you have always allowed or rejected

Options:
  -h, --help       Show this, or the help of a command: ostler help acp
  -v, --version    Show the version
`

export const acpUsage = `Usage: ostler acp [options]

Speaks the Agent Client Protocol on standard input and output. Editors start this command themselves.

Options:
  --agent FILE         The agent file: model, prompt, MCP servers, limits, approvals
                       (default: OSTLER_AGENT, then your own ostler.yaml)
  --model ID           The model, as provider/model, or "offline"
                       (default: OSTLER_MODEL, then the agent file, then the first vendor with a key)
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

export const initUsage = `Usage: ostler init [options]

Writes an agent file with commented examples, and beside it the schema with which editors complete and check it.

Options:
  --agent FILE    Where to write it (default: $XDG_CONFIG_HOME/ostler/ostler.yaml or ~/.config/ostler/ostler.yaml)
  --force         Replace a file that is there
  --help          Show this
`

export const checkUsage = `Usage: ostler check [options]

Says whether the agent file is right. The exit code is 0 when the agent would start and 1 when it would not.

Options:
  --agent FILE       The agent file (default: OSTLER_AGENT, then your own ostler.yaml)
  --connect          Start the servers, show their tools and where each setting came from, and end them again
  --json             Print it for programs
  --state-dir DIR    Where state is kept (default: $XDG_STATE_HOME/ostler or ~/.local/state/ostler)
  --help             Show this
`

export const schemaUsage = `Usage: ostler schema

Prints the JSON Schema of the agent file.

Options:
  --help    Show this
`

export const grantsUsage = `Usage: ostler grants list [--json] [options]
       ostler grants revoke ID... [options]
       ostler grants revoke --all [options]

Shows and revokes the answers that were given for always. Running agents see it at once.

Options:
  --agent FILE       The agent file whose grants are meant (default: OSTLER_AGENT, then your own ostler.yaml)
  --state-dir DIR    Where state is kept (default: $XDG_STATE_HOME/ostler or ~/.local/state/ostler)
  --json             Print it for programs
  --all              Revoke all of them
  --help             Show this
`
