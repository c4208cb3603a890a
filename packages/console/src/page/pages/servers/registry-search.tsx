import { useState } from 'preact/hooks'
import type { FoundEntry, ImportPreview, RegistrySearch } from '../../../api.ts'
import { post } from '../../api/client.ts'
import { BusyButton } from '../../parts/buttons.tsx'
import { Failure } from '../../parts/loading.tsx'
import { Form, TextField } from '../../parts/form.tsx'
import { useAttempt } from '../../parts/use-attempt.tsx'
import { FoundList, type Given } from './found-list.tsx'

interface RegistrySearchProps {
  isBusy: boolean
  onAdd: (registry: RegistrySearch, entry: FoundEntry, given: Given) => void
}

interface Found {
  readonly of: RegistrySearch
  readonly preview: ImportPreview
}

/** Nothing is requested before the button is pressed. */
export function RegistrySearchFields({ isBusy, onAdd }: RegistrySearchProps) {
  const [address, setAddress] = useState('')
  const [search, setSearch] = useState('')
  const [found, setFound] = useState<Found>()
  const { attempt, isBusy: isSearching, failure } = useAttempt()
  const look = async (of: RegistrySearch) => {
    const preview = await attempt(() => post<ImportPreview>('/api/import/registry', of))
    if (preview !== undefined) setFound({ of, preview })
  }
  return (
    <details class="form-section">
      <summary>Search a registry</summary>
      <div class="column form-section-body">
        <Form isBusy={isSearching} onSubmit={() => void look({ address, search })}>
          <div class="form-row">
            <TextField
              label="Search for"
              value={search}
              placeholder="weather"
              hint="Shows at most 100 servers."
              onInput={setSearch}
            />
            <TextField
              label="Registry"
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
        </Form>
        <Failure failure={failure} />
        {found !== undefined && found.preview.servers.length + found.preview.skipped.length === 0 && (
          <p role="status">No servers found.</p>
        )}
        {found !== undefined && found.preview.servers.length + found.preview.skipped.length > 0 && (
          <FoundList
            title="In the registry"
            found={found.preview}
            isBusy={isBusy}
            onAdd={(entry, given) => onAdd(found.of, entry, given)}
          />
        )}
      </div>
    </details>
  )
}
