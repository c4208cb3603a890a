import type { ServerView } from '../../../api.ts'
import { Link } from '../../parts/link.tsx'
import { serverPath, toPath } from '../../route.ts'
import { parseOpenCalls, withToggled } from '../calls/call-filter.ts'
import { CallList, OneCall } from '../calls/call-list.tsx'
import { useCalls } from '../calls/use-calls.ts'

export function ServerCalls({ server, query }: { server: ServerView; query: URLSearchParams }) {
  const open = parseOpenCalls(query)
  const calls = useCalls({ server: server.name }, open, () => open.length > 0)
  const { missing } = calls
  const pathWith = (opened: string) => serverPath(server, 'calls', { open: opened })
  return (
    <>
      <p class="toolbar">
        <Link class="button button-small" to={toPath('/calls', { server: server.name })}>
          Search, filter and export these calls
        </Link>
      </p>
      {missing !== undefined && <OneCall id={missing} closed={pathWith(withToggled(open, missing))} />}
      <CallList
        label={`Calls of ${server.name}`}
        calls={calls}
        open={open}
        pathWith={pathWith}
        empty="No calls yet"
      >
        <p>Calls of this server appear here when an agent makes one, or when you try a tool.</p>
      </CallList>
    </>
  )
}
