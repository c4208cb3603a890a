import { formatBytes, formatDuration } from '@ostler/agent-api/browser'
import { useEffect, useState } from 'preact/hooks'
import type {
  ProtocolMessage,
  ProtocolMessageDetail,
  ProtocolView as Protocol,
  ServerView,
} from '../../../api.ts'
import { serverApi } from '../../api/client.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { announce } from '../../parts/announce.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { CopyButton } from '../../parts/buttons.tsx'
import { Empty, Failure, Loading } from '../../parts/loading.tsx'
import { moveFocus } from '../../parts/move-focus.ts'
import { SearchField, Segments } from '../../parts/form.tsx'
import { useAttempt } from '../../parts/use-attempt.tsx'
import { useDelayed } from '../../parts/use-delayed.ts'
import { Time } from '../../parts/time.tsx'
import { toPath } from '../../route.ts'
import { formatCount } from '../../text/quantities.ts'
import { jsonText } from '../../text/visible.ts'

type Side = 'all' | 'client' | 'server'

const searchAfterMs = 250
/** More would make the page slow. The others can be found with the search. */
const shownMax = 300

export function ProtocolView({ server, changes }: { server: ServerView; changes: number }) {
  const [search, setSearch] = useState('')
  const [side, setSide] = useState<Side>('all')
  const [open, setOpen] = useState<number>()
  const searched = useSettled(search, searchAfterMs)
  const loaded = useLoaded<Protocol>(toPath(serverApi(server.id, 'protocol'), { search: searched }))
  useEffect(() => {
    if (changes > 0) loaded.reload()
  }, [changes])
  return (
    <section aria-label="Protocol" class="protocol">
      <div class="toolbar">
        <SearchField label="Search messages" value={search} onInput={setSearch} />
        <Segments
          label="Direction"
          isLabelHidden
          value={side}
          options={[
            ['all', 'All'],
            ['client', 'Sent'],
            ['server', 'Received'],
          ]}
          onChange={setSide}
        />
      </div>
      <Loading of={loaded}>
        {({ messages, leftOut }) => {
          const found = messages.filter(({ from }) => side === 'all' || from === side).toReversed()
          if (found.length === 0) {
            const isFiltered = searched !== '' || side !== 'all'
            return (
              <Empty title={isFiltered ? 'No message matches' : 'No messages yet'}>
                <p>Messages of this console’s connection appear here. Those of your agents do not.</p>
              </Empty>
            )
          }
          return (
            <>
              <ul
                class="rows"
                aria-label="Messages"
                onKeyDown={(event) => moveFocus(event, 'button.message-head')}
              >
                {found.slice(0, shownMax).map((message) => (
                  <Message
                    key={message.seq}
                    server={server}
                    message={message}
                    isOpen={open === message.seq}
                    onToggle={() => setOpen(open === message.seq ? undefined : message.seq)}
                  />
                ))}
              </ul>
              {found.length > shownMax && (
                <p class="note">
                  {formatCount(found.length - shownMax)} older messages. Search to find them.
                </p>
              )}
              {leftOut > 0 && (
                <p class="note">
                  {formatCount(leftOut)} messages were not kept: they were too old, or came too fast.
                </p>
              )}
            </>
          )
        }}
      </Loading>
    </section>
  )
}

interface MessageProps {
  server: ServerView
  message: ProtocolMessage
  isOpen: boolean
  onToggle: () => void
}

function Message({ server, message, isOpen, onToggle }: MessageProps) {
  const { at, from, kind, method, id, chars, isVast, durationMs } = message
  return (
    <li class={`message ${isOpen ? 'is-open' : ''}`}>
      <button type="button" class="message-head" aria-expanded={isOpen} onClick={onToggle}>
        <span>
          <Time at={at} />
        </span>
        <span class={`message-side message-${from}`}>
          <span aria-hidden="true">{from === 'client' ? '→' : '←'}</span>{' '}
          {from === 'client' ? 'sent' : 'received'}
        </span>
        <span class={`message-kind ${kind === 'error' ? 'is-bad' : 'muted'}`}>{kind}</span>
        <code class="message-method">{method === '' ? 'unknown' : method}</code>
        <span class="message-id muted">{id === undefined ? '' : `#${id}`}</span>
        <span class="message-number">{durationMs === undefined ? '' : formatDuration(durationMs)}</span>
        <span class="message-number muted">{`${isVast ? 'over ' : ''}${formatBytes(chars)}`}</span>
      </button>
      {isOpen && <Detail server={server} message={message} />}
    </li>
  )
}

function Detail({
  server,
  message: { seq, isCut, canReplay, method },
}: Pick<MessageProps, 'server' | 'message'>) {
  const path = serverApi(server.id, `protocol/${seq}`)
  const loaded = useLoaded<ProtocolMessageDetail>(path)
  const [isAsking, setAsking] = useState(false)
  const { attempt, send, failure, dialog } = useAttempt()
  const replay = () => {
    setAsking(false)
    return attempt(async () => {
      await send('Run and send', `${path}/replay`)
      announce('Sent again. The answer is among the messages.')
    })
  }
  return (
    <div class="column message-detail">
      <Loading of={loaded}>
        {({ message }) => (
          <>
            <div class="actions">
              <CopyButton label="Copy message" text={() => jsonText(message)} />
              {canReplay && (
                <button
                  type="button"
                  class="button-small"
                  onClick={() => (method === 'tools/call' ? setAsking(true) : void replay())}
                >
                  Send again
                </button>
              )}
              {isCut && <span class="muted">Only the beginning of this message was kept.</span>}
            </div>
            <Failure failure={failure} />
            <pre class="command message-json" tabIndex={0} aria-label="Message">
              {jsonText(message)}
            </pre>
          </>
        )}
      </Loading>
      {isAsking && (
        <Confirm
          title="Call the tool again?"
          action="Send again"
          onClose={() => setAsking(false)}
          onConfirm={() => void replay()}
        >
          <p>It runs immediately, with the same arguments. Side effects may happen twice.</p>
        </Confirm>
      )}
      {dialog}
    </div>
  )
}

function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value)
  useDelayed(value, ms, () => setSettled(value))
  return settled
}
