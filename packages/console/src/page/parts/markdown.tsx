import type { Token, Tokens } from 'marked'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

type Lex = (text: string) => readonly Token[]

let loaded: Lex | undefined
const depthMax = 12

/**
 * Text of a model or a server. It is parsed to plain values, and each becomes an element of ours: there is no HTML, nothing is loaded, and an address is
 * text. Until the parser is loaded, and for a longer text, the text stands as it is.
 */
export function Markdown({ text }: { text: string }) {
  const lex = useLexer()
  if (lex === undefined || text.length > charsMax) return <p class="message-text">{text}</p>
  return <div class="column markdown">{toBlocks(lex(text), 0)}</div>
}

/** Parsing more would block the page. */
const charsMax = 200_000

function useLexer(): Lex | undefined {
  const [lex, setLex] = useState<{ readonly lex: Lex } | undefined>(loaded && { lex: loaded })
  useEffect(() => {
    if (loaded !== undefined) return
    void import('marked').then(({ lexer }) => {
      loaded = (text) => lexer(text)
      setLex({ lex: loaded })
    })
  }, [])
  return lex?.lex
}

function toBlocks(tokens: readonly Token[], depth: number): ComponentChildren[] {
  return tokens.map((token, index) => <Block key={index} token={token as Tokens.Generic} depth={depth} />)
}

function Block({ token, depth }: { token: Tokens.Generic; depth: number }) {
  const inner = token.tokens ?? []
  if (depth > depthMax) return <p class="message-text">{token.raw}</p>
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'heading':
      // The page has headings of its own.
      return <p class="markdown-heading">{toInline(inner, depth)}</p>
    case 'paragraph':
      return <p>{toInline(inner, depth)}</p>
    case 'text':
      return <>{inner.length > 0 ? toInline(inner, depth) : token['text']}</>
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{token['text']}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote>{toBlocks(inner, depth + 1)}</blockquote>
    case 'list': {
      const items = (token as Tokens.List).items.map((item, index) => (
        <li key={index}>
          {item.task && (item.checked === true ? '☑ ' : '☐ ')}
          {toBlocks(item.tokens, depth + 1)}
        </li>
      ))
      return token['ordered'] === true ? <ol>{items}</ol> : <ul>{items}</ul>
    }
    case 'table':
      return <Table table={token as Tokens.Table} depth={depth} />
    case 'hr':
      return <hr />
    default:
      return <p class="message-text">{token.raw}</p>
  }
}

function Table({ table: { header, rows }, depth }: { table: Tokens.Table; depth: number }) {
  return (
    <div class="markdown-table" role="group" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map(({ tokens, align }, index) => (
              <th key={index} scope="col" class={alignClass(align)}>
                {toInline(tokens, depth)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map(({ tokens, align }, at) => (
                <td key={at} class={alignClass(align)}>
                  {toInline(tokens, depth)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function alignClass(align: Tokens.TableCell['align']): string | undefined {
  return align === 'right' || align === 'center' ? `align-${align}` : undefined
}

function toInline(tokens: readonly Token[], depth: number): ComponentChildren[] {
  return tokens.map((token, index) => (
    <Inline key={index} token={token as Tokens.Generic} depth={depth + 1} />
  ))
}

function Inline({ token, depth }: { token: Tokens.Generic; depth: number }) {
  if (depth > depthMax) return <>{token.raw}</>
  const inner = () => toInline(token.tokens ?? [], depth)
  switch (token.type) {
    case 'strong':
      return <strong>{inner()}</strong>
    case 'em':
      return <em>{inner()}</em>
    case 'del':
      return <del>{inner()}</del>
    case 'codespan':
      return <code>{token['text']}</code>
    case 'br':
      return <br />
    case 'link':
    case 'image':
      return <Address text={token['text']} href={token['href']} />
    case 'escape':
      return <>{token['text']}</>
    case 'text':
      return <>{token.tokens === undefined ? token['text'] : inner()}</>
    default:
      return <>{token.raw}</>
  }
}

/** An address of a model is never a link. It is shown, so that it cannot hide behind its text. */
function Address({ text, href }: { text: string; href: string }) {
  return text === href ? (
    <code>{href}</code>
  ) : (
    <>
      {text} (<code>{href}</code>)
    </>
  )
}
