import { useEffect, useState } from 'preact/hooks'
import type { AgentSettings, AgentView } from '../../../api.ts'
import { useLiveReload } from '../../api/live.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { announce } from '../../parts/announce.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ApprovalSettings } from './approval-settings.tsx'
import { GrantList } from './grant-list.tsx'
import { LimitSettings } from './limit-settings.tsx'
import { ReviewDialog } from './review-dialog.tsx'
import { ServerSettings } from './server-settings.tsx'
import { SessionServerSettings } from './session-server-settings.tsx'
import { ToolSettings } from './tool-settings.tsx'

/** The props of every section of the page. */
export interface SettingsPart {
  readonly settings: AgentSettings
  readonly view: AgentView
  readonly change: (change: Partial<AgentSettings>) => void
}

export function AgentPage() {
  const loaded = useLoaded<AgentView>('/api/agent')
  useLiveReload('servers', loaded.reload)
  return (
    <PageFrame title="Agent" about={loaded.data === undefined ? '' : loaded.data.name}>
      <Loading of={loaded}>{(view) => <Settings view={view} onSaved={loaded.replace} reload={loaded.reload} />}</Loading>
    </PageFrame>
  )
}

/** Kept here so that they survive a visit to another page. */
let unsaved: Partial<AgentSettings> = {}

interface SettingsProps {
  readonly view: AgentView
  readonly onSaved: (view: AgentView) => void
  readonly reload: () => void
}

function Settings({ view, onSaved, reload }: SettingsProps) {
  const [changes, setChanges] = useState(unsaved)
  const [isReviewing, setReviewing] = useState(false)
  const settings: AgentSettings = { ...view.settings, ...changes }
  const isChanged = Object.entries(changes).some(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(view.settings[name as keyof AgentSettings]),
  )
  const part: SettingsPart = { settings, view, change: (change) => setChanges((last) => ({ ...last, ...change })) }

  useEffect(() => void (unsaved = changes), [changes])
  useEffect(() => {
    if (!isChanged) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isChanged])

  return (
    <>
      <p class="muted wrap">
        {view.file === null ? 'There is no agent file yet. Saving creates ' : 'Changes go to '}
        <code>{view.file ?? view.path}</code>
        {view.file === null ? '.' : '. You review a diff first. Comments are kept.'}
      </p>
      {view.problems.map((problem) => (
        <p key={problem} class="note note-warn">
          {problem}
        </p>
      ))}
      <ServerSettings {...part} />
      <ApprovalSettings {...part} />
      <ToolSettings {...part} />
      <SessionServerSettings {...part} />
      <LimitSettings {...part} />
      <GrantList grants={view.grants} onRevoked={reload} />
      {isChanged && (
        <div class="unsaved" role="region" aria-label="Unsaved changes">
          <span>Unsaved changes</span>
          <span class="spacer" />
          <button type="button" onClick={() => setChanges({})}>
            Discard
          </button>
          <button type="button" class="button-primary" onClick={() => setReviewing(true)}>
            Review changes
          </button>
        </div>
      )}
      {isReviewing && (
        <ReviewDialog
          settings={settings}
          file={view.file ?? view.path}
          version={view.version}
          onClose={() => setReviewing(false)}
          onOutdated={() => {
            setReviewing(false)
            reload()
          }}
          onSaved={(saved) => {
            setReviewing(false)
            setChanges({})
            onSaved(saved)
            announce('Saved. Server selection applies now, approval to new sessions, everything else when an agent restarts.')
          }}
        />
      )}
    </>
  )
}
