import type { ContentBlock } from '@ostler/agent-api'
import { ContentView } from './content-view.tsx'

interface MessagesProps {
  readonly label: string
  readonly isMarkdown?: boolean
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: readonly ContentBlock[] }[]
}

/** Messages of a conversation with a model, as a server wrote them. */
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
