import { orAborted } from '../base/or-aborted.ts'
import { marksNewPassword } from '../tools/call-membrane.ts'
import { findProblems } from '../tools/find-problems.ts'
import { cancelled, ended, type Ended, type ReadyCall } from './prepare-call.ts'
import type { CallTools } from './turn.ts'

const problemsShown = 3

/** Makes sure that the tool is still the one that was offered. If it has changed, the arguments are checked again. */
export async function confirmCall(
  { confirm }: CallTools,
  call: ReadyCall,
  signal: AbortSignal,
): Promise<ReadyCall | Ended> {
  const confirmed = await orAborted(confirm(call.offered, signal), signal, undefined)
  if (confirmed === undefined) return cancelled
  if ('problem' in confirmed) return ended('error', confirmed.problem)
  const { offered } = confirmed
  const { inputSchema } = offered.tool
  if (inputSchema === call.offered.tool.inputSchema) return { ...call, offered }
  const problems = findProblems(inputSchema, call.args)
  if (problems.length > 0)
    return ended(
      'invalid',
      `The tool has changed. Its arguments do not match now: ${problems.slice(0, problemsShown).join('; ')}.`,
    )
  // The call is already shown, redacted by the schema of that time.
  if (marksNewPassword(inputSchema, call.offered.tool.inputSchema))
    return ended(
      'invalid',
      'The tool has changed. Nothing was run. Read its new description and call it again.',
    )
  return { ...call, offered }
}
