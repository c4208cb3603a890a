import { checkSeen, hiddenProblem, refusal, textOf, type Fields } from './read-fields.ts'
import { readArguments, readPairs, type Inputs } from './read-inputs.ts'
import type { ArgumentTemplate, PairTemplate, RegistryWay } from './registry-server.ts'

export type Way = Omit<RegistryWay, 'id'>

/** An exact version: no range, no tag, and no flag. */
const exactVersion = /^v?\d[\w.+!-]*$/
const containers = ['docker', 'podman']
/** Host, path, tag and digest of an image. */
const image = /^[a-z\d][\w.-]*(?::\d+)?(?:\/[a-z\d][\w.-]*)*(?::(\w[\w.-]*))?(@sha256:[a-f\d]{64})?$/i

/** Downloads and runs it. Throws a refusal if Ostler cannot. */
export function readPackage(fields: Fields): Way {
  const type = fields['registryType']
  const { identifier } = fields
  if (typeof type !== 'string' || typeof identifier !== 'string') {
    const isOld = fields['registry_type'] !== undefined || fields['registry_name'] !== undefined
    throw refusal(
      isOld ? 'it is written in the format before 2025-09-16' : 'it has no registryType and identifier',
    )
  }
  const transport = transportOf(fields['transport'])
  if (transport !== 'stdio')
    throw refusal(`it is a ${transport} server that you start yourself; start it, then add its URL`)
  checkSeen(identifier, 'its identifier')
  if (type === 'mcpb') throw refusal('it is a bundle (mcpb), and Ostler does not run bundles')
  return type === 'oci' ? readImage(fields, identifier) : readRun(fields, type, identifier)
}

/** Documents without a transport are older than the field. */
function transportOf(transport: unknown): string {
  if (transport === undefined) return 'stdio'
  return textOf((transport as Fields | null)?.['type']) ?? 'an unknown transport'
}

function readRun(fields: Fields, type: string, identifier: string): Way {
  const kind = packageKinds.get(type)
  if (kind === undefined)
    throw refusal(
      `its package type ${textOf(type) ?? ''} is not supported; Ostler runs npm, pypi, nuget and oci packages`,
    )
  const { version, registryBaseUrl } = fields
  if (!kind.identifier.test(identifier)) throw refusal(`its identifier is not a valid ${type} package name`)
  if (typeof version !== 'string' || !exactVersion.test(version) || /\.[x*]\b/i.test(version))
    throw refusal('it has no exact version, so what would run is not known')
  const hint = fields['runtimeHint'] ?? undefined
  const hinted = kind.runners.find(({ command }) => command === hint)
  const runner = hinted ?? kind.runners[0]
  const isOther = hint !== undefined && hinted === undefined
  if (isOther && Array.isArray(fields['runtimeArguments']) && fields['runtimeArguments'].length > 0)
    throw refusal(
      `it needs ${textOf(hint) ?? 'another program'}, which Ostler does not use for ${type} packages`,
    )
  const registry = registryWords(registryBaseUrl, kind.hosts, runner)
  const { runtime, program, env, inputs } = readParts(fields)
  const word = runner.toWord(identifier, version)
  const start = runner.start.filter((flag) => !hasWord(runtime, flag))
  const separator =
    program.length === 0 ? (runner.end ?? []).filter((each) => each !== '--') : (runner.end ?? [])
  const args = [
    ...fixed(start),
    ...runtime,
    ...fixed(registry),
    ...fixed([word]),
    ...fixed(separator),
    ...program,
  ]
  return {
    label: `${type} ${word}`,
    launch: { type: 'stdio', command: runner.command, args, env },
    inputs: [...inputs.values()],
    notes: isOther
      ? [
          `its author suggests ${textOf(hint) ?? 'another program'}, but Ostler runs it with ${runner.command}`,
        ]
      : [],
  }
}

/** A package of another registry must not be looked up in the public one, where somebody else may own its name. */
function registryWords(
  base: unknown,
  hosts: readonly string[],
  { command, registry: toWords }: Pick<PackageRunner, 'command' | 'registry'>,
): readonly string[] {
  if (base === undefined || base === null || base === '') return []
  if (typeof base !== 'string' || hiddenProblem(base) !== undefined || !URL.canParse(base))
    throw refusal('the address of its package registry is not a valid URL')
  const url = new URL(base)
  if (url.protocol !== 'https:') throw refusal('its package registry does not use https')
  if (hosts.includes(url.hostname)) return []
  if (toWords === undefined)
    throw refusal(`its package comes from ${url.host}, and ${command} cannot be told to use another registry`)
  return toWords(url.href)
}

