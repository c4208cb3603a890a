import { useEffect, useRef, useState } from 'preact/hooks'
import type { ServerLog, ServerView } from '../../../api.ts'
import { type ApiFailure, isCancelled, post, request, serverApi, toFailure } from '../../api/client.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { CheckField, Options } from '../../parts/field.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { toLogLines } from '../../text/log-lines.ts'

const everyMs = 1_000

type Level = ServerLog['level']

/** The least severe messages that the server is asked to log. */
const levels: readonly (readonly [Level, string])[] = [
  ['debug', 'Debug and above'],
  ['info', 'Info and above'],
  ['notice', 'Notice and above'],
  ['warning', 'Warning and above'],
  ['error', 'Error and above'],
  ['critical', 'Critical and above'],
  ['alert', 'Alert and above'],
  ['emergency', 'Emergency only'],
]

/** The server's log messages and stderr output, also of an attempt to connect that failed. Followed while they are shown. */
export function LogView({ server, canSetLevel }: { readonly server: ServerView; readonly canSetLevel: boolean }) {
  const { log, failure, setLevel } = useLog(server)
  const [search, setSearch] = useState('')
  const lines = (log === undefined ? [] : toLogLines(log)).filter((line) => line.toLowerCase().includes(search.trim().toLowerCase()))
  const [isFollowed, setFollowed] = useState(true)
  const end = useRef<HTMLPreElement>(null)
  const last = lines.at(-1)
  useEffect(() => {
    if (end.current !== null && isFollowed) end.current.scrollTop = end.current.scrollHeight
  }, [lines.length, last, isFollowed])
  if (failure !== undefined) return <Failure failure={failure} />
  if (log === undefined) return <p class="loading">Loading…</p>
  return (
    <section class="server-log" aria-label="Log">
      <div class="toolbar">
        <SearchField label="Search the log" value={search} onInput={setSearch} />
        <CheckField label="Follow" isOn={isFollowed} onChange={setFollowed} />
        {canSetLevel && (
          <select aria-label="Log level" value={log.level} onChange={(event) => void setLevel(event.currentTarget.value as Level)}>
            <Options of={levels} />
          </select>
        )}
        <CopyButton label="Copy log" text={() => lines.join('\n')} />
      </div>
      {lines.length === 0 ? (
        <Empty title={search === '' ? 'Nothing logged yet' : `No line matches “${search}”`}>
          <p>The server’s log messages and error output appear here while this console connects or uses it.</p>
        </Empty>
      ) : (
        <pre class="command log" ref={end} tabIndex={0} aria-label="Log lines">
          {lines.join('\n')}
        </pre>
      )}
    </section>
  )
}

function useLog({ id }: ServerView) {
  const [log, setLog] = useState<ServerLog | undefined>()
  const [failure, setFailure] = useState<ApiFailure | undefined>()
  useEffect(() => {
    const stop = new AbortController()
    const look = () => {
      if (document.hidden) return
      request<ServerLog>(serverApi(id, 'log'), { signal: stop.signal })
        .then((now) => {
          setFailure(undefined)
          setLog(now)
        })
        .catch((error: unknown) => {
          if (!isCancelled(error)) setFailure(toFailure(error))
        })
    }
    look()
    const timer = setInterval(look, everyMs)
    return () => {
      clearInterval(timer)
      stop.abort()
    }
  }, [id])
  const setLevel = async (level: Level) => {
    try {
      await post(serverApi(id, 'log-level'), { level })
      setLog((last) => last && { ...last, level })
    } catch (error) {
      setFailure(toFailure(error))
    }
  }
  return { log, failure, setLevel }
}
