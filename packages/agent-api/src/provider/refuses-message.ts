import type { Failure } from './failure.ts'

/**
 * True if a vendor refused a request because of the content of a message, and would refuse every later
 * request with that message. A refusal with a status of this kind may also be about the account, the region,
 * the tools or a setting.
 */
export function refusesMessage({ status, text }: Pick<Failure, 'status' | 'text'>): boolean {
  if (isAboutAccount.test(text) || isAboutTools.test(text)) return false
  // An error within a stream has no status.
  if (status === undefined) return isInvalidRequest.test(text) || isAboutAttachment.test(text)
  if (status === 400 || status === 413 || status === 415 || status === 422) return true
  // Local servers answer with an error of their own if their model cannot read an image.
  return status >= 500 && isAboutAttachment.test(text)
}

/** Anthropic and Google use 400 for these as well. */
const isAboutAccount =
  /credit balance|billing|insufficient[ _](?:quota|credits?|funds|balance)|payment|usage limits|location is not supported|must be verified|rate limit/i

const isAboutTools =
  /\btools?(?:\[\d|\.\d|: )|function_declarations|input_schema|invalid schema for function/i

const isInvalidRequest = /invalid_request|invalid_prompt|invalid_image|unsupported_image/i

const isAboutAttachment =
  /(?:image|audio|video|pdf|attachment|multimodal|media type|mmproj)[^.]{0,80}(?:not support|unsupported|invalid|missing|fail|unknown format|decode|unable|could not|cannot)|(?:not support|unsupported|invalid|missing|fail|unknown|decode|unable|could not|cannot)[^.]{0,80}(?:image|audio|video|pdf|attachment|multimodal|media type|mmproj)/i
