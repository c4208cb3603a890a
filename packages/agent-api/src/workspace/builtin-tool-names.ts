/** The built-in tools of every session. A separate file for users that only need the names. */
export const builtinToolNames = [
  'read_file',
  'write_file',
  'edit_file',
  'list_directory',
  'find_files',
  'search_files',
  'run_command',
  'command_output',
  'stop_command',
  'fetch_url',
  'update_plan',
  'delegate',
] as const
