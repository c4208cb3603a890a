import type { StoredQuestion } from '../../api.ts'
import { visible } from './visible.ts'

/** What a question is about, in a few words. */
export function describeQuestion({ body }: StoredQuestion): string {
  if (body.kind === 'call') return visible(body.title)
  return body.server === null ? 'The agent asks you' : `The server ${visible(body.server)} asks`
}
