import { counted } from '@ostler/agent-api/browser'
import type { ModelRequest } from '../schema/to-model-request.ts'
import { ContentView } from './content-view.tsx'

interface MessagesProps {
  label: string
  isMarkdown?: boolean
  messages: ModelRequest['messages']
}

export function Messages({ label, messages, isMarkdown = false }: MessagesProps) {
  return (
    <ol class="rows" aria-label={label}>
      {messages.map(({ role, content }, index) => (
        <li key={index} class="row">
          <strong>{role === 'user' ? 'User' : 'Assistant'}</strong>
          <ContentView content={content} isMarkdown={isMarkdown} />
        </li>
      ))}
    </ol>
  )
}

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
