import type { About, CallProgress, DiscoveredTool, ServerView, StoredCall } from '../../../api.ts'
import { useEffect, useState } from 'preact/hooks'
import { serverApi, callApi } from '../../api/client.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { BusyButton, CopyButton } from '../../parts/buttons.tsx'
import { Form } from '../../parts/form.tsx'
import { focusInvalid } from '../../parts/move-focus.ts'
import { CallResult } from '../../parts/call-result.tsx'
import { useLines } from '../../parts/use-lines.ts'
import { ArgumentsEditor, useArguments } from '../../parts/arguments-editor.tsx'
import type { FormField } from '../../schema/field.ts'
import { toCallCommand } from '../../text/call-command.ts'
import { serverPath } from '../../route.ts'

interface TryToolProps {
  server: ServerView
  tool: DiscoveredTool
  field: FormField
  callId: string | null
}

export function TryTool({ server, tool, field, callId }: TryToolProps) {
  const editor = useArguments(field)
  const { state, run, cancel, dialog } = useLines<CallProgress>('Run')
  const earlier = useLoaded<StoredCall>(callId === null ? undefined : callApi(callId))
  const about = useLoaded<About>('/api/about')
  const [hasTaken, setTaken] = useState(false)
  useEffect(() => {
    if (earlier.data === undefined || hasTaken) return
    editor.fill(earlier.data.arguments)
    setTaken(true)
  }, [earlier.data])

  const submit = async (form: HTMLFormElement) => {
    const args = await editor.read()
    if (args !== undefined) void run(serverApi(server.id, 'call'), { tool: tool.name, arguments: args })
    else focusInvalid(form)
  }
  const isRunning = state.is === 'running'
  const command = () => {
    const args = editor.draft()
    const { id, name, shadowed } = server
    return (
      args &&
      toCallCommand({
        server: shadowed ? id : name,
        tool: tool.name,
        arguments: args,
        flags: about.data?.commandFlags ?? [],
      })
    )
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
      <CallResult
        state={state}
        app={{ server: server.id, uri: tool.appUri }}
        pathOf={(uri) => serverPath(server, 'resources', { uri })}
      />
      {dialog}
    </section>
  )
}
