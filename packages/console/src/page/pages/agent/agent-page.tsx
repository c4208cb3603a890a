import { useEffect, useState } from 'preact/hooks'
import type { AgentSettings, AgentView, Policy, Replay } from '../../../api.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { announce } from '../../parts/announce.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Link } from '../../parts/link.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { toPath } from '../../route.ts'
import { ApprovalSettings } from './approval-settings.tsx'
import { cleanSettings, ReviewDialog } from './review-dialog.tsx'
import { LimitSettings, WorkspaceSettings } from './limit-settings.tsx'
import { ModelSettings } from './model-settings.tsx'
import { ReplayView } from './replay-view.tsx'
import { ServerSettings, SessionServerSettings } from './server-settings.tsx'
import { ToolPolicy } from './tool-policy.tsx'
import { useJudged } from './use-policy.ts'

type OptionalSetting = 'model' | 'smallModel' | 'thoughtLevel' | 'systemPrompt'

const parts = { policy: 'Tools and approval', servers: 'Servers', model: 'Model', limits: 'Limits' } as const
type PartName = keyof typeof parts

export interface SettingsPart {
  readonly settings: AgentSettings
  readonly view: AgentView
  readonly change: (change: Partial<AgentSettings>) => void
  readonly remove: (field: OptionalSetting) => void
}

export function AgentPage({ query }: { query: URLSearchParams }) {
  const part = query.get('view') ?? 'policy'
  const loaded = useLoaded<AgentView>('/api/agent', 'servers')
  return (
    <PageFrame title="Agent" about={loaded.data === undefined ? '' : loaded.data.name}>
      <Loading of={loaded}>
        {(view) => (
          <Settings
            view={view}
            part={part in parts ? (part as PartName) : 'policy'}
            onSaved={loaded.replace}
            reload={loaded.reload}
          />
        )}
      </Loading>
    </PageFrame>
  )
}

type Changes = { readonly [K in keyof AgentSettings]?: AgentSettings[K] }

/** Kept here so that they survive a visit to another page. */
let unsaved: Changes = {}

interface SettingsProps {
  part: PartName
  view: AgentView
  onSaved: (view: AgentView) => void
  reload: () => void
}

function Settings({ view, part: name, onSaved, reload }: SettingsProps) {
  const [changes, setChanges] = useState(unsaved)
  const [reviewed, setReviewed] = useState<Changes>()
  const settings = withChanges(view.settings, changes)
  const isChanged = JSON.stringify(settings) !== JSON.stringify(withChanges(view.settings, {}))
  const part: SettingsPart = {
    settings,
    view,
    change: (change) => setChanges((last) => ({ ...last, ...change })),
    remove: (field) => setChanges((last) => ({ ...last, [field]: undefined })),
  }

  useEffect(() => void (unsaved = changes), [changes])
  useEffect(() => {
    if (!isChanged) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isChanged])

  return (
    <>
      <p class="muted">
        {view.file === null ? 'There is no agent file yet. Saving creates ' : 'Changes go to '}
        <code>{view.file ?? view.path}</code>
        {view.file === null ? '.' : '. You review a diff first. Comments are kept.'}
      </p>
      {view.problems.map((problem) => (
        <p key={problem} class="note note-warn">
          {problem}
        </p>
      ))}
      {view.problems.length > 0 && (
        <p class="muted">A setting that cannot be read is shown with its default.</p>
      )}
      <nav class="tabs" aria-label="Parts of the agent">
        {Object.entries(parts).map(([key, label]) => (
          <Link
            key={key}
            to={toPath('/agent', { view: key === 'policy' ? undefined : key })}
            current={key === name}
          >
            {label}
          </Link>
        ))}
      </nav>
      {name === 'policy' && <PolicyPart part={part} isChanged={isChanged} />}
      {name === 'servers' && (
        <>
          <ServerSettings {...part} />
          <SessionServerSettings {...part} />
        </>
      )}
      {name === 'model' && <ModelSettings {...part} />}
      {name === 'limits' && (
        <>
          <LimitSettings {...part} />
          <WorkspaceSettings {...part} />
        </>
      )}
      {isChanged && (
        <div class="flow unsaved" role="region" aria-label="Unsaved changes">
          <span>Unsaved changes</span>
          <span class="spacer" />
          <button type="button" onClick={() => setChanges({})}>
            Discard
          </button>
          <button type="button" class="button-primary" onClick={() => setReviewed(changes)}>
            Review changes
          </button>
        </div>
      )}
      {reviewed !== undefined && (
        <ReviewDialog
          settings={settings}
          file={view.file ?? view.path}
          version={view.version}
          onClose={() => setReviewed(undefined)}
          onOutdated={() => {
            setReviewed(undefined)
            reload()
          }}
          onSaved={(saved) => {
            // The person may have opened another review since, or left the page.
            setReviewed((last) => (last === reviewed ? undefined : last))
            unsaved = without(unsaved, changes)
            setChanges((last) => without(last, changes))
            onSaved(saved)
            announce(
              'Saved. Server selection applies now, approval to new sessions, everything else when an agent restarts.',
            )
          }}
        />
      )}
    </>
  )
}

/** Shows each change in the table and on past calls before it is saved. */
function PolicyPart({ part, isChanged }: { part: SettingsPart; isChanged: boolean }) {
  const edited = isChanged ? cleanSettings(part.settings) : undefined
  const version = part.view.version
  const policy = useJudged<Policy>('/api/policy', edited, version, 150)
  const replay = useJudged<Replay>('/api/policy/replay', edited, version, 400)
  return (
    <>
      <ApprovalSettings {...part} />
      <ReplayView replay={replay} />
      <ToolPolicy {...part} policy={policy} />
    </>
  )
}

function without(changes: Changes, saved: Changes): Changes {
  const isSaved = (field: string) =>
    field in saved && changes[field as keyof Changes] === saved[field as keyof Changes]
  return Object.fromEntries(Object.entries(changes).filter(([field]) => !isSaved(field)))
}

function withChanges(settings: AgentSettings, changes: Changes): AgentSettings {
  const all = { ...settings, ...changes }
  const names = Object.keys(all).toSorted() as (keyof AgentSettings)[]
  return Object.fromEntries(
    names.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])),
  ) as unknown as AgentSettings
}
