/** The name under which an agent's grants, sessions and calls are stored. */
export function agentName(name: string | undefined): string {
  return name ?? 'default'
}
