import type { ListedTool } from '../../../api.ts'
import { ToolIcon } from '../../parts/tool-icon.tsx'
import { moveFocus } from '../../parts/move-focus.ts'
import { Link } from '../../parts/link.tsx'

interface ToolListProps {
  readonly tools: readonly ListedTool[]
  readonly chosen: ListedTool | undefined
  readonly pathOf: (tool: ListedTool) => string
}

export function ToolList({ tools, chosen, pathOf }: ToolListProps) {
  // One stop of Tab for the whole list. The arrow keys move through it.
  const stop = chosen !== undefined && tools.includes(chosen) ? chosen : tools[0]
  return (
    <ul class="box tool-list" onKeyDown={(event) => moveFocus(event, 'a')}>
      {tools.map((tool) => (
        <li key={tool.name}>
          <Link to={pathOf(tool)} current={tool === chosen} isSkipped={tool !== stop}>
            <code>
              <ToolIcon icons={tool.icons} />
              {tool.name}
            </code>
            <span class="muted">
              {tool.leftOut !== undefined && 'Not offered. '}
              {tool.title ?? tool.description}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
