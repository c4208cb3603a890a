/** The parts of a package.json that matter for publishing. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly scripts?: Readonly<Record<string, string>>
  readonly publishConfig?: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

export interface Workspace {
  /** Versions of the workspace's own packages by name. */
  readonly versions: Readonly<Record<string, string>>
  /** Versions that `catalog:` stands for. */
  readonly catalog: Readonly<Record<string, string>>
}

const dependencyFields = ['dependencies', 'optionalDependencies', 'peerDependencies'] as const
/** Fields of `publishConfig` that npm itself reads. It ignores others, such as `exports`, so they become fields of the package. */
const npmSettings: ReadonlySet<string> = new Set(['access', 'provenance', 'registry', 'tag'])

/** The package.json that npm packs: `workspace:` and `catalog:` are replaced by versions, and parts for development are left out. */
export function toPublishedManifest(manifest: Manifest, workspace: Workspace): Manifest {
  const { scripts: _, devDependencies: __, publishConfig = {}, ...fields } = manifest
  const entries = Object.entries(publishConfig)
  const overrides = Object.fromEntries(entries.filter(([name]) => !npmSettings.has(name)))
  const settings = Object.fromEntries(entries.filter(([name]) => npmSettings.has(name)))
  const dependencies = dependencyFields.flatMap((field) => {
    const ranges = fields[field] as Readonly<Record<string, string>> | undefined
    return ranges === undefined ? [] : [[field, resolveRanges(ranges, workspace)]]
  })
  return { ...fields, ...overrides, ...Object.fromEntries(dependencies), publishConfig: settings } as Manifest
}

function resolveRanges(
  ranges: Readonly<Record<string, string>>,
  { versions, catalog }: Workspace,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(ranges).map(([name, range]) => {
      const known = range.startsWith('workspace:')
        ? versions[name]
        : range === 'catalog:'
          ? catalog[name]
          : range
      if (known === undefined) throw new Error(`There is no version for ${name} (${range}).`)
      return [name, known]
    }),
  )
}
