import { useState } from 'preact/hooks'
import type { StoredCall, CallProgress } from '../../../api.ts'
import { serverApi } from '../../api/client.ts'
import { BusyButton } from '../../parts/buttons.tsx'
import { CallResult } from '../../parts/call-result.tsx'
import { Dialog, useLeave } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/form.tsx'
import { useLines } from '../../parts/use-lines.ts'
import { parseArgumentsJson } from '../../schema/entry.ts'
import { jsonText } from '../../text/visible.ts'

export function RerunDialog({ call, onClose }: { call: StoredCall; onClose: () => void }) {
  const [json, setJson] = useState(() => jsonText(call.arguments ?? {}))
  /** Arguments that can be discarded without asking: those of the earlier call, or of the last run. */
  const [used, setUsed] = useState(json)
  const { state, run, cancel, dialog } = useLines<CallProgress>('Run')
  const { value, issues } = parseArgumentsJson(json)
  const { leave, question } = useLeave(() => json !== used, onClose)
  const isRunning = state.is === 'running'
  return (
    <>
      <Dialog
        title={`Run ${call.tool} again`}
        size="large"
        onClose={isRunning ? cancel : leave}
        closeLabel={isRunning ? 'Cancel' : 'Close'}
        actions={
          <BusyButton
            isBusy={isRunning || value === undefined}
            class="button-primary"
            onClick={() => {
              if (value === undefined) return
              setUsed(json)
              void run(serverApi(call.server ?? '', 'call'), { tool: call.tool, arguments: value })
            }}
          >
            Run now
          </BusyButton>
        }
      >
        <div class="form">
          <p>
            Runs on <strong>{call.server}</strong> immediately. Side effects may happen twice.
          </p>
          <TextField
            label="Arguments (JSON)"
            isMono
            rows={10}
            value={json}
            errors={issues.map(({ message }) => message)}
            onInput={setJson}
          />
          <CallResult state={state} />
        </div>
      </Dialog>
      {dialog}
      {question}
    </>
  )
}
