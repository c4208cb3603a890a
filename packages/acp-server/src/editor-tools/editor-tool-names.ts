/** Every tool that an editor may bring, for those who only need the names. */
export const editorToolNames = ['read_file', 'write_file', 'edit_file', 'run_command', 'ask_person'] as const
