import { useEffect, useRef, useState } from 'preact/hooks'
import type { PersonQuestion, WatchLine } from '../../../api.ts'
import { requestLines, serverApi } from '../../api/client.ts'
import { isPresent, onPresence } from '../../api/presence.ts'

export interface Watch {
  readonly questions: readonly PersonQuestion[]
  readonly protocol: number
  readonly subscriptions: ReadonlySet<string>
  readonly resources: ReadonlyMap<string, number>
}

const nothing: Watch = { questions: [], protocol: 0, subscriptions: new Set(), resources: new Map() }
const againMs = 1_000

/**
 * Follows a server while its page is open, which also means that someone can answer its questions. A hidden page without work or questions
 * does not follow it, because a browser has few connections for all its tabs.
 */
export function useWatch(server: string): Watch {
  const [watch, setWatch] = useState(nothing)
  const asks = useRef(false)
  useEffect(() => {
    let stop: AbortController | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const update = () => {
      if (isPresent() || asks.current) {
        stop ??= follow()
        return
      }
      stop?.abort()
      stop = undefined
    }
    const follow = () => {
      const controller = new AbortController()
      void read(server, controller.signal, (line) => {
        if (line.type === 'questions') asks.current = line.questions.length > 0
        setWatch((last) => after(last, line))
        update()
      }).finally(() => {
        asks.current = false
        setWatch((last) => ({ ...last, questions: [] }))
        if (controller.signal.aborted) return
        stop = undefined
        timer = setTimeout(update, againMs)
      })
      return controller
    }
    update()
    const forget = onPresence(update)
    return () => {
      forget()
      clearTimeout(timer)
      stop?.abort()
      asks.current = false
      setWatch(nothing)
    }
  }, [server])
  return watch
}

async function read(server: string, signal: AbortSignal, onLine: (line: WatchLine) => void): Promise<void> {
  try {
    const path = serverApi(server, 'watch')
    for await (const line of requestLines<WatchLine>(path, { method: 'POST', signal }))
      if (!signal.aborted) onLine(line)
  } catch {
    // It is tried again.
  }
}

function after(last: Watch, line: WatchLine): Watch {
  if (line.type === 'questions') return { ...last, questions: line.questions }
  if (line.type === 'subscriptions') return { ...last, subscriptions: new Set(line.uris) }
  const { news } = line
  if (news.of !== 'resource') return { ...last, protocol: last.protocol + 1 }
  return {
    ...last,
    resources: new Map([...last.resources, [news.uri, (last.resources.get(news.uri) ?? 0) + 1]]),
  }
}
