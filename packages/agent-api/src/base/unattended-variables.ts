/**
 * Variables for every command, on this machine and in an editor's terminal. With them, no program waits for input, opens a pager or starts
 * an editor.
 */
export const unattendedVariables: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
}
