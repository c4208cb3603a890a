import type { Approval } from '../policy/approval.ts'
import { createGate, type Gate } from '../policy/gate.ts'
import type { GrantStore } from '../policy/always-allow/grant.ts'
import { canAsk, type Ask } from '../policy/question.ts'
import type { Logins } from '../mcp/oauth/logins.ts'
import type { SessionOptions } from './chat-session.ts'
import { createLoginOffers, type LoginOffers } from './login-offers.ts'
import type { SharedParts } from './session.ts'
import type { OpenedRecord } from './session-record.ts'
import { createAsk } from './create-ask.ts'
import type { AskHostOf } from './host-consent.ts'
import { createDefinitionConsent, type DefinitionConsent } from './definition-consent.ts'
import { createStartConsent, type StartConsent } from './start-consent.ts'

export interface SharedPerson {
  readonly approval: Approval
  readonly grants: GrantStore
  /** Undefined if nothing is stored. */
  readonly logins: Logins | undefined
  /** The logins that a session offers right now, by the address of the server. Others wait for them instead of offering the same one. */
  readonly openLoginOffers: Map<string, Promise<boolean>>
  /** The same for questions about changed definitions, by the identity of the server. */
  readonly openDefinitionQuestions: Map<string, Promise<void>>
  /** Undefined if nothing is stored. */
  readonly stateDir: string | undefined
}

export interface SessionPerson {
  readonly approval: Approval
  /** Undefined if nobody can be asked. */
  readonly ask: Ask | undefined
  readonly seesForms: boolean
  readonly gate: Gate
  /** Undefined if no login page can be shown. */
  readonly loginOffers: LoginOffers | undefined
  readonly startConsent: StartConsent
  readonly askHost: AskHostOf
  readonly definitions: DefinitionConsent
}

export function createPerson(
  { name, person, project, tools, state, logger }: SharedParts,
  { cwd, person: here }: Pick<SessionOptions, 'cwd' | 'person'>,
  { id: sessionId, calls, settings }: OpenedRecord,
): SessionPerson {
  const { grants, approval, stateDir } = person
  const { questions } = state
  const hasSandbox = (tools.builtin.run_command?.sandbox ?? 'off') !== 'off'
  const ask = here && createAsk(here, { questions, agent: name, sessionId, calls, logger })
  let consent: Promise<AskHostOf> | undefined
  return {
    approval,
    ask,
    seesForms: here !== undefined && canAsk(here, 'form'),
    gate: createGate({ mode: () => settings.current.mode, approval, hasSandbox, grants, ask, logger }),
    loginOffers:
      ask !== undefined && here !== undefined && canAsk(here, 'login')
        ? createLoginOffers(person, ask, logger)
        : undefined,
    definitions: createDefinitionConsent({ ...person, reviewOf: tools.reviewOf, ask, calls, logger }),
    startConsent: createStartConsent({ grants, stateDir, home: project.home, cwd, ask, calls, logger }),
    askHost: async (asked, signal) => {
      consent ??= import('./host-consent.ts').then(({ createHostConsent }) =>
        createHostConsent({ grants, cwd, ask, calls, logger }),
      )
      return (await consent)(asked, signal)
    },
  }
}
