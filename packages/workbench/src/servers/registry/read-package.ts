import { checkSeen, refusal, textOf, type Fields } from './read-fields.ts'
import { readArguments, readPairs, type Inputs } from './read-inputs.ts'
import type { ArgumentTemplate, RegistryWay } from './registry-server.ts'

export type Way = Omit<RegistryWay, 'id'>

/** An exact version: no range, no tag, and no flag. */
const exactVersion = /^v?\d[\w.+!-]*$/
/** Host, path, tag and digest of an image. */
const image = /^[a-z\d][\w.-]*(?::\d+)?(?:\/[a-z\d][\w.-]*)*(?::(\w[\w.-]*))?(@sha256:[a-f\d]{64})?$/i

/** Downloads and runs it. Throws a refusal if Ostler cannot. */
export function readPackage(fields: Fields): Way {
  const { registryType: type, identifier, transport } = fields
  if (typeof type !== 'string' || typeof identifier !== 'string')
    throw refusal('it has no registryType and identifier')
  const served = textOf((transport as Fields | null | undefined)?.['type']) ?? 'stdio'
  if (served !== 'stdio')
    throw refusal(`it is a ${served} server that you start yourself; start it, then add its URL`)
  checkSeen(identifier, 'its identifier')
  if (type === 'mcpb') throw refusal('it is a bundle (mcpb), and Ostler does not run bundles')
  return type === 'oci' ? readImage(fields, identifier) : readRun(fields, type, identifier)
}

function readRun(fields: Fields, type: string, identifier: string): Way {
  const runner = runners.get(type)
  if (runner === undefined)
    throw refusal(
      `its package type ${textOf(type) ?? ''} is not supported; Ostler runs npm, pypi, nuget and oci packages`,
    )
  const { version } = fields
  if (!runner.identifier.test(identifier)) throw refusal(`its identifier is not a valid ${type} package name`)
  if (typeof version !== 'string' || !exactVersion.test(version) || /\.[x*]\b/i.test(version))
    throw refusal('it has no exact version, so what would run is not known')
  checkHost(fields['registryBaseUrl'], runner.hosts)
  const { runtime, program, env, inputs } = readParts(fields)
  if (runtime.some(({ words }) => !isWord(words, runner.consent)))
    throw refusal(`it needs arguments of another program than ${runner.command}`)
  const word = `${identifier}@${version}`
  const end = program.length === 0 ? runner.end.filter((each) => each !== '--') : runner.end
  return {
    label: `${type} ${word}`,
    launch: {
      type: 'stdio',
      command: runner.command,
      args: [...fixed([...runner.start, word, ...end]), ...program],
      env,
    },
    inputs,
    notes: [],
  }
}

/** A package of another registry must not be looked up in the public one, where somebody else may own its name. */
function checkHost(base: unknown, hosts: readonly string[]): void {
  if (base === undefined || base === null || base === '') return
  const { protocol, hostname } = (typeof base === 'string' ? URL.parse(base) : null) ?? {}
  if (protocol !== 'https:' || hostname === undefined || !hosts.includes(hostname))
    throw refusal(`its package comes from another registry than ${hosts[0]}`)
}

/** The variables are passed on from the environment of the container program. */
function readImage(fields: Fields, identifier: string): Way {
  const { version } = fields
  const hasTag = /[:@][^/]*$/.test(identifier)
  const name =
    hasTag || typeof version !== 'string' || version === '' ? identifier : `${identifier}:${version}`
  const [whole, tag, digest] = image.exec(name) ?? []
  if (whole === undefined) throw refusal('its identifier is not the name of an image')
  const { runtime, program, env, inputs } = readParts(fields)
  const own = ['run', '-i', '--interactive', '--rm']
  const passed = env.map(({ name: variable, value }) => ({
    words: [['-e'], [variable]],
    needs: value.flatMap((part) => (typeof part === 'string' ? [] : [part.input])),
  }))
  const isPinned = digest !== undefined || (tag !== undefined && tag !== 'latest')
  return {
    label: `docker ${name}`,
    launch: {
      type: 'stdio',
      command: 'docker',
      args: [
        ...fixed(['run', '-i', '--rm']),
        ...runtime.filter(({ words }) => !isWord(words, own)),
        ...passed,
        ...fixed([name]),
        ...program,
      ],
      env,
    },
    inputs,
    notes: isPinned ? [] : ['the image has no fixed version: what runs may change'],
  }
}

function readParts(fields: Fields) {
  const inputs: Inputs = new Map()
  const env = readPairs(fields['environmentVariables'], 'env', inputs)
  const runtime = readArguments(fields['runtimeArguments'], 'runtimeArguments', inputs)
  const program = readArguments(fields['packageArguments'], 'packageArguments', inputs)
  return { runtime, program, env, inputs: [...inputs.values()] }
}

/** True for a single fixed word of these, which Ostler writes itself. */
function isWord(words: ArgumentTemplate['words'], among: readonly string[]): boolean {
  const [[first, ...rest] = [], ...others] = words
  return rest.length + others.length === 0 && typeof first === 'string' && among.includes(first)
}

function fixed(words: readonly string[]): ArgumentTemplate[] {
  return words.map((word) => ({ words: [[word]] }))
}

interface Runner {
  readonly command: string
  /** Before the package. */
  readonly start: readonly string[]
  /** Between the package and its arguments. */
  readonly end: readonly string[]
  /** Words of a document that say what `start` or `end` says. */
  readonly consent: readonly string[]
  /** The public registry. Its packages need no extra word. */
  readonly hosts: readonly string[]
  readonly identifier: RegExp
}

/** Each runs a package at one fixed version. */
const runners: ReadonlyMap<string, Runner> = new Map<string, Runner>([
  [
    'npm',
    {
      command: 'npx',
      start: ['-y'],
      end: [],
      consent: ['-y', '--yes'],
      hosts: ['registry.npmjs.org'],
      identifier: /^(?:@[a-z\d~-][\w.~-]*\/)?[a-z\d~][\w.~-]*$/i,
    },
  ],
  [
    'pypi',
    {
      command: 'uvx',
      start: [],
      end: [],
      consent: [],
      hosts: ['pypi.org', 'files.pythonhosted.org'],
      identifier: /^[a-z\d](?:[\w.-]*[a-z\d])?(?:\[[\w.,-]+\])?$/i,
    },
  ],
  [
    'nuget',
    {
      command: 'dnx',
      start: [],
      end: ['--yes', '--'],
      consent: ['-y', '--yes'],
      hosts: ['api.nuget.org', 'nuget.org', 'www.nuget.org'],
      identifier: /^[a-z\d_](?:[\w.-]*[a-z\d_])?$/i,
    },
  ],
])
