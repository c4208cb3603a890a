import { useState } from 'preact/hooks'
import type { CallDetail } from '../../../api.ts'
import { BusyButton } from '../../parts/busy-button.tsx'
import { CallResult } from '../../parts/call-result.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { useToolCall } from '../../parts/use-tool-call.tsx'
import { parseArgumentsJson } from '../../schema/parse-arguments-json.ts'
import { jsonText } from '../../text/visible.ts'

/** Repeats a call, with the same or other arguments. */
export function RerunDialog({ call, onClose }: { readonly call: CallDetail; readonly onClose: () => void }) {
  const [json, setJson] = useState(() => jsonText(call.arguments ?? {}))
  const { state, run, cancel, dialog } = useToolCall()
  const { value, issues } = parseArgumentsJson(json)
  const isRunning = state.is === 'running'
  return (
    <>
      <Dialog
        title={`Run ${call.tool} again`}
        size="large"
        onClose={onClose}
        actions={
          <>
            <button type="button" onClick={isRunning ? cancel : onClose}>
              {isRunning ? 'Cancel' : 'Close'}
            </button>
            <BusyButton
              isBusy={isRunning || value === undefined}
              class="button-primary"
              onClick={() => {
                if (value !== undefined) void run(call.server ?? '', call.tool, value)
              }}
            >
              Run now
            </BusyButton>
          </>
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
    </>
  )
}
