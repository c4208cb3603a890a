import { createToolCallId } from '../../base/ids.ts'
import type { DiffOutput } from '../../messages/tool.ts'
import type { UndoneChange } from '../../workspace/undo/undo-changes.ts'
import type { WorkspacePath } from '../../workspace/workspace-path.ts'
import type { SessionState } from '../session-state.ts'
import { usageOf, type AnswerCommand } from './command.ts'
import { tellModel } from './tell-model.ts'
import { toMarkdownCode, toMarkdownText } from '../../base/markdown-text.ts'
import { counted } from '../../base/counted.ts'

/** Repeating it undoes earlier prompts. */
export const undoCommand: AnswerCommand = {
  type: 'answer',
  name: 'undo',
  description: 'Undo what the last prompt changed in files with the built-in tools',
  isImmediate: true,
  async answer(state, input, _ports, signal) {
    if (input !== '') return usageOf(undoCommand)
    await Promise.all([state.builtin.load(), state.agent.history.journal.flushed()])
    const last = state.changes.last()
    const { workspace } = state.builtin
    if (last === undefined || workspace === undefined) {
      return 'There is nothing to undo: the built-in tools have changed no file in this session, or all changes are already undone.'
    }
    const [{ undoChanges }, { createFileAccess }] = await Promise.all([
      import('../../workspace/undo/undo-changes.ts'),
      import('../../workspace/files/file-access.ts'),
    ])
    const mayRestore = (path: WorkspacePath, diff: DiffOutput) => askToRestore(state, { path, diff }, signal)
    const undone = await undoChanges(last.changes, {
      access: createFileAccess(workspace, { cleaner: state.agent.membranes.texts }),
      mayRestore,
      signal,
    })
    state.changes.forget(
      last.turn,
      undone.filter(({ isOver }) => isOver).map(({ path }) => path),
    )
    const answer = toAnswer(undone, last.changes.length)
    // Otherwise the model would assume that its changes are still there.
    tellModel(state.conversation, undoCommand.name, answer)
    return answer
  },
}

function toAnswer(undone: readonly UndoneChange[], all: number): string {
  const lines = undone.map(({ shown, outcome }) => `- ${toMarkdownCode(shown)}: ${toMarkdownText(outcome)}`)
  const left = all - undone.length
  return [
    'The last prompt that changed files:',
    '',
    ...lines,
    ...(left === 0 ? [] : [`- ${counted(left, 'more file')}: not restored, because the command was cancelled`]),
  ].join('\n')
}

/** Without a clear yes, the file stays as it is. */
async function askToRestore(
  { approver, agent }: SessionState,
  { path, diff }: { readonly path: WorkspacePath; readonly diff: DiffOutput },
  signal: AbortSignal,
): Promise<boolean | undefined> {
  if (approver === undefined) return undefined
  const ref = { server: null, tool: 'undo' }
  const shown = { title: `Restore ${path.shown}, which has changed since`, rawInput: { path: path.path }, content: [diff] }
  const call = { id: createToolCallId(), ref, wireName: 'undo', kind: 'edit', locations: [], ...agent.membranes.strike(shown) } as const
  const plan = { effect: 'write' } as const
  const answer = await approver.ask({ call, ref, args: call.rawInput, plan, lasting: { type: 'nothing' } }, signal).catch(() => undefined)
  return answer === undefined || answer.verdict === 'cancelled' ? undefined : answer.verdict === 'allow'
}
