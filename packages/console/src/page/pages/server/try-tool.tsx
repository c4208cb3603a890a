import type { DiscoveredTool } from '@ostler/agent-api/manage'
import { useEffect, useState } from 'preact/hooks'
import type { About, CallDetail, ServerView } from '../../../api.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { BusyButton } from '../../parts/busy-button.tsx'
import { Form } from '../../parts/form.tsx'
import { focusInvalid } from '../../parts/move-focus.ts'
import { CallResult } from '../../parts/call-result.tsx'
import { useToolCall } from '../../parts/use-tool-call.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { ArgumentsEditor, useArguments } from '../../parts/arguments-editor.tsx'
import type { FormField } from '../../schema/field.ts'
import { toCallCommand } from '../../text/call-command.ts'
import { serverPath } from '../../server-path.ts'

interface TryToolProps {
  readonly server: ServerView
  readonly tool: DiscoveredTool
  readonly field: FormField
  /** The earlier call whose arguments are filled in. */
  readonly callId: string | null
}

export function TryTool({ server, tool, field, callId }: TryToolProps) {
  const editor = useArguments(field)
  const { state, run, cancel, dialog } = useToolCall()
  const earlier = useLoaded<CallDetail>(callId === null ? undefined : `/api/calls/${encodeURIComponent(callId)}`)
  const about = useLoaded<About>('/api/about')
  const [hasTaken, setTaken] = useState(false)
  useEffect(() => {
    if (earlier.data === undefined || hasTaken) return
    editor.fill(earlier.data.arguments)
    setTaken(true)
  }, [earlier.data])

  const submit = async (form: HTMLFormElement) => {
    const args = await editor.read()
    if (args !== undefined) void run(server.id, tool.name, args)
    else focusInvalid(form)
  }
  const isRunning = state.is === 'running'
  const command = () => {
    const args = editor.draft()
    const { id, name, shadowed } = server
    return args && toCallCommand({ server: shadowed ? id : name, tool: tool.name, arguments: args, flags: about.data?.commandFlags ?? [] })
  }
  return (
    <section class="try" aria-label="Try it">
      <h3>Try it</h3>
      <Form isBusy={isRunning} onSubmit={(form) => void submit(form)}>
        <ArgumentsEditor editor={editor} field={field} />
        <div class="actions">
          <BusyButton isBusy={isRunning} type="submit" class="button-primary">
            Run tool
          </BusyButton>
          {isRunning && (
            <button type="button" onClick={cancel}>
              Cancel
            </button>
          )}
          {about.data !== undefined && <CopyButton label="Copy as command" text={command} />}
        </div>
      </Form>
      <CallResult state={state} app={{ server: server.id, uri: tool.appUri }} pathOf={(uri) => serverPath(server, 'resources', { uri })} />
      {dialog}
    </section>
  )
}
