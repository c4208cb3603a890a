import type { ToolCallId } from '../base/ids.ts'
import type { JsonSchema, ToolArguments } from './tool.ts'

export interface FormQuestion {
  readonly kind: 'form'
  /** Null if the agent itself asks. */
  readonly server: string | null
  readonly message: string
  readonly schema: JsonSchema
  /** The call of a tool that asks. */
  readonly callId?: ToolCallId
}

export interface PageQuestion {
  readonly kind: 'page'
  readonly server: string
  readonly message: string
  /** http or https. */
  readonly url: string
  readonly elicitationId: string
}

export type ServerQuestion = (FormQuestion & { readonly server: string }) | PageQuestion

interface Answered {
  /** Set if the answer was given in the console. */
  readonly from?: 'console' | undefined
}

/**
 * A person's answer to any question. A scope is for calls. `once`: this call. `session`: what `lasting` names, in this session. `always`: the
 * same, in all sessions. `server`: all current tools of the tool's server. `values` are those of a form, or replace the arguments of the call.
 */
export type Answer =
  | ({
      readonly verdict: 'allow'
      readonly scope?: 'once' | 'session' | 'always' | 'server'
      readonly values?: ToolArguments | undefined
    } & Answered)
  /** From `nobody`: nobody could be asked. It counts for this call. */
  | {
      readonly verdict: 'deny'
      readonly scope?: 'once' | 'session' | 'always'
      readonly from?: 'console' | 'nobody' | undefined
    }
  /** Closed without an answer. */
  | ({ readonly verdict: 'cancelled' } & Answered)
