import { OstlerError } from '../base/errors.ts'
import { describeFailure } from './failure.ts'
import type { Model } from './model.ts'
import { refusesMessage } from './refuses-message.ts'

const vendorTextLengthMax = 200

/** Explains a vendor's failure to a person. Ends with the vendor's own message, redacted before it is cut. */
export function toModelError(
  error: unknown,
  model: Pick<Model, 'id' | 'vendorName' | 'keySource' | 'redact'>,
): OstlerError {
  if (error instanceof OstlerError) return error
  const failure = describeFailure(error)
  const { status, text, isConnection } = failure
  const quoted = quote(text, model.redact)
  const because = (code: `model.${string}`, message: string) =>
    new OstlerError(code, message, {
      data: {
        model: model.id,
        status,
        ...(refusesMessage(failure) && { refusesMessage: true }),
      },
      cause: error,
    })
  const { vendorName } = model

  if (status === 401 || status === 403 || isAboutKey.test(text)) {
    // The vendor's message is omitted here, because some quote parts of the key.
    const remedy =
      model.keySource === undefined
        ? 'Check its address and key.'
        : `Set ${model.keySource} to a key that may use ${model.id}.`
    return because('model.auth', `${vendorName} rejected the API key (${status ?? 401}). ${remedy}`)
  }
  if (isTooLong(status, text)) {
    const size = namedSize(text)
    const remedy = 'Start a new session, or choose a model with a larger window.'
    return new OstlerError(
      'model.context_exceeded',
      `The conversation exceeds the context window of ${model.id}. ${remedy}`,
      {
        data: {
          model: model.id,
          status,
          contextSize: size,
        },
        cause: error,
      },
    )
  }
  if (status === 404)
    return because('model.unknown', `${vendorName} does not have the model ${model.id} (404).${quoted}`)
  if (status === 429)
    return because('model.failed', `${vendorName} is rate-limiting requests (429).${quoted}`)
  if (isConnection) return because('model.failed', `${vendorName} could not be reached.${quoted}`)
  return because(
    'model.failed',
    `${vendorName} could not answer${status === undefined ? '' : ` (${status})`}.${quoted}`,
  )
}

/** Gemini rejects a wrong key with 400, and an error within a stream may have no status. */
const isAboutKey =
  /api[ _-]?key (?:not valid|is invalid|expired)|(?:invalid|incorrect) (?:x-)?api[ _-]?key|API_KEY_INVALID|authentication_error/i

/** A request for too many tokens per minute cannot succeed later either, although its status says so. */
function isTooLong(status: number | undefined, text: string): boolean {
  if (status === 413) return true
  if (status === 429) return /request too large/i.test(text)
  return (
    isAboutContext.test(text) && (status === undefined || status === 400 || status === 422 || status >= 500)
  )
}

/** The wordings of OpenAI, Anthropic, Google, llama.cpp, vLLM, Ollama, OpenRouter, Mistral and others. */
const isAboutContext = new RegExp(
  [
    'context_length_exceeded',
    'maximum context',
    'prompt is too long',
    "exceeds? (?:the )?(?:available |maximum |model's )?(?:context|token limit)",
    'maximum prompt length',
    'context the overflows',
    "(?:larger|longer|greater) than (?:the )?(?:available |maximum |model's )?context",
    'context (?:length|window|size|limit)[^.]{0,40} (?:exceed|overflow|full)',
    'input (?:length )?(?:is )?too long',
    'too many (?:input )?tokens',
    'input token count',
    'exceeds? the (?:maximum|available) (?:number of )?tokens',
    'exceed_context_size',
    'request_too_large',
  ].join('|'),
  'i',
)

/** The size of the window, if the refusal names it. */
const sizePatterns = [
  /maximum (?:context|prompt) (?:length|size|window) (?:is|of) ([\d,]+)/i,
  /with ([\d,]+) maximum context/i,
  /context length of only ([\d,]+)/i,
  /tokens? > ([\d,]+) maximum/i,
  /exceeds? context limit: [\d,]+ \+ [\d,]+ > ([\d,]+)/i,
  /maximum number of (?:input )?tokens (?:allowed )?\(([\d,]+)\)/i,
  /available context size \(([\d,]+) tokens\)/i,
  /"n_ctx":\s*(\d+)/,
]

function namedSize(text: string): number | undefined {
  for (const pattern of sizePatterns) {
    const size = Number(pattern.exec(text)?.[1]?.replaceAll(',', ''))
    if (size > 0) return size
  }
  return undefined
}

function quote(text: string, redact: Model['redact']): string {
  const clean = redact(text).replace(/\s+/g, ' ').trim()
  if (clean === '') return ''
  if (clean.length > vendorTextLengthMax) return ` It said: ${clean.slice(0, vendorTextLengthMax - 1)}…`
  // Another sentence may follow.
  return ` It said: ${clean}${/[.!?…]$/.test(clean) ? '' : '.'}`
}
