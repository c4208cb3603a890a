/** A plain page for a visitor without access, or for an unknown address. It has no scripts and no styles. */
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

export const closedPage = toPage('Ostler console', 'This link has already been used. Run <code>ostler console</code> for a new one.')

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
