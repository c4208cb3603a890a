import type { ServerView } from '../../../api.ts'
import { Link } from '../../parts/link.tsx'
import { serverPath, toPath } from '../../route.ts'
import { parseOpenCalls, withToggled } from '../calls/call-filter.ts'
import { CallList, OneCall } from '../calls/call-list.tsx'
import { useCalls } from '../calls/use-calls.ts'

export function ServerCalls({ server, query }: { server: ServerView; query: URLSearchParams }) {
  const open = parseOpenCalls(query)
  const calls = useCalls({ server: server.name }, () => open.length > 0)
  const pathWith = (opened: string) => serverPath(server, 'calls', { open: opened })
  // An opened call is in the address of the page, and is shown again even if it is not among the newest.
  const missing = calls.isLoading
    ? undefined
    : open.find((one) => !calls.list.calls.some((call) => call.id === one))
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
