const nameCharsMax = 40

/** Programs that run other programs, and their words before the name of the program. */
const runners = new Set(
  (
    'npx bunx uvx pnpx uv run dlx exec x tool pnpm yarn npm bun deno node python python3 py pipx poetry tsx ts-node java sh bash cmd env sudo ' +
    'go cargo dotnet dnx op dotenvx mcp fastmcp'
  ).split(' '),
)
/** Their options whose value says nothing about the server. */
const runnerOptions = new Set(
  '--env-file --require -r --import --loader --registry --python --with -C'.split(' '),
)
/** Options of containers that take no value. */
const containerFlags = new Set(
  '--rm --interactive --tty --init --privileged --read-only --detach --no-healthcheck --oom-kill-disable --publish-all --quiet'.split(
    ' ',
  ),
)
/** Generic names of files and folders, which say nothing about a server. */
const plainFiles = new Set(
  'index server main dist build src bin cli run start app __main__ lib out stdio'.split(' '),
)
/** A host that serves many: the name before it says more. */
const hosting =
  /\.(?:vercel\.app|workers\.dev|pages\.dev|netlify\.app|herokuapp\.com|github\.io|onrender\.com|fly\.dev|railway\.app|azurewebsites\.net|run\.app|hf\.space|ngrok(?:-free)?\.\w+|trycloudflare\.com)$/
const plainHosts = new Set('mcp www api app server sse com org net io dev ai co'.split(' '))

export function nameOfCommand(command: string, args: readonly string[]): string {
  const program = lastPart(command)
  const first = program === 'docker' || program === 'podman' ? imageOf(args) : programOf([command, ...args])
  return first === undefined ? 'server' : nameOfPackage(first)
}

export function nameOfUrl(url: string): string {
  const { hostname: host, port } = new URL(url)
  const hostname = host.replace(hosting, '.app')
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

function programOf(words: readonly string[]): string | undefined {
  return words.find((word, at) => isTelling(word) && !runnerOptions.has(words[at - 1] ?? ''))
}

/** Options, variables and placeholders. */
const untelling = [/^[-$]/, /^<.*>$/, /^\/[a-z]$/i, /^[A-Za-z_]\w*=(?!=)/, /^[A-Z][A-Z\d]*_[A-Z\d_]+$/]

function isTelling(word: string): boolean {
  return (
    !untelling.some((pattern) => pattern.test(word)) &&
    !runners.has(lastPart(word)) &&
    !word.startsWith('@smithery/cli')
  )
}

function imageOf(words: readonly string[]): string | undefined {
  const args = words[0] === 'container' ? words.slice(1) : words
  if (args[0] !== 'run') return undefined
  for (let at = 1; at < args.length; at++) {
    const word = args[at] ?? ''
    if (!word.startsWith('-')) return word
    const takesNone =
      word.includes('=') || containerFlags.has(word) || /^-[itdPq]+$/.test(word) || /^-[a-zA-Z]./.test(word)
    if (!takesNone) at++
  }
  return undefined
}

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
