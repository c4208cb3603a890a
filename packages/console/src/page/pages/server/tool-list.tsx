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
  return (
    <ul class="box tool-list" onKeyDown={(event) => moveFocus(event, 'a')}>
      {tools.map((tool) => (
        <li key={tool.name}>
          <Link to={pathOf(tool)} current={tool === chosen}>
            <code>
              <ToolIcon icons={tool.icons} />
              {tool.name}
            </code>
            <span class="muted">{tool.title ?? tool.description}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
