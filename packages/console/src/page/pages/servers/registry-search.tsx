import { useState } from 'preact/hooks'
import type { FoundEntry, RegistryPage, RegistrySearch } from '../../../api.ts'
import { type ApiFailure, request, toFailure } from '../../api/client.ts'
import { BusyButton } from '../../parts/busy-button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { TextField } from '../../parts/field.tsx'
import type { Given } from './found-entry.tsx'
import { FoundList } from './found-list.tsx'

interface RegistrySearchProps {
  readonly isBusy: boolean
  readonly onAdd: (registry: RegistrySearch, entry: FoundEntry, given: Given) => void
}

interface Found {
  readonly of: RegistrySearch
  readonly page: RegistryPage
}

/** Searches a registry of MCP servers. Nothing is requested before the button is pressed. */
export function RegistrySearchFields({ isBusy, onAdd }: RegistrySearchProps) {
  const [address, setAddress] = useState('')
  const [search, setSearch] = useState('')
  const [found, setFound] = useState<Found | undefined>()
  const [failure, setFailure] = useState<ApiFailure | undefined>()
  const [isSearching, setSearching] = useState(false)
  const look = (of: RegistrySearch) => {
    setSearching(true)
    setFailure(undefined)
    request<RegistryPage>('/api/import/registry', { method: 'POST', body: of })
      .then(
        (page) => setFound({ of, page }),
        (error: unknown) => setFailure(toFailure(error)),
      )
      .finally(() => setSearching(false))
  }
  const next = found?.page.next
  return (
    <details class="form-section">
      <summary>Search a registry</summary>
      <div class="form-section-body">
        <form
          class="form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (!isSearching) look({ address, search })
          }}
        >
          <div class="form-row">
            <TextField label="Search for" value={search} placeholder="weather" onInput={setSearch} />
            <TextField
              label="Registry, or the URL of a server.json"
              isMono
              value={address}
              placeholder="https://registry.modelcontextprotocol.io"
              hint="Leave empty for the official registry."
              onInput={setAddress}
            />
          </div>
          <div class="actions">
            <BusyButton isBusy={isSearching} type="submit">
              Search
            </BusyButton>
          </div>
        </form>
        {failure !== undefined && <Failure failure={failure} />}
        {found !== undefined && found.page.servers.length + found.page.skipped.length === 0 && <p role="status">No servers found.</p>}
        {found !== undefined && found.page.servers.length + found.page.skipped.length > 0 && (
          <FoundList title="In the registry" found={found.page} isBusy={isBusy} onAdd={(entry, given) => onAdd(found.of, entry, given)} />
        )}
        {found !== undefined && next !== undefined && (
          <button type="button" class="button-small" onClick={() => look({ ...found.of, cursor: next })}>
            Next page
          </button>
        )}
      </div>
    </details>
  )
}
