import { counted } from '@ostler/agent-api/browser'
import type { DiscoveredTool, ServerView } from '../../../api.ts'
import { useState } from 'preact/hooks'
import { Empty } from '../../parts/loading.tsx'
import { SearchField } from '../../parts/form.tsx'
import { findTools } from '../../parts/find-tools.ts'
import { serverPath } from '../../route.ts'
import { ToolDetail } from './tool-detail.tsx'
import { ToolList } from './tool-list.tsx'

interface ToolsViewProps {
  server: ServerView
  tools: readonly DiscoveredTool[]
  /** `tool=NAME`. `call=ID` fills in the arguments of an earlier call. */
  query: URLSearchParams
}

/** The others can be found with the search. */
const shownStep = 100

export function ToolsView({ server, tools, query }: ToolsViewProps) {
  const [search, setSearch] = useState('')
  const [shown, setShown] = useState(shownStep)
  const toolName = query.get('tool')
  const callId = query.get('call')
  const found = findTools(tools, search)
  const tool = tools.find(({ name }) => name === toolName)
  return (
    <>
      <div class="toolbar">
        <SearchField label="Search tools" value={search} onInput={setSearch} />
      </div>
      <div class={`split ${tool === undefined ? '' : 'has-detail'}`}>
        <section class="column split-list" aria-label="Tools">
          <p class="count" role="status">
            {search === ''
              ? counted(tools.length, 'tool')
              : `${found.length} of ${counted(tools.length, 'tool')}`}
          </p>
          {found.length === 0 ? (
            <Empty
              title={tools.length === 0 ? 'This server offers no tools' : `No tool matches “${search}”`}
            />
          ) : (
            <ToolList
              tools={found.slice(0, shown)}
              chosen={tool}
              pathOf={({ name }) => serverPath(server, 'tools', { tool: name })}
            />
          )}
          {found.length > shown && (
            <button type="button" onClick={() => setShown(shown + shownStep)}>
              Show {Math.min(shownStep, found.length - shown)} more
            </button>
          )}
        </section>
        <section class="split-detail" aria-label="Tool">
          {toolName !== null && tool === undefined && (
            <p class="note">This server has no tool “{toolName}”.</p>
          )}
          {tool === undefined ? (
            <Empty title="Select a tool">
              <p>Select a tool to see its parameters and try it.</p>
            </Empty>
          ) : (
            <ToolDetail key={`${tool.name}/${callId ?? ''}`} server={server} tool={tool} callId={callId} />
          )}
        </section>
      </div>
    </>
  )
}
