import { useEffect, useState } from 'preact/hooks'
import type { ImportPreview } from '../../../api.ts'
import { type ApiFailure, isCancelled, request, toFailure } from '../../api/client.ts'

export type Understood =
  | { readonly is: 'nothing' }
  | { readonly is: 'looking' }
  | { readonly is: 'found'; readonly preview: ImportPreview }
  | { readonly is: 'failed'; readonly failure: ApiFailure }

const lookAfterMs = 200

/** The meaning of a pasted text. A result is never that of an older text. */
export function usePasted(text: string): Understood {
  const [result, setResult] = useState<{ readonly of: string; readonly understood: Understood }>({ of: '', understood: { is: 'nothing' } })
  const isEmpty = text.trim() === ''
  useEffect(() => {
    if (isEmpty) return undefined
    const controller = new AbortController()
    const timer = setTimeout(() => {
      request<ImportPreview>('/api/import/preview', { method: 'POST', body: { text }, signal: controller.signal }).then(
        (preview) => setResult({ of: text, understood: { is: 'found', preview } }),
        (error: unknown) => {
          if (!isCancelled(error)) setResult({ of: text, understood: { is: 'failed', failure: toFailure(error) } })
        },
      )
    }, lookAfterMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [text, isEmpty])
  if (isEmpty) return { is: 'nothing' }
  return result.of === text ? result.understood : { is: 'looking' }
}
