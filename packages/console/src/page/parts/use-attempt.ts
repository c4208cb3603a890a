import { useState } from 'preact/hooks'
import { type ApiFailure, toFailure } from '../api/client.ts'
import { Declined, useCommandConfirm } from './command-confirm.tsx'

/** Runs one change at a time, and keeps the state to show. A change that the person declines does not count as failed. */
export function useAttempt() {
  const [failure, setFailure] = useState<ApiFailure | undefined>()
  const [isBusy, setBusy] = useState(false)
  const { withConfirmation, confirmCommands, dialog } = useCommandConfirm()
  /** Undefined if it fails or is declined. */
  const attempt = async <T>(run: () => Promise<T>): Promise<T | undefined> => {
    setFailure(undefined)
    setBusy(true)
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof Declined)) setFailure(toFailure(error))
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return { failure, isBusy, attempt, withConfirmation, confirmCommands, dialog }
}
