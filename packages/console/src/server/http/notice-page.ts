import { createHash } from 'node:crypto'

/** Looks like the app. It is inline, because a visitor without access gets no other file. */
const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; background: light-dark(#f6f5f2, #121615); color: light-dark(#1c2220, #e5e9e7) }
body { margin: 0; min-height: 100vh; display: grid; place-content: center }
main { max-width: 30rem; margin: 1rem; padding: 1.5rem 2rem; border: 1px solid light-dark(#dedcd5, #2d3532); border-radius: 10px; background: light-dark(#fff, #191e1d) }
h1 { margin: 0 0 .5rem; font-size: 1.25rem; color: light-dark(#14665a, #62c9b3) }
p { margin: 0 }
`

/** Allows this style and nothing else. */
export const noticeHeaders = {
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
}

/** A page for a visitor without access, or for an error. It has no scripts. Text in backticks is code. */
export function noticePage(title: string, text: string): string {
  const [heading, ...parts] = [title, ...text.split('`')].map(escapeHtml)
  const html = parts.map((part, index) => (index % 2 === 1 ? `<code>${part}</code>` : part)).join('')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${heading}</title>
<style>${style}</style>
<main>
<h1>${heading}</h1>
<p>${html}</p>
</main>
</html>
`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
