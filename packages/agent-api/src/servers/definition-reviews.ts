import { messageOf } from '../base/errors.ts'
import { createListeners } from '../base/listeners.ts'
import type { Logger } from '../base/logger.ts'
import type { DefinitionFilter, KnownServer } from '../mcp/known-server.ts'
import type { Baseline, ChangeGroups, DefinitionChange } from '../policy/definition-changes.ts'
import type { DefinitionHeed } from '../policy/tool-config.ts'
import { definitionKey, definitionsOf, type Definitions } from '../policy/definition-key.ts'
import type { Baselines } from '../state/servers/baselines.ts'

/** Compares what one client's server offers with what was accepted of it. */
export interface DefinitionReview extends DefinitionFilter {
  /** The hash of the server's identity. */
  readonly identity: string
  /** The open changes of the last list: those to ask about and the refused ones are not offered. */
  readonly open: ChangeGroups
  isHeld(key: string): boolean
  /** For a person. */
  readonly heldNames: readonly string[]
  /** Stores an answer. It holds for all clients of the server. */
  settle(changes: readonly DefinitionChange[], isAccepted: boolean): void
}

let changes: typeof import('../policy/definition-changes.ts') | undefined

/** Sessions open before any server connects, so the comparison is loaded on first use. */
async function load(): Promise<void> {
  changes ??= await import('../policy/definition-changes.ts')
}

function loaded() {
  if (changes === undefined) throw new Error('a server was compared before `load`')
  return changes
}

/** In a baseline once the templates were listed, even if there were none: what comes later is a change. */
const templatesSeen = 'templates'

/** The first sight of a server is accepted, because a person chose the server. */
export function createDefinitionReviews(baselines: Baselines, logger: Logger) {
  const answers = createListeners<[identity: string, Baseline]>('accepted definitions', logger)

  return (identity: string, setting: DefinitionHeed | undefined): DefinitionReview => {
    let last: { readonly server: KnownServer; readonly shown: KnownServer } | undefined
    /** Used while the store has no baseline: a very long one is not stored. */
    let own: Baseline | undefined
    let open: ChangeGroups = {}
    let templates: Definitions = {}

    function stored(): Baseline | undefined {
      try {
        return baselines.find(identity) ?? own
      } catch (error) {
        logger.warn('the accepted definitions of a server cannot be read', { error: messageOf(error) })
        // It must not be replaced by what the server offers now.
        return own ?? { accepted: {}, refused: {} }
      }
    }

    function compare(server: KnownServer, baseline: Baseline): void {
      const { reviewDefinitions, settleChanges, withoutHeld } = loaded()
      const { ignore = [], ...groups } = reviewDefinitions(
        baseline,
        { ...definitionsOf(server), ...templates },
        setting,
      )
      own = ignore.length > 0 ? keep(settleChanges(baseline, ignore, true)) : baseline
      open = groups
      last = { server, shown: withoutHeld(server, held()) }
    }

    function held(): readonly DefinitionChange[] {
      const { ask = [], refused = [] } = open
      return [...ask, ...refused]
    }

    function isHeld(key: string): boolean {
      return held().some((change) => change.key === key)
    }

    function keep(baseline: Baseline): Baseline {
      baselines.keep(identity, baseline)
      return baseline
    }

    return {
      identity,
      load,
      get open() {
        return open
      },
      isHeld,
      get heldNames() {
        return held().map((change) => loaded().nameChange(change))
      },
      offered(server) {
        if (last?.server !== server)
          compare(server, stored() ?? keep({ accepted: definitionsOf(server), refused: {} }))
        return last?.shown ?? server
      },
      templates(listed) {
        const keyed = listed.map(
          (template) => [definitionKey('template', { name: template.uri }), template] as const,
        )
        templates = Object.fromEntries(keyed.map(([key, template]) => [key, { ...template }]))
        const baseline = stored()
        if (last === undefined || baseline === undefined) return listed
        const isFirst = baseline.accepted[templatesSeen] === undefined
        const accepted = { ...baseline.accepted, ...templates, [templatesSeen]: {} }
        compare(last.server, isFirst ? keep({ ...baseline, accepted }) : baseline)
        return keyed.flatMap(([key, template]) => (isHeld(key) ? [] : template))
      },
      settle(settled, isAccepted) {
        const baseline = stored()
        if (last === undefined || baseline === undefined) return
        const next = keep(loaded().settleChanges(baseline, settled, isAccepted))
        compare(last.server, next)
        answers.tell(identity, next)
      },
      onChange: (listener) =>
        answers.add((changed, baseline) => {
          if (changed !== identity) return
          // Another process of the server may still be an older one, whose definitions were accepted earlier.
          if (last !== undefined && held().length > 0) compare(last.server, baseline)
          listener()
        }),
    }
  }
}
