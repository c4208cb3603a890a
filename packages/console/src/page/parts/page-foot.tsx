import type { About } from '../../api.ts'

const stores = {
  keyring: 'the system keyring',
  file: 'an encrypted file',
  memory: 'memory only: they are gone when this process ends',
} as const

/** Where things are, and above all where secrets are. */
export function PageFoot({ about }: { readonly about: About | undefined }) {
  if (about === undefined) return <footer class="foot" />
  const { version, agent, secretStore } = about
  return (
    <footer class="foot">
      <span>Secrets are kept in {stores[secretStore.kind]}</span>
      {secretStore.problem !== undefined && (
        <details>
          <summary>Why not in a better place</summary>
          <p>{secretStore.problem}</p>
        </details>
      )}
      <span>
        Agent {agent.name}: <span class="mono">{agent.file ?? 'no file yet'}</span>
      </span>
      <span>Ostler {version}</span>
    </footer>
  )
}
