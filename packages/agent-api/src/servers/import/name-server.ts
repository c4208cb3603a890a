const nameCharsMax = 40

/** Programs that run other programs, and their words before the name of the program. */
const runners = new Set(
  'npx bunx uvx pnpx uv run dlx exec x tool pnpm yarn npm bun deno node python python3 py pipx tsx ts-node java sh bash cmd env sudo'.split(
    ' ',
  ),
)
/** Options of containers that take a value. */
const containerOptions = new Set(
  '-e --env -v --volume --mount --name -p --publish --network --env-file -u --user -w --workdir --platform --entrypoint --add-host -l --label'.split(
    ' ',
  ),
)
/** Names of files and folders that say nothing about a server. */
const plainFiles = new Set('index server main dist build src bin cli run start app __main__ lib out stdio'.split(' '))
const plainHosts = new Set('mcp www api app server sse com org net io dev ai co'.split(' '))

/** A name for the server that a command starts. */
export function nameOfCommand(command: string, args: readonly string[]): string {
  const program = lastPart(command)
  const first = program === 'docker' || program === 'podman' ? imageOf(args) : programOf([command, ...args])
  return first === undefined ? 'server' : nameOfPackage(first)
}

/** A name for the server at an address. */
export function nameOfUrl(url: string): string {
  const { hostname } = new URL(url)
  if (/^[\d.]+$|^\[|^localhost$/.test(hostname)) return 'local'
  const labels = hostname.split('.').filter((label) => label !== '')
  const telling = labels.slice(0, Math.max(1, labels.length - 1)).filter((label) => !plainHosts.has(label))
  return clean(withoutAffixes(telling.at(-1) ?? labels[0] ?? ''))
}

/** A name that is not taken yet. */
export function freeServerName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  for (let count = 2; ; count++) if (!taken.has(`${name}-${count}`)) return `${name}-${count}`
}

function programOf(words: readonly string[]): string | undefined {
  return words.find((word) => !/^[-$]/.test(word) && !/^[A-Za-z_]\w*=(?!=)/.test(word) && !runners.has(lastPart(word)))
}

function imageOf([verb, ...args]: readonly string[]): string | undefined {
  if (verb !== 'run') return undefined
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    if (!word.startsWith('-')) return word
    if (containerOptions.has(word)) at++
  }
  return undefined
}

/** The name of a package of npm or PyPI, of an image, or of a file. */
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
