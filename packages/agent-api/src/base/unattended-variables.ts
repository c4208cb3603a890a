/** Variables of every command, on this machine and in an editor's terminal: nobody can answer a prompt, turn a page or use an editor. */
export const unattendedVariables: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
}
