import type { CommandEntry } from './command-line/command.ts'

/** All commands. Each command's file is loaded when it is called, or when its usage or completion is requested. */
export const ostler: CommandEntry = {
  name: 'ostler',
  load: () => import('./commands/ostler.ts'),
  subcommands: [
    { name: 'acp', summary: 'Serve an editor: speak ACP on standard input and output', load: () => import('./commands/acp.ts') },
    { name: 'editor', summary: 'Print how to register Ostler in an editor', load: () => import('./commands/editor.ts') },
    { name: 'init', summary: 'Write an agent file to start from', load: () => import('./commands/init.ts') },
    {
      name: 'check',
      summary: 'Say whether an agent file is right, which model is used, and what its servers offer',
      load: () => import('./commands/check.ts'),
    },
    { name: 'schema', summary: 'Print the JSON Schema of the agent file', load: () => import('./commands/schema.ts') },
    {
      name: 'mcp',
      summary: 'Manage MCP servers, and use them from the command line',
      load: () => import('./commands/mcp.ts'),
      subcommands: [
        {
          name: 'list',
          aliases: ['ls'],
          summary: 'List the servers of the agent file and the stored ones',
          load: () => import('./commands/mcp/list.ts'),
        },
        { name: 'get', aliases: ['show'], summary: 'Show all that is known of one server', load: () => import('./commands/mcp/get.ts') },
        { name: 'add', summary: 'Store a server', load: () => import('./commands/mcp/add.ts') },
        { name: 'add-json', summary: 'Store a server that is written as JSON', load: () => import('./commands/mcp/add-json.ts') },
        { name: 'update', summary: 'Change single fields of a stored server', load: () => import('./commands/mcp/update.ts') },
        {
          name: 'remove',
          aliases: ['rm'],
          summary: 'Remove stored servers, with their secrets',
          load: () => import('./commands/mcp/remove.ts'),
        },
        { name: 'enable', summary: 'Let agents connect stored servers', load: () => import('./commands/mcp/enable.ts') },
        { name: 'disable', summary: 'Keep stored servers, without connecting them', load: () => import('./commands/mcp/disable.ts') },
        { name: 'login', summary: 'Log in to a remote server', load: () => import('./commands/mcp/login.ts') },
        { name: 'logout', summary: 'Forget the login to a remote server', load: () => import('./commands/mcp/logout.ts') },
        { name: 'test', summary: 'Start a server, say what it offers, and end it', load: () => import('./commands/mcp/test.ts') },
        { name: 'tools', summary: 'List the tools of a server', load: () => import('./commands/mcp/tools.ts') },
        { name: 'call', summary: 'Call a tool', load: () => import('./commands/mcp/call.ts') },
        { name: 'resources', summary: 'List the resources of a server', load: () => import('./commands/mcp/resources.ts') },
        { name: 'read', summary: 'Print a resource of a server', load: () => import('./commands/mcp/read.ts') },
        { name: 'prompts', summary: 'List the prompts of a server, or fill one in', load: () => import('./commands/mcp/prompts.ts') },
        { name: 'import', summary: "Take over other programs' servers", load: () => import('./commands/mcp/import.ts') },
        {
          name: 'export',
          summary: 'Print the servers for another program or an agent file',
          load: () => import('./commands/mcp/export.ts'),
        },
      ],
    },
    {
      name: 'history',
      summary: 'Show which tools were called, and what became of it',
      load: () => import('./commands/history.ts'),
      subcommands: [
        { name: 'show', summary: 'Show one call whole: arguments, result, decision', load: () => import('./commands/history/show.ts') },
        { name: 'stats', summary: 'Count the calls of each tool by day', load: () => import('./commands/history/stats.ts') },
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
          aliases: ['ls'],
          summary: 'List the conversations, the one used last first',
          load: () => import('./commands/sessions/list.ts'),
        },
        { name: 'show', summary: 'Show one conversation as it went', load: () => import('./commands/sessions/show.ts') },
        {
          name: 'delete',
          aliases: ['rm'],
          summary: 'Delete conversations with all their calls',
          load: () => import('./commands/sessions/delete.ts'),
        },
        { name: 'export', summary: 'Write one conversation as Markdown or JSON', load: () => import('./commands/sessions/export.ts') },
      ],
    },
    { name: 'grants', summary: 'Show and revoke what you have always allowed or rejected', load: () => import('./commands/grants.ts') },
    { name: 'console', summary: 'Open the web console: servers, tools, calls and sessions', load: () => import('./commands/console.ts') },
    { name: 'completion', summary: 'Print what lets a shell complete the commands', load: () => import('./commands/completion.ts') },
    { name: '__complete', load: () => import('./commands/complete.ts') },
  ],
}
