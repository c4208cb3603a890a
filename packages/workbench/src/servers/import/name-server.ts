const nameCharsMax = 40

/** Programs that run other programs, and their words before the name of the program. */
const runners = new Set(
  (
    'npx bunx uvx pnpx uv run dlx exec x tool pnpm yarn npm bun deno node python python3 py pipx poetry tsx ts-node java sh bash cmd env sudo ' +
    'go cargo dotnet dnx op dotenvx mcp fastmcp'
  ).split(' '),
)
/** Generic names of files and folders, which say nothing about a server. */
const plainFiles = new Set(
  'index server main dist build src bin cli run start app __main__ lib out stdio'.split(' '),
)
const plainHosts = new Set('mcp www api app server sse com org net io dev ai co'.split(' '))

export function nameOfCommand(command: string, args: readonly string[]): string {
  const program = lastPart(command)
  const isContainer = program === 'docker' || program === 'podman'
  const first = isContainer ? args.find((word) => image.test(word)) : [command, ...args].find(isTelling)
  return first === undefined ? 'server' : nameOfPackage(first)
}

export function nameOfUrl(url: string): string {
  const { hostname, port } = new URL(url)
  if (/^[\d.]+$|^\[|^localhost$/.test(hostname)) return port === '' ? 'local' : `local-${port}`
  const labels = hostname.split('.').filter((label) => label !== '')
  const telling = labels.slice(0, Math.max(1, labels.length - 1)).filter((label) => !plainHosts.has(label))
  const name = telling.at(-1) ?? labels[0] ?? ''
  return clean(withoutAffixes(name) || name)
}

export function freeServerName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  for (let count = 2; ; count++) if (!taken.has(`${name}-${count}`)) return `${name}-${count}`
}

/** Options, variables and placeholders. */
const untelling = [/^[-$]/, /^<.*>$/, /^\/[a-z]$/i, /^[A-Za-z_]\w*=(?!=)/, /^[A-Z][A-Z\d]*_[A-Z\d_]+$/]

function isTelling(word: string): boolean {
  return !untelling.some((pattern) => pattern.test(word)) && !runners.has(lastPart(word))
}

/** `ghcr.io/github/github-mcp-server:1` */
const image = /^[\w.-]+(?::\d+)?(?:\/[\w.-]+)+(?::[\w.-]+)?(?:@[\w:]+)?$/

/** A package of npm or PyPI, an image, or a file. */
function nameOfPackage(text: string): string {
  const scoped = /^@([^/@]+)\/([^/@]+)/.exec(text)
  if (scoped !== null) return clean(withoutAffixes(scoped[2] ?? '') || (scoped[1] ?? ''))
  const parts = text
    .replace(/^git\+/, '')
    .split(/[\\/]/)
    .map((part) => part.replace(/(?:@|==|\[|:).*$/, '').replace(/\.(?:[cm]?[jt]sx?|py|jar|exe|sh|git)$/i, ''))
    .filter((part) => part !== '')
  const telling = parts.findLast((part) => !plainFiles.has(part.toLowerCase())) ?? parts.at(-1) ?? ''
  return clean(withoutAffixes(telling) || telling)
}

function withoutAffixes(name: string): string {
  return name
    .replace(/^(?:mcp|server)(?:[-_](?:mcp|server))?(?:[-_]|$)/i, '')
    .replace(/(?:^|[-_])(?:mcp|server)(?:[-_](?:mcp|server))?$/i, '')
}

function clean(name: string): string {
  const cleaned = name
    .slice(0, 4 * nameCharsMax)
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, nameCharsMax)
  return cleaned === '' ? 'server' : cleaned
}

function lastPart(path: string): string {
  return (
    path
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/\.(?:exe|cmd)$/i, '') ?? ''
  )
}
