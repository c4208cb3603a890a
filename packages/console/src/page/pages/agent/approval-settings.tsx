import { modeNames } from '@ostler/agent-api/browser'
import { Segments } from '../../parts/form.tsx'
import { optionsOf } from '../../text/setting-words.ts'
import type { SettingsPart } from './agent-page.tsx'
import { Panel } from './panel.tsx'

const words = {
  'read-only': 'Only read, search and plan. Deny everything else without asking.',
  'always-ask': 'Ask before every call that does more than read, except for tools you always allow.',
  'trusted-only': 'Run trusted tools. Ask before all others.',
  fenced: 'Edit files, and run commands in a sandbox, without asking. Ask before all others.',
  auto: 'Run tools without asking, except those set to ask or deny.',
} as const

export function ApprovalSettings({ settings: { approval }, view, change }: SettingsPart) {
  return (
    <Panel
      title="Approval"
      overridden={view.overridden}
      paths={['approval.mode', 'approval.reads', 'approval.trustedTools']}
    >
      <Segments
        label="Approval mode"
        value={approval.mode}
        options={optionsOf(modeNames)}
        onChange={(mode) => change({ approval: { ...approval, mode } })}
      />
      <p class={approval.mode === 'auto' ? 'note note-warn' : 'muted'}>{words[approval.mode]}</p>
      <Segments
        label="Reading files in the session’s directories"
        value={approval.reads}
        options={[
          ['allow', 'Without asking'],
          ['ask', 'Like any other call'],
        ]}
        onChange={(reads) => change({ approval: { ...approval, reads } })}
      />
      {approval.trustedTools.length > 0 && (
        <div>
          <h3 id="agent-trusted">
            Trusted tools{approval.mode === 'trusted-only' ? '' : ' (used in “Trusted only” mode)'}
          </h3>
          <ul class="chips" aria-labelledby="agent-trusted">
            {approval.trustedTools.map((pattern, index) => (
              <li key={`${index} ${pattern}`} class="badge">
                <code>{pattern}</code>
                <button
                  type="button"
                  class="button-quiet button-small"
                  aria-label={`Stop trusting ${pattern}`}
                  onClick={() =>
                    change({
                      approval: {
                        ...approval,
                        trustedTools: approval.trustedTools.filter((_, at) => at !== index),
                      },
                    })
                  }
                >
                  ×
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Panel>
  )
}
