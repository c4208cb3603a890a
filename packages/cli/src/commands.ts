import type { CommandEntry } from './command-line/command.ts'

/** All commands. Each command's file is loaded when it is called, or when its usage or completion is requested. */
export const ostler: CommandEntry = {
  name: 'ostler',
  load: () => import('./commands/ostler.ts'),
  subcommands: [
    {
      name: 'acp',
      summary: 'Serve an editor over ACP on standard input and output',
      load: () => import('./commands/acp.ts'),
    },
    {
      name: 'run',
      summary: 'Answer one prompt in the current folder',
      load: () => import('./commands/run.ts'),
    },
    {
      name: 'chat',
      summary: 'Chat in the terminal, in the current folder',
      load: () => import('./commands/chat.ts'),
    },
    { name: 'editor', summary: 'Register Ostler in an editor', load: () => import('./commands/editor.ts') },
    {
      name: 'init',
      summary: 'Create an agent file from a template',
      load: () => import('./commands/init.ts'),
    },
    {
      name: 'check',
      summary: 'Validate an agent file, and show its model and servers',
      load: () => import('./commands/check.ts'),
    },
    {
      name: 'doctor',
      summary: 'Find out what keeps Ostler from working',
      load: () => import('./commands/doctor.ts'),
    },
    {
      name: 'schema',
      summary: 'Print the JSON Schema of the agent file',
      load: () => import('./commands/schema.ts'),
    },
    {
      name: 'mcp',
      summary: 'Manage MCP servers, and call their tools',
      load: () => import('./commands/mcp.ts'),
      subcommands: [
        {
          name: 'list',
          summary: 'List servers of the agent file and stored servers',
          load: () => import('./commands/mcp/list.ts'),
        },
        {
          name: 'get',
          summary: 'Show the details of a server',
          load: () => import('./commands/mcp/get.ts'),
        },
        { name: 'add', summary: 'Store a server', load: () => import('./commands/mcp/add.ts') },
        {
          name: 'add-from-registry',
          summary: 'Store a server from an MCP registry',
          load: () => import('./commands/mcp/add-from-registry.ts'),
        },
        {
          name: 'update',
          summary: 'Change fields of a stored server',
          load: () => import('./commands/mcp/update.ts'),
        },
        {
          name: 'remove',
          summary: 'Remove stored servers and their secrets',
          load: () => import('./commands/mcp/remove.ts'),
        },
        { name: 'enable', summary: 'Enable stored servers', load: () => import('./commands/mcp/enable.ts') },
        {
          name: 'disable',
          summary: 'Disable stored servers without removing them',
          load: () => import('./commands/mcp/disable.ts'),
        },
        {
          name: 'login',
          summary: 'Log in to a remote server',
          load: () => import('./commands/mcp/login.ts'),
        },
        {
          name: 'logout',
          summary: 'Log out of a remote server',
          load: () => import('./commands/mcp/logout.ts'),
        },
        {
          name: 'test',
          summary: 'Connect to a server, show what it offers, and disconnect',
          load: () => import('./commands/mcp/test.ts'),
        },
        {
          name: 'check',
          summary: 'Check how a server works with Ostler, for its author',
          load: () => import('./commands/mcp/check.ts'),
        },
        {
          name: 'lock',
          summary: 'Write what servers offer to a file, or compare it with that file',
          load: () => import('./commands/mcp/lock.ts'),
        },
        {
          name: 'tools',
          summary: 'List the tools of a server',
          load: () => import('./commands/mcp/tools.ts'),
        },
        { name: 'call', summary: 'Call a tool', load: () => import('./commands/mcp/call.ts') },
        {
          name: 'resources',
          summary: 'List the resources of a server',
          load: () => import('./commands/mcp/resources.ts'),
        },
        {
          name: 'read',
          summary: 'Print a resource of a server',
          load: () => import('./commands/mcp/read.ts'),
        },
        {
          name: 'prompts',
          summary: 'List the prompts of a server, or run one',
          load: () => import('./commands/mcp/prompts.ts'),
        },
        {
          name: 'import',
          summary: 'Import servers from other programs',
          load: () => import('./commands/mcp/import.ts'),
        },
        {
          name: 'export',
          summary: 'Export servers for another program or an agent file',
          load: () => import('./commands/mcp/export.ts'),
        },
      ],
    },
    {
      name: 'history',
      summary: 'Show tool calls and their outcomes',
      load: () => import('./commands/history.ts'),
      subcommands: [
        {
          name: 'show',
          summary: 'Show a call in full: arguments, result, decision',
          load: () => import('./commands/history/show.ts'),
        },
        {
          name: 'stats',
          summary: 'Count calls per tool and day',
          load: () => import('./commands/history/stats.ts'),
        },
        { name: 'clear', summary: 'Delete calls', load: () => import('./commands/history/clear.ts') },
      ],
    },
    {
      name: 'sessions',
      summary: 'List, show, delete and export conversations',
      load: () => import('./commands/sessions.ts'),
      subcommands: [
        {
          name: 'list',
          summary: 'List conversations, most recently used first',
          load: () => import('./commands/sessions/list.ts'),
        },
        { name: 'show', summary: 'Show a conversation', load: () => import('./commands/sessions/show.ts') },
        {
          name: 'delete',
          summary: 'Delete conversations and their calls',
          load: () => import('./commands/sessions/delete.ts'),
        },
        {
          name: 'export',
          summary: 'Export a conversation as Markdown or JSON',
          load: () => import('./commands/sessions/export.ts'),
        },
      ],
    },
    {
      name: 'grants',
      summary: 'Show and revoke your "always" answers',
      load: () => import('./commands/grants.ts'),
    },
    {
      name: 'console',
      summary: 'Open the web console: servers, tools, calls and sessions',
      load: () => import('./commands/console.ts'),
    },
    {
      name: 'completion',
      summary: 'Print a completion script for your shell',
      load: () => import('./commands/completion.ts'),
    },
    { name: '__complete', load: () => import('./commands/complete.ts') },
  ],
}
