/** A program that downloads a package and runs it. */
export interface PackageRunner {
  readonly command: string
  /** Words before those from the document. */
  readonly start: readonly string[]
  /** Words between the package and its arguments. */
  readonly end?: readonly string[]
  /** The package with its version. */
  readonly toWord: (identifier: string, version: string) => string
  /** The words that select another registry. Undefined if the program has none. */
  readonly registry?: (url: string) => readonly string[]
}

interface PackageKind {
  /** The first one is the default. */
  readonly runners: readonly PackageRunner[]
  /** Hosts of the public registry, which needs no extra word. */
  readonly hosts: readonly string[]
  readonly identifier: RegExp
}

const withAt = (identifier: string, version: string) => `${identifier}@${version}`

/** The kinds of packages that run at one fixed version. */
export const packageKinds: ReadonlyMap<string, PackageKind> = new Map([
  [
    'npm',
    {
      runners: [
        { command: 'npx', start: ['-y'], toWord: withAt, registry: (url: string) => [`--registry=${url}`] },
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
        { command: 'uvx', start: [], toWord: withAt, registry: (url: string) => ['--default-index', url] },
        {
          command: 'pipx',
          start: ['run'],
          toWord: (identifier: string, version: string) => `${identifier}==${version}`,
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
          registry: (url: string) => ['--source', url],
        },
      ],
      hosts: ['api.nuget.org', 'nuget.org', 'www.nuget.org'],
      identifier: /^[a-z\d_](?:[\w.-]*[a-z\d_])?$/i,
    },
  ],
])
