/** The program and its arguments. All paths are absolute. */
type CommandLine = readonly [program: string, ...args: string[]]

/** For Zed's settings.json. */
export function zedSnippet([command, ...args]: CommandLine): string {
  return toJson({ agent_servers: { Ostler: { type: 'custom', command, args, env: {} } } })
}

/** For ~/.jetbrains/acp.json. */
export function jetbrainsSnippet([command, ...args]: CommandLine): string {
  return toJson({
    default_mcp_settings: { use_custom_mcp: true, use_idea_mcp: true },
    agent_servers: { Ostler: { command, args, env: {} } },
  })
}

/** For codecompanion.nvim: an adapter in `setup`, which passes on the plugin's own MCP servers. */
export function neovimSnippet(commandLine: CommandLine): string {
  return `require("codecompanion").setup({
  interactions = { chat = { adapter = "ostler" } },
  adapters = {
    acp = {
      ostler = function()
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
          handlers = {
            lifecycle = {
              setup = function() return true end,
              auth = function() return true end,
            },
            request = { build_messages = require("codecompanion.adapters.acp.helpers").build_messages },
          },
        }
      end,
    },
  },
})`
}

/** For agent-shell. Inherits the environment, because Ostler would find no keys otherwise. */
export function emacsSnippet([command, ...args]: CommandLine): string {
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
                   :command-params '(${args.map(toLispString).join(' ')})
                   :environment-variables (agent-shell-make-environment-variables :inherit-env t)
                   :context-buffer buffer)))))`
}

function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
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
