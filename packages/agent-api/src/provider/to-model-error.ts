import { OstlerError } from '../base/errors.ts'
import type { Redactor } from '../redaction/redact.ts'
import { describeFailure } from './failure.ts'
import type { Model } from './model.ts'

const vendorTextLengthMax = 200

/** Explains a vendor's failure to a person. Ends with the vendor's own message, redacted before it is cut. */
export function toModelError(error: unknown, model: Pick<Model, 'id' | 'vendorName' | 'keySource'>, redactor: Redactor): OstlerError {
  if (error instanceof OstlerError) return error
  const { status, text, isConnection } = describeFailure(error)
  const quoted = quote(text, redactor)
  const because = (code: `model.${string}`, message: string) =>
    new OstlerError(code, message, { data: { model: model.id, ...(status !== undefined && { status }) }, cause: error })
  const { vendorName } = model

  if (status === 401 || status === 403 || isAboutKey.test(text)) {
    // The vendor's message is omitted here, because some quote parts of the key.
    const remedy =
      model.keySource === undefined ? 'Check its address and key.' : `Set ${model.keySource} to a key that may use ${model.id}.`
    return because('model.auth', `${vendorName} rejected the API key (${status ?? 401}). ${remedy}`)
  }
  if (isAboutContext.test(text) && (status === undefined || status === 400 || status === 413)) {
    const remedy = 'Start a new session, or choose a model with a larger window.'
    return because('model.context_exceeded', `The conversation exceeds the context window of ${model.id}. ${remedy}`)
  }
  if (status === 404) return because('model.unknown', `${vendorName} does not have the model ${model.id} (404).${quoted}`)
  if (status === 429) return because('model.failed', `${vendorName} is rate-limiting requests (429).${quoted}`)
  if (isConnection) return because('model.failed', `${vendorName} could not be reached.${quoted}`)
  return because('model.failed', `${vendorName} could not answer${status === undefined ? '' : ` (${status})`}.${quoted}`)
}

/** Gemini rejects a wrong key with 400, and an error within a stream may have no status. */
const isAboutKey =
  /api[ _-]?key (?:not valid|is invalid|expired)|(?:invalid|incorrect) (?:x-)?api[ _-]?key|API_KEY_INVALID|authentication_error/i

const isAboutContext = new RegExp(
  [
    'context[ _](?:length|window|size)',
    'maximum context',
    'prompt is too long',
    'input (?:is )?too long',
    'too many (?:input )?tokens',
    'input token count',
    'exceeds? the (?:maximum|available) (?:number of )?tokens',
    'request_too_large',
  ].join('|'),
  'i',
)

function quote(text: string, redactor: Redactor): string {
  const clean = redactor.redact(text).replace(/\s+/g, ' ').trim()
  if (clean === '') return ''
  return ` It said: ${clean.length > vendorTextLengthMax ? `${clean.slice(0, vendorTextLengthMax - 1)}…` : clean}`
}
