import type { About } from '../../api.ts'

const stores = {
  keyring: 'the system keyring',
  file: 'an encrypted file',
  memory: 'memory only, until this process ends',
} as const

/** Shows where secrets and the agent file are stored. */
export function PageFoot({ about }: { readonly about: About | undefined }) {
  if (about === undefined) return <footer class="foot" />
  const { version, agent, secretStore } = about
  return (
    <footer class="foot">
      <span>Secrets are stored in {stores[secretStore.kind]}</span>
      {secretStore.problem !== undefined && (
        <details>
          <summary>Why not the system keyring?</summary>
          <p>{secretStore.problem}</p>
        </details>
      )}
      <span>
        Agent: {agent.name} {agent.file === null ? '(no agent file)' : <span class="mono">{agent.file}</span>}
      </span>
      <span>Ostler {version}</span>
    </footer>
  )
}
