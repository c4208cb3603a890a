/** Context windows in tokens, by the start of the model's name. The first match counts. */
const families: readonly (readonly [pattern: RegExp, tokens: number])[] = [
  [/^claude-(?:opus|sonnet)-4[-.]?[67]|^claude-opus-4[-.]8|^claude-(?:opus|sonnet|haiku|fable)-5/, 1_000_000],
  [/^claude-/, 200_000],
  [/^gpt-(?:6|5\.[4-6])/, 1_050_000],
  [/^gpt-5/, 400_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^(?:gpt-4o|gpt-4-turbo|chatgpt-4o)/, 128_000],
  [/^gpt-oss/, 131_072],
  [/^gpt-4/, 8_192],
  [/^gpt-3\.5/, 16_385],
  [/^o[134](?:-|$)/, 200_000],
  [/^gemini-/, 1_048_576],
  [/^gemma-?[34]/, 131_072],
]

/** Unknown models mostly run locally, with a window limited by memory. */
const unknownContextSize = 32_768

/** `model` comes without its provider. Of a name like `anthropic/claude-sonnet-5.5` (OpenRouter), the last part counts. */
export function contextSizeOf(model: string): number {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase()
  return families.find(([pattern]) => pattern.test(name))?.[1] ?? unknownContextSize
}
