import { formatBytes } from '@ostler/agent-api/browser'
import type { ToolOutput } from '../../api.ts'
import { useState } from 'preact/hooks'
import { titleOf } from '../route.ts'
import { bytesOfBase64, fromBase64, parseJsonText, toSource } from '../text/media.ts'
import { formatCount } from '../text/quantities.ts'
import { jsonText } from '../text/visible.ts'
import { CopyButton, DownloadButton } from './buttons.tsx'
import { ChangeView } from './diff-view.tsx'
import { ForeignLink, Link } from './link.tsx'
import { JsonTree } from './json-tree.tsx'
import { Markdown } from './markdown.tsx'

const textShownMax = 20_000

interface ContentViewProps {
  content: readonly ToolOutput[]
  structured?: unknown
  pathOf?: (uri: string) => string
  /** True if text without a type is Markdown. */
  isMarkdown?: boolean
}

export function ContentView({ content, structured, ...how }: ContentViewProps) {
  if (content.length === 0 && structured === undefined) return <p class="muted">The result is empty.</p>
  return (
    <div class="content-view">
      {content.map((block, index) => (
        <Block key={index} block={block} {...how} />
      ))}
      {structured !== undefined && (
        <details class="content-block">
          <summary>Structured result</summary>
          <JsonTree value={structured} />
        </details>
      )}
    </div>
  )
}

function Block({
  block,
  pathOf,
  isMarkdown,
}: { block: ToolOutput } & Pick<ContentViewProps, 'pathOf' | 'isMarkdown'>) {
  switch (block.type) {
    case 'text':
      return <TextView text={block.text} name="result" isMarkdown={isMarkdown} />
    case 'image':
    case 'audio':
      return <MediaView kind={block.type} mimeType={block.mimeType} data={block.data} />
    case 'resource_link':
      return (
        <div class="content-block">
          <div class="content-head">
            <span class="content-kind">Resource link</span>
            <CopyButton label="Copy address" text={() => block.uri} />
            {pathOf !== undefined && <Link to={pathOf(block.uri)}>Read</Link>}
          </div>
          <p>
            <strong>{block.title ?? block.name}</strong> {block.description}
          </p>
          <p>
            <ForeignLink url={block.uri} />
          </p>
        </div>
      )
    case 'resource': {
      const { resource } = block
      const mimeType = resource.mimeType ?? ''
      if ('text' in resource)
        return (
          <TextView
            text={resource.text}
            name="resource"
            title={resource.uri}
            isMarkdown={markdownType.test(mimeType)}
          />
        )
      return <MediaView kind="image" name={resource.uri} mimeType={mimeType} data={resource.blob} />
    }
    case 'diff':
      return (
        <div class="content-block">
          <div class="content-head">
            <span class="content-kind mono">{block.path}</span>
          </div>
          <ChangeView before={block.oldText} after={block.newText} />
        </div>
      )
    case 'terminal':
      return <TextView text={block.text} name="terminal" title="Terminal" />
    default:
      return <TextView text={jsonText(block)} name="content" title="Unknown content type" />
  }
}

const markdownType = /^text\/(?:x-)?markdown\b/i

interface TextViewProps {
  text: string
  name: string
  title?: string
  isMarkdown?: boolean
}

/** Shows text. JSON can also be shown as a tree, and Markdown with its formats. */
function TextView({ text, name, title = 'Text', isMarkdown = false }: TextViewProps) {
  const json = parseJsonText(text)
  const [isWhole, setWhole] = useState(text.length <= textShownMax)
  const [isFormatted, setFormatted] = useState(json !== undefined || (isMarkdown && isWhole))
  return (
    <div class="content-block">
      <div class="content-head">
        <span class="content-kind">{title}</span>
        {(json !== undefined || isMarkdown) && (
          <button
            type="button"
            class="button-small"
            aria-pressed={isFormatted}
            onClick={() => setFormatted(!isFormatted)}
          >
            Show as {json === undefined ? 'Markdown' : 'tree'}
          </button>
        )}
        <CopyButton text={() => text} />
        <DownloadButton
          name={`${name}.${json === undefined ? 'txt' : 'json'}`}
          type={json === undefined ? 'text/plain' : 'application/json'}
          content={() => text}
        />
      </div>
      {!isFormatted ? (
        <pre tabIndex={0}>{isWhole ? text : `${text.slice(0, textShownMax)}…`}</pre>
      ) : json === undefined ? (
        <Markdown text={text} />
      ) : (
        <JsonTree value={json} />
      )}
      {!isWhole && !isFormatted && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {formatCount(text.length)} characters
        </button>
      )}
    </div>
  )
}

interface MediaViewProps {
  kind: 'image' | 'audio'
  name?: string
  mimeType: string
  data: string
}

function MediaView({ kind, name = titleOf(kind), mimeType, data }: MediaViewProps) {
  const source = toSource(kind, mimeType, data)
  const about = `${mimeType === '' ? 'unknown type' : mimeType}, ${formatBytes(bytesOfBase64(data))}`
  return (
    <div class="content-block">
      <div class="content-head">
        <span class="content-kind">
          {name} ({about})
        </span>
        {data !== '' && (
          <DownloadButton name="content" type="application/octet-stream" content={() => fromBase64(data)} />
        )}
      </div>
      {source === undefined ? (
        <p class="muted">No preview</p>
      ) : kind === 'image' ? (
        <img class="content-image" src={source} alt={`${name} of the result`} />
      ) : (
        <audio controls src={source} aria-label={`${name} of the result`} />
      )}
    </div>
  )
}
