export interface ReleaseState {
  readonly manifests: readonly {
    readonly name: string
    readonly version: string
    readonly private?: boolean
    readonly repository?: unknown
  }[]
  /** The entry in the ACP registry. */
  readonly registry: {
    readonly version: string
    readonly distribution: { readonly npx: { readonly package: string } }
  }
  readonly changelog: string
  readonly changedFiles: readonly string[]
  readonly branch: string
  /** Tags of the current commit. */
  readonly tagsHere: readonly string[]
  readonly tags: readonly string[]
}

const semver = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/

/** Everything that stands in the way of a release, as sentences that say what to do. */
export function releaseProblems({
  manifests,
  registry,
  changelog,
  changedFiles,
  branch,
  tagsHere,
  tags,
}: ReleaseState): string[] {
  const versions = [...new Set(manifests.map(({ version }) => version))]
  const [version = ''] = versions
  if (versions.length !== 1)
    return [
      `The packages have different versions (${versions.join(', ')}). Give all of them the same version.`,
    ]
  const tag = `v${version}`
  const isRegistered =
    registry.version === version && registry.distribution.npx.package.endsWith(`@${version}`)
  const section = changelog.split('\n').find((line) => line.startsWith(`## ${version} `))
  return [
    ...(semver.test(version) ? [] : [`'${version}' is not a version. Use three numbers, such as 1.2.3.`]),
    ...(isRegistered
      ? []
      : [`registry/agent.json has another version. Set ${version} in 'version' and in 'package'.`]),
    ...(section === undefined
      ? [`CHANGELOG.md has no section for ${version}. Add '## ${version} (YYYY-MM-DD)' with the changes.`]
      : []),
    ...(section !== undefined && !/\(\d{4}-\d{2}-\d{2}\)$/.test(section)
      ? [`The section for ${version} in CHANGELOG.md has no date.`]
      : []),
    ...(changedFiles.length === 0
      ? []
      : [`Commit or discard the changed files first: ${changedFiles.map((line) => line.trim()).join(', ')}`]),
    ...(branch === 'main' ? [] : [`Releases are made from main, but the current branch is '${branch}'.`]),
    ...(tags.includes(tag) && !tagsHere.includes(tag)
      ? [`The tag ${tag} is on another commit. Choose a new version.`]
      : []),
    ...(tagsHere.includes(tag) ? [] : [`The commit has no tag ${tag}. Run: git tag ${tag}`]),
    // npm's provenance statement names the repository, and npm compares it.
    ...manifests
      .filter((manifest) => manifest.private !== true && manifest.repository === undefined)
      .map(({ name }) => `The package.json of ${name} has no repository. npm needs it for provenance.`),
  ]
}
