import { useState } from 'preact/hooks'
import type { ApiError, Confirmed } from '../../api.ts'
import { ApiFailure, type ApiRequest, request } from '../api/client.ts'
import { Confirm } from './dialog.tsx'
import { Declined, useTask } from './use-task.ts'

interface Question {
  readonly action: string
  readonly about: Omit<NonNullable<ApiError['confirm']>, 'commandLine'>
  readonly commandLines: readonly string[]
  readonly answer: (isConfirmed: boolean) => void
}

/**
 * Asks the person to confirm a command or a private address when the server requires it, then repeats `run` with the confirmation. Throws
 * `Declined` if the person declines.
 */
export function useCommandConfirm() {
  const [question, setQuestion] = useState<Question>()

  /** `onAsk` is called when the question is shown. Nothing runs until it is answered. */
  async function withConfirmation<T>(
    action: string,
    run: (confirmed: Confirmed) => Promise<T>,
    onAsk?: () => void,
  ): Promise<T> {
    try {
      return await run({})
    } catch (error) {
      const about = error instanceof ApiFailure ? error.confirm : undefined
      if (about === undefined) throw error
      const confirmed = { confirmed: true, confirmedCommandLine: about.commandLine }
      // The page shows a public address above the button, so pressing it confirms the address.
      if (about.kind === 'address' && about.address === undefined) return run(confirmed)
      onAsk?.()
      await ask({ action, about, commandLines: [about.commandLine] })
      return run({ ...confirmed, confirmedAddress: about.address })
    }
  }

  const send = <T,>(action: string, path: string, body: object = {}, options: ApiRequest = {}): Promise<T> =>
    withConfirmation(action, (confirmed) =>
      request(path, { method: 'POST', ...options, body: { ...body, ...confirmed } }),
    )

  /** Asks once for all of these commands. */
  const confirmCommands = (action: string, commandLines: readonly string[]) =>
    ask({ action, about: { kind: 'command' }, commandLines })

  async function ask(asked: Omit<Question, 'answer'>): Promise<void> {
    const isConfirmed = await new Promise<boolean>((answer) => setQuestion({ ...asked, answer }))
    setQuestion(undefined)
    if (!isConfirmed) throw new Declined()
  }

  const isOne = question?.commandLines.length === 1
  const dialog = question !== undefined && (
    <Confirm
      title={
        question.about.kind === 'address'
          ? 'Connect to this address?'
          : isOne
            ? 'Run this command?'
            : 'Run these commands?'
      }
      action={question.action}
      onClose={() => question.answer(false)}
      onConfirm={() => question.answer(true)}
    >
      {question.about.kind === 'command' ? (
        <p>
          {isOne
            ? 'This runs on your computer with your permissions. Continue only if you trust it.'
            : 'These run on your computer with your permissions. Continue only if you trust all of them.'}
        </p>
      ) : (
        <PrivateAddress address={question.about.address} />
      )}
      {question.commandLines.map((line, index) => (
        <pre key={index} class="command">
          {line}
        </pre>
      ))}
    </Confirm>
  )
  return { withConfirmation, send, confirmCommands, dialog }
}

/** A task whose requests may need a confirmation. */
export function useAttempt() {
  return { ...useTask(), ...useCommandConfirm() }
}

export function PrivateAddress({ address, class: name }: { address: string | undefined; class?: string }) {
  return (
    <p class={name}>
      <strong>{address}</strong> is on this computer or its local network. Internal services may be reachable
      there.
    </p>
  )
}
