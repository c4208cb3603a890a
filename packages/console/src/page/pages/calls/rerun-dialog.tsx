import { useState } from 'preact/hooks'
import type { CallDetail } from '../../../api.ts'
import { BusyButton } from '../../parts/busy-button.tsx'
import { CallResult } from '../../parts/call-result.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { useLeave } from '../../parts/use-leave.tsx'
import { useToolCall } from '../../parts/use-tool-call.tsx'
import { parseArgumentsJson } from '../../schema/parse-arguments-json.ts'
import { jsonText } from '../../text/visible.ts'

/** Repeats a call, with the same or other arguments. */
export function RerunDialog({ call, onClose }: { readonly call: CallDetail; readonly onClose: () => void }) {
  const [json, setJson] = useState(() => jsonText(call.arguments ?? {}))
  /** Arguments that can be discarded without asking: those of the earlier call, or of the last run. */
  const [used, setUsed] = useState(json)
  const { state, run, cancel, dialog } = useToolCall()
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
              void run(call.server ?? '', call.tool, value)
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
