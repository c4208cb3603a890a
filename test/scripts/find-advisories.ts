/** A weakness of some versions of a package. */
export interface Advisory {
  readonly package: string
  /** Comparators, all of which must hold, in alternatives: `>=1.0.0 <1.2.3 || =2.0.0`. */
  readonly vulnerable: string
  /** The newest version that was released with the repair. */
  readonly patched: string
  /** The number in GitHub's database, or of the CVE. */
  readonly id: string
}

export interface AdvisoryList {
  /** The day on which the list was compared with the public databases. */
  readonly collected: string
  readonly advisories: readonly Advisory[]
}

export interface AdvisoryReport {
  readonly isVulnerable: boolean
  readonly lines: readonly string[]
}

const freshDaysMax = 60
const dayMs = 24 * 60 * 60_000

/** Compares the locked packages with the advisories. The lines say what was compared, and how old the list is. */
export function findAdvisories(lockfile: string, list: AdvisoryList | undefined, now: Date): AdvisoryReport {
  if (list === undefined)
    return { isVulnerable: false, lines: ['Advisories: skipped, because there is no list of them.'] }
  const locked = lockedPackages(lockfile)
  if (locked.length === 0) throw new Error('The lockfile names no packages.')
  const found = list.advisories.flatMap((advisory) =>
    locked
      .filter(({ name, version }) => name === advisory.package && isInRange(version, advisory.vulnerable))
      .map(
        ({ name, version }) =>
          `${name} ${version} is vulnerable (${advisory.id}). Use ${advisory.patched} or newer.`,
      ),
  )
  const days = Math.floor((now.getTime() - Date.parse(list.collected)) / dayMs)
  const compared = `Advisories: ${locked.length} packages compared with ${list.advisories.length} advisories of ${list.collected}, ${found.length} found.`
  const stale = `The list is stale: it is ${days} days old. Renew it (see CONTRIBUTING.md).`
  return {
    isVulnerable: found.length > 0,
    lines: [...found, compared, ...(days <= freshDaysMax ? [] : [stale])],
  }
}

/** The packages of a lockfile of pnpm. */
export function lockedPackages(
  lockfile: string,
): readonly { readonly name: string; readonly version: string }[] {
  const section = /^packages:\n([^]*?)(?:^\S|$(?![^]))/m.exec(lockfile)?.[1] ?? ''
  return [...section.matchAll(/^ {2}'?(@?[^@'\s]+)@([^'\s():]+)'?:$/gm)].map(
    ([, name = '', version = '']) => ({ name, version }),
  )
}

export function isInRange(version: string, range: string): boolean {
  return range.split('||').some((part) =>
    part
      .trim()
      .split(/\s+/)
      .every((comparator) => holds(version, comparator)),
  )
}

function holds(version: string, comparator: string): boolean {
  const [, sign, bound] = /^(<=|>=|<|>|=)(\d.*)$/.exec(comparator) ?? []
  if (sign === undefined || bound === undefined)
    throw new Error(`'${comparator}' is not a comparator such as '<1.2.3'.`)
  const order = compare(version, bound)
  switch (sign) {
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
    default:
      return order === 0
  }
}

/** The order of semantic versions: a pre-release comes before its release. */
function compare(one: string, other: string): number {
  const [[core, pre], [otherCore, otherPre]] = [partsOf(one), partsOf(other)]
  const order = compareParts(core, otherCore)
  if (order !== 0) return order
  if (pre.length === 0 || otherPre.length === 0) return otherPre.length - pre.length
  return compareParts(pre, otherPre)
}

function partsOf(version: string): readonly [core: readonly string[], pre: readonly string[]] {
  const [, core = '', pre] = /^([\d.]+)(?:-([^+]*))?/.exec(version) ?? []
  return [core.split('.'), pre === undefined ? [] : pre.split('.')]
}

function compareParts(one: readonly string[], other: readonly string[]): number {
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    const [a, b] = [one[at], other[at]]
    if (a === undefined || b === undefined) return a === undefined ? -1 : 1
    const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)]
    const order =
      isNumber && isOtherNumber
        ? Number(a) - Number(b)
        : isNumber
          ? -1
          : isOtherNumber
            ? 1
            : a < b
              ? -1
              : a > b
                ? 1
                : 0
    if (order !== 0) return order
  }
  return 0
}
