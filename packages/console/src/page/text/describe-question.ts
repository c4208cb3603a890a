import type { StoredQuestion } from '../../api.ts'
import { visible } from './visible.ts'

export function describeQuestion({ body }: StoredQuestion): string {
  if (body.kind === 'call') return visible(body.title)
  if (body.server === null) return 'The agent asks you'
  const server = visible(body.server)
  return body.kind === 'page' && body.login !== undefined
    ? `${server} wants you to log in`
    : `The server ${server} asks`
}
