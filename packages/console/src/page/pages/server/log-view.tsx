import { useEffect, useRef, useState } from 'preact/hooks'
import type { ServerLogView, ServerView } from '../../../api.ts'
import { post, serverApi } from '../../api/client.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { CopyButton } from '../../parts/buttons.tsx'
import { CheckField, Select, SearchField } from '../../parts/form.tsx'
import { Empty, Failure } from '../../parts/loading.tsx'
import { useAttempt } from '../../parts/use-attempt.tsx'
import { titleOf } from '../../route.ts'
import { toLogLines } from '../../text/log-lines.ts'

const everyMs = 1_000

type Level = ServerLogView['level']

const levels = (
  ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] satisfies Level[]
).map((level) => [level, `${titleOf(level)} ${level === 'emergency' ? 'only' : 'and above'}`] as const)

/** The server's log messages and stderr output, also of an attempt to connect that failed. Followed while they are shown. */
export function LogView({ server, canSetLevel }: { server: ServerView; canSetLevel: boolean }) {
  const { log, error, failure, setLevel } = useLog(server)
  const [search, setSearch] = useState('')
  const lines = (log === undefined ? [] : toLogLines(log)).filter((line) =>
    line.toLowerCase().includes(search.trim().toLowerCase()),
  )
  const [isFollowed, setFollowed] = useState(true)
  const end = useRef<HTMLPreElement>(null)
  const last = lines.at(-1)
  useEffect(() => {
    if (end.current !== null && isFollowed) end.current.scrollTop = end.current.scrollHeight
  }, [lines.length, last, isFollowed])
  if (error !== undefined) return <Failure failure={error} />
  if (log === undefined) return <p class="loading">Loading…</p>
  return (
    <section class="server-log" aria-label="Log">
      <div class="toolbar">
        <SearchField label="Search the log" value={search} onInput={setSearch} />
        <CheckField label="Follow" isOn={isFollowed} onChange={setFollowed} />
        {canSetLevel && (
          <Select
            aria-label="Log level"
            value={log.level}
            options={levels}
            onChange={(level) => void setLevel(level)}
          />
        )}
        <CopyButton label="Copy log" text={() => lines.join('\n')} />
      </div>
      <Failure failure={failure} />
      {lines.length === 0 ? (
        <Empty title={search === '' ? 'Nothing logged yet' : `No line matches “${search}”`}>
          <p>
            The server’s log messages and error output appear here while this console connects or uses it.
          </p>
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
  const { data: log, error, isLoading, reload, replace } = useLoaded<ServerLogView>(serverApi(id, 'log'))
  const { attempt, failure } = useAttempt()
  useEffect(() => {
    if (isLoading) return undefined
    const timer = setInterval(() => !document.hidden && reload(), everyMs)
    return () => clearInterval(timer)
  }, [isLoading])
  const setLevel = (level: Level) =>
    attempt(async () => {
      await post(serverApi(id, 'log-level'), { level })
      if (log !== undefined) replace({ ...log, level })
    })
  return { log, error, failure, setLevel }
}
