import { useState } from 'preact/hooks'
import type { ImportPreview } from '../../../api.ts'
import { type ApiFailure, isCancelled, post, toFailure } from '../../api/client.ts'
import { useDelayed } from '../../parts/use-delayed.ts'

export type Understood =
  | { readonly is: 'nothing' }
  | { readonly is: 'looking' }
  | { readonly is: 'found'; readonly preview: ImportPreview }
  | { readonly is: 'failed'; readonly failure: ApiFailure }

const lookAfterMs = 200

/** The meaning of a pasted text. Never returns the result of an older text. */
export function usePasted(text: string): Understood {
  const [result, setResult] = useState<{ readonly of: string; readonly understood: Understood }>({ of: '', understood: { is: 'nothing' } })
  const isEmpty = text.trim() === ''
  useDelayed(text, lookAfterMs, (signal) => {
    if (isEmpty) return
    post<ImportPreview>('/api/import/preview', { text }, signal).then(
      (preview) => setResult({ of: text, understood: { is: 'found', preview } }),
      (error: unknown) => {
        if (!isCancelled(error)) setResult({ of: text, understood: { is: 'failed', failure: toFailure(error) } })
      },
    )
  })
  if (isEmpty) return { is: 'nothing' }
  return result.of === text ? result.understood : { is: 'looking' }
}
