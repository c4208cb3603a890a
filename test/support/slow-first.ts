import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** In a fresh clone, the durations are not known, and larger files run first. These take much longer than their size suggests. */
const slow = [
  'acp/conformance',
  'acp/real-clients',
  'agent/long-sessions',
  'cli/packages',
  'cli/single',
  'console/browser/accessibility',
  'console/browser/accessibility-of-servers',
  'console/browser/add-servers',
  'console/browser/servers',
]

/** The files of each project in their usual order, but the slow ones first, so that none of them runs alone at the end. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- The sequencer's own method, and no array's.
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((project) => {
      const [first, rest]: [TestSpecification[], TestSpecification[]] = [[], []]
      for (const file of sorted.filter((each) => each.project === project))
        (isSlow(file) ? first : rest).push(file)
      return [...first, ...rest]
    })
  }
}

function isSlow({ moduleId }: TestSpecification): boolean {
  return slow.some((name) => moduleId.endsWith(`/test/${name}.test.ts`))
}
