/** The program and its arguments. All paths are absolute, because an editor started from a desktop has a minimal PATH. */
export type CommandLine = readonly [program: string, ...args: string[]]

/** For codecompanion.nvim: its setup, with Ostler as an adapter. */
export function neovimText(commandLine: CommandLine): string {
  return `require("codecompanion").setup({
  interactions = { chat = { adapter = "ostler" } }, -- up to version 17: strategies
  adapters = {
    acp = {
      ostler = function()
${indent(adapter(commandLine), 8)}
      end,
    },
  },
})`
}

/** The same adapter as a module, which a setup can load. */
export function neovimModule(commandLine: CommandLine): string {
  return `${luaMark}
return function()
${indent(adapter(commandLine), 2)}
end
`
}

/** Passes on the plugin's own MCP servers. Newer versions of the plugin have other handlers, which the helpers reveal. */
function adapter(commandLine: CommandLine): string {
  return `local helpers = require("codecompanion.adapters.acp.helpers")
local yes = function() return true end
local handlers = { setup = yes, auth = yes, form_messages = helpers.form_messages }
if helpers.build_messages then
  handlers = { lifecycle = { setup = yes, auth = yes }, request = { build_messages = helpers.build_messages } }
end
return {
  name = "ostler",
  formatted_name = "Ostler",
  type = "acp",
  roles = { llm = "assistant", user = "user" },
  opts = { vision = true },
  commands = { default = { ${commandLine.map(toLuaString).join(', ')} } },
  defaults = { mcpServers = "inherit_from_config", timeout = 20000 },
  parameters = {
    protocolVersion = 1,
    clientCapabilities = { fs = { readTextFile = true, writeTextFile = true } },
    clientInfo = { name = "CodeCompanion.nvim", version = "1.0.0" },
  },
  handlers = handlers,
}`
}

/**
 * For agent-shell. It shows every line on standard error as an error, so only errors are logged. It inherits the environment, because Ostler
 * would find no keys otherwise.
 */
export function emacsText([command, ...args]: CommandLine): string {
  return `(with-eval-after-load 'agent-shell
  (add-to-list 'agent-shell-agent-configs
               (agent-shell-make-agent-config
                :identifier 'ostler
                :mode-line-name "Ostler"
                :buffer-name "Ostler"
                :shell-prompt "Ostler> "
                :shell-prompt-regexp "Ostler> "
                :client-maker
                (lambda (buffer)
                  (agent-shell--make-acp-client
                   :command ${toLispString(command)}
                   :command-params '(${[...args, '--log-level', 'error'].map(toLispString).join(' ')})
                   :environment-variables (agent-shell-make-environment-variables :inherit-env t)
                   :context-buffer buffer)))))`
}

export function emacsFile(commandLine: CommandLine): string {
  return `${lispMark}
${emacsText(commandLine)}
(provide 'ostler)
`
}

/** The first lines of files that Ostler may replace. */
export const luaMark = '-- Written by `ostler editor neovim --write`, which replaces this file.'
export const lispMark =
  ';;; ostler.el --- Written by `ostler editor emacs --write`, which replaces this file  -*- lexical-binding: t -*-'

function indent(text: string, spaces: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(spaces))
}

function toLuaString(value: string): string {
  return `"${escape(value).replaceAll('\n', String.raw`\n`)}"`
}

function toLispString(value: string): string {
  return `"${escape(value)}"`
}

function escape(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
}
