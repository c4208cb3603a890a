import type { ModelRequest } from '../schema/to-model-request.ts'
import { counted } from '../text/quantities.ts'
import { Messages } from './messages.tsx'

/** What a server wants to ask a model. */
export function RequestedOfModel({ systemPrompt, messages, maxTokens }: ModelRequest) {
  return (
    <>
      {systemPrompt !== undefined && (
        <section aria-label="System prompt">
          <h3>System prompt</h3>
          <pre class="command" tabIndex={0}>
            {systemPrompt}
          </pre>
        </section>
      )}
      <Messages label="Messages" messages={messages} />
      {maxTokens !== undefined && <p class="muted">The answer has at most {counted(maxTokens, 'token')}.</p>}
    </>
  )
}
