/** What a person sees who comes without the key, or to the wrong place: no script, no style, nothing of ours. */
export function noticePage(title: string, text: string): string {
  return toPage(escapeHtml(title), escapeHtml(text))
}

function toPage(title: string, html: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<h1>${title}</h1>
<p>${html}</p>
</html>
`
}

export const closedPage = toPage(
  'Ostler console',
  'This address opens the console once, and only in the browser that opened it. To get a new one, run <code>ostler console</code> again.',
)

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
