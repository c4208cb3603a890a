/** Under which name an agent's grants, sessions and calls are kept. */
export function agentName(name: string | undefined): string {
  return name ?? 'default'
}
