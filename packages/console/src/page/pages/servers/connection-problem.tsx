import { toSentence } from '../../text/to-sentence.ts'
import type { ConnectionWords } from './connection-words.ts'

/** The error of a connection in one line, and the server's last output. */
export function ConnectionProblem({ reason, more, of }: Pick<ConnectionWords, 'reason' | 'more'> & { readonly of?: string }) {
  if (reason === undefined) return null
  return (
    <>
      <p class="server-error wrap">
        {of !== undefined && `${of}: `}
        {toSentence(reason)}
      </p>
      {more !== undefined && (
        <details class="server-output">
          <summary>Last output</summary>
          <pre tabIndex={0}>{more}</pre>
        </details>
      )}
    </>
  )
}
