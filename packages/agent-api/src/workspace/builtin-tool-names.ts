/** The tools of `createBuiltinTools`. A separate file for users that only need the names. */
export const builtinToolNames = ['read_file', 'write_file', 'edit_file'] as const
