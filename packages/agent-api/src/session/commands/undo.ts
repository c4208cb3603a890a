import { createToolCallId } from '../../base/ids.ts'
import { errorResult, textResult, type DiffOutput } from '../../messages/tool.ts'
import { recorded } from '../../state/calls/recorded.ts'
import type { Restored, UndoneChange } from '../../workspace/undo/undo-changes.ts'
import type { WorkspacePath } from '../../workspace/workspace-path.ts'
import type { Session } from '../session.ts'
import { tellModel, usageOf, type AnswerCommand } from './command.ts'
import { toMarkdownCode, toMarkdownText } from '../../base/markdown-text.ts'
import { counted } from '../../base/quantities.ts'

/** Repeating it undoes earlier prompts. */
export const undoCommand: AnswerCommand = {
  type: 'answer',
  name: 'undo',
  description: 'Undo what the last prompt changed in files with the built-in tools',
  isImmediate: true,
  async answer({ toolbox, record, person }, input, signal) {
    if (input !== '') return usageOf(undoCommand)
    const { fileChanges, membranes } = record
    await Promise.all([toolbox.builtin.load(), record.state.flushed()])
    const last = fileChanges.last()
    const { workspace } = toolbox.builtin
    if (last === undefined || workspace === undefined) {
      return 'There is nothing to undo: the built-in tools have changed no file in this session, or all changes are already undone.'
    }
    const [{ undoChanges }, { createFileAccess }] = await Promise.all([
      import('../../workspace/undo/undo-changes.ts'),
      import('../../workspace/files/file-access.ts'),
    ])
    const undone = await undoChanges(last.changes, {
      access: createFileAccess(workspace, { cleaner: membranes.texts }),
      perform: (path, diff, work) => performRestore({ record, person }, { path, diff, work }, signal),
      signal,
    })
    fileChanges.forget(
      last.turn,
      undone.filter(({ isOver }) => isOver).map(({ path }) => path),
    )
    const answer = toAnswer(undone, last.changes.length)
    // Otherwise the model would assume that its changes are still there.
    tellModel(record.conversation, undoCommand.name, answer)
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
    ...(left === 0
      ? []
      : [`- ${counted(left, 'more file')}: not restored, because the command was cancelled`]),
  ].join('\n')
}

interface Restore {
  readonly path: WorkspacePath
  readonly diff: DiffOutput | undefined
  readonly work: () => Promise<Restored>
}

/** A restored file is a call in the history. Without a clear yes, a file that has changed since stays as it is. */
async function performRestore(
  { record, person }: Pick<Session, 'record' | 'person'>,
  { path, diff, work }: Restore,
  signal: AbortSignal,
): Promise<Restored> {
  const ref = { server: null, tool: 'undo' }
  const shown = {
    title: `Restore ${path.shown}${diff === undefined ? '' : ', which has changed since'}`,
    rawInput: { path: path.path },
    content: diff && [diff],
  }
  const id = createToolCallId()
  const call = {
    id,
    ref,
    wireName: 'undo',
    kind: 'edit',
    locations: [],
    ...record.membranes.strike(shown),
  } as const
  const plan = { effect: 'write' } as const
  const facts = {
    ref,
    pin: { definition: '', identity: '', parts: {} },
    isInternal: false,
    isTrustedRead: false,
    plan,
  }
  const question = { kind: 'restore', call, ref, args: call.rawInput, facts, siblings: () => [] } as const
  const start = { id, ...ref, arguments: shown.rawInput }
  const { restored } = await recorded(record.calls(), start, async (row) => {
    const { verdict, rule } = await person.gate.pass(question, signal)
    row.decided(verdict, rule)
    if (verdict === 'allow') {
      row.running()
      const done = await work()
      return done.isOver
        ? { restored: done, outcome: 'success', result: textResult(done.outcome) }
        : { restored: done, outcome: 'error', result: errorResult(done.outcome) }
    }
    const isKept = rule.by === 'person' && verdict === 'deny'
    const reason = isKept
      ? 'you kept the change'
      : verdict === 'deny'
        ? 'nobody could be asked'
        : 'the question was not answered'
    const outcome = `left as it is: it has changed since, and ${reason}`
    return {
      restored: { isOver: isKept, outcome },
      outcome: verdict === 'deny' ? 'denied' : 'cancelled',
      result: errorResult(outcome),
    }
  })
  return restored
}
