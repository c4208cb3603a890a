/** The built-in tools of every session. A separate file for users that only need the names. */
export const builtinToolNames = ['read_file', 'write_file', 'edit_file', 'update_plan'] as const
