import type { Icon, ListedTool } from '../../../api.ts'
import { Link } from '../../parts/link.tsx'
import { moveFocus } from '../../parts/move-focus.ts'

interface ToolListProps {
  tools: readonly ListedTool[]
  chosen: ListedTool | undefined
  pathOf: (tool: ListedTool) => string
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

/** A server's icon, if it is included as data. A remote icon is not loaded, because its host would learn who looks at it. */
export function ToolIcon({ icons = [] }: { icons?: readonly Icon[] }) {
  const src = icons.find((icon) => icon.src.startsWith('data:image/'))?.src
  return src === undefined ? null : <img class="tool-icon" src={src} alt="" width={16} height={16} />
}