/** The variables are passed on from the environment of the container program. */
function readImage(fields: Fields, identifier: string): Way {
  const name = withVersion(withHost(identifier, fields['registryBaseUrl']), fields['version'])
  const parts = image.exec(name)
  if (parts === null) throw refusal('its identifier is not the name of an image')
  const hint = fields['runtimeHint'] ?? 'docker'
  const command = containers.find((each) => each === hint)
  if (command === undefined)
    throw refusal(
      `it needs ${textOf(hint) ?? 'another program'}, but Ostler runs images with docker or podman only`,
    )
  const { runtime: given, program, env, inputs } = readParts(fields)
  const runtime = hasWord(given.slice(0, 1), 'run') ? given.slice(1) : given
  const flags = ['-i', '--rm'].filter((flag) => !hasWord(runtime, flag))
  const passed = env.filter((pair) => !passesOn(runtime, pair.name)).map(passOn)
  const [, tag, digest] = parts
  const isPinned = digest !== undefined || (tag !== undefined && tag !== 'latest')
  return {
    label: `${command} ${name}`,
    launch: {
      type: 'stdio',
      command,
      args: [...fixed(['run', ...flags]), ...runtime, ...passed, ...fixed([name]), ...program],
      env,
    },
    inputs: [...inputs.values()],
    notes: isPinned ? [] : ['the image has no fixed version: what runs may change'],
  }
}

function passOn({ name, value }: PairTemplate): ArgumentTemplate {
  return {
    words: [['-e'], [name]],
    needs: value.flatMap((part) => (typeof part === 'string' ? [] : [part.input])),
  }
}

function passesOn(args: readonly ArgumentTemplate[], name: string): boolean {
  return args.some(({ words }) =>
    words.some(([first]) => first === name || (typeof first === 'string' && first.startsWith(`${name}=`))),
  )
}

/** An image without a host is on Docker Hub, unless the document says where it is. */
function withHost(identifier: string, base: unknown): string {
  if (typeof base !== 'string' || !URL.canParse(base)) return identifier
  const { hostname } = new URL(base)
  const [first = ''] = identifier.split('/')
  const hasHost = first.includes('.') || first.includes(':')
  return hasHost || hostname === '' || hostname.endsWith('docker.io') || hostname.endsWith('docker.com')
    ? identifier
    : `${hostname}/${identifier}`
}

function withVersion(name: string, version: unknown): string {
  const hasTag = /[:@][^/]*$/.test(name)
  return hasTag || typeof version !== 'string' || version === '' ? name : `${name}:${version}`
}

function readParts(fields: Fields) {
  const inputs: Inputs = new Map()
  const env = readPairs(fields['environmentVariables'], 'env', inputs)
  const runtime = readArguments(fields['runtimeArguments'], 'runtimeArguments', inputs)
  const program = readArguments(fields['packageArguments'], 'packageArguments', inputs)
  return { runtime, program, env, inputs }
}

function hasWord(args: readonly ArgumentTemplate[], word: string): boolean {
  const same =
    word === '-y' ? ['-y', '--yes'] : word === '-i' ? ['-i', '--interactive', '-it', '-ti'] : [word]
  return args.some(({ words }) =>
    words.some(([first, ...rest]) => rest.length === 0 && same.some((each) => each === first)),
  )
}

function fixed(words: readonly string[]): ArgumentTemplate[] {
  return words.map((word) => ({ words: [[word]] }))
}

interface PackageRunner {
  readonly command: string
  /** Before the words from the document. */
  readonly start: readonly string[]
  /** Between the package and its arguments. */
  readonly end?: readonly string[]
  readonly toWord: (identifier: string, version: string) => string
  /** Selects another registry. Undefined if the program cannot. */
  readonly registry?: (url: string) => readonly string[]
}

interface PackageKind {
  /** The first one is the default. */
  readonly runners: readonly [PackageRunner, ...PackageRunner[]]
  /** They need no extra word. */
  readonly hosts: readonly string[]
  readonly identifier: RegExp
}

const withAt = (identifier: string, version: string) => `${identifier}@${version}`

/** Each runs at one fixed version. */
const packageKinds: ReadonlyMap<string, PackageKind> = new Map<string, PackageKind>([
  [
    'npm',
    {
      runners: [
        { command: 'npx', start: ['-y'], toWord: withAt, registry: (url) => [`--registry=${url}`] },
        { command: 'bunx', start: [], toWord: withAt },
      ],
      hosts: ['registry.npmjs.org'],
      identifier: /^(?:@[a-z\d~-][\w.~-]*\/)?[a-z\d~][\w.~-]*$/i,
    },
  ],
  [
    'pypi',
    {
      runners: [
        { command: 'uvx', start: [], toWord: withAt, registry: (url) => ['--default-index', url] },
        {
          command: 'pipx',
          start: ['run'],
          toWord: (identifier, version) => `${identifier}==${version}`,
        },
      ],
      hosts: ['pypi.org', 'files.pythonhosted.org'],
      identifier: /^[a-z\d](?:[\w.-]*[a-z\d])?(?:\[[\w.,-]+\])?$/i,
    },
  ],
  [
    'nuget',
    {
      runners: [
        {
          command: 'dnx',
          start: [],
          end: ['--yes', '--'],
          toWord: withAt,
          registry: (url) => ['--source', url],
        },
      ],
      hosts: ['api.nuget.org', 'nuget.org', 'www.nuget.org'],
      identifier: /^[a-z\d_](?:[\w.-]*[a-z\d_])?$/i,
    },
  ],
])
