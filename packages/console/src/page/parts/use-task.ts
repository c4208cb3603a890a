import { useState } from 'preact/hooks'
import { type ApiFailure, toFailure } from '../api/client.ts'

/** The person did not confirm. */
export class Declined extends Error {}

/** Runs one change at a time, and keeps the state to show. A change that the person declines does not count as failed. */
export function useTask() {
  const [failure, setFailure] = useState<ApiFailure>()
  const [isBusy, setBusy] = useState(false)
  const forget = () => setFailure(undefined)
  /** Undefined if it fails or is declined. */
  const attempt = async <T>(
    run: () => Promise<T> | T,
    onFailure?: (failure: ApiFailure) => void,
  ): Promise<T | undefined> => {
    forget()
    setBusy(true)
    try {
      return await run()
    } catch (error) {
      if (error instanceof Declined) return undefined
      setFailure(toFailure(error))
      onFailure?.(toFailure(error))
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return { failure, isBusy, attempt, forget }
}
