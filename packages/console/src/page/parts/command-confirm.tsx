import { useState } from 'preact/hooks'
import type { ApiError, Confirmed } from '../../api.ts'
import { ApiFailure } from '../api/client.ts'
import { Confirm } from './confirm.tsx'

interface Question {
  readonly action: string
  readonly about: NonNullable<ApiError['confirm']>
  readonly answer: (isConfirmed: boolean) => void
}

export class Declined extends Error {}

/**
 * Asks when the server wants a yes: before a command is run or an address of this network is asked. `run` is done again with the person's
 * word; without it `Declined` is thrown.
 */
export function useCommandConfirm() {
  const [question, setQuestion] = useState<Question | undefined>()

  /** `onAsk`: nothing runs while the question stands. */
  async function withConfirmation<T>(action: string, run: (confirmed: Confirmed) => Promise<T>, onAsk?: () => void): Promise<T> {
    try {
      return await run({})
    } catch (error) {
      const about = error instanceof ApiFailure ? error.confirm : undefined
      if (about === undefined) throw error
      const confirmed = { confirmed: true, confirmedCommandLine: about.commandLine }
      // Whoever presses the button under an address on the open net has said yes to it.
      if (about.kind === 'address' && about.address === undefined) return run(confirmed)
      onAsk?.()
      const isConfirmed = await new Promise<boolean>((answer) => setQuestion({ action, about, answer }))
      setQuestion(undefined)
      if (!isConfirmed) throw new Declined()
      return run({ ...confirmed, ...(about.address === undefined ? {} : { confirmedAddress: about.address }) })
    }
  }

  const dialog = question !== undefined && (
    <Confirm
      title={question.about.kind === 'command' ? 'Run this command?' : 'Connect to this address?'}
      action={question.action}
      onClose={() => question.answer(false)}
      onConfirm={() => question.answer(true)}
    >
      {question.about.kind === 'command' ? (
        <p>It runs on this computer, as you, and can do whatever you can. Go on only if you know what it is.</p>
      ) : (
        <p>
          <strong>{question.about.address}</strong> is an address of this computer or its network, where things may answer that are not
          meant for everyone.
        </p>
      )}
      <pre class="command">{question.about.commandLine}</pre>
    </Confirm>
  )
  return { withConfirmation, dialog }
}
