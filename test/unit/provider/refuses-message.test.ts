import { expect, test } from 'vitest'
import { refusesMessage } from '../../../packages/agent-api/src/provider/refuses-message.ts'

test.each<[string, number | undefined, string]>([
  [
    'Anthropic, a picture',
    400,
    'messages.0.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size',
  ],
  ['Anthropic, in a stream', undefined, 'invalid_request_error: Could not process image'],
  [
    'OpenAI, a picture',
    400,
    'You uploaded an unsupported image. Please make sure your image has of one the following formats',
  ],
  [
    'OpenAI, a prompt',
    400,
    'Invalid prompt: your prompt was flagged as potentially violating our usage policy. invalid_prompt',
  ],
  ['OpenAI responses, in a stream', undefined, 'invalid_prompt: The prompt was rejected'],
  ['OpenAI, an unknown kind of part', 415, 'Unsupported Media Type'],
  ['Google, a picture', 400, 'Unable to process input image. Please retry or report'],
  ['Google, a kind of file', 400, 'Unsupported MIME type: application/zip'],
  [
    'Azure, its filter',
    400,
    "The response was filtered due to the prompt triggering Azure OpenAI's content management policy",
  ],
  ['Mistral', 422, 'Input should be a valid string'],
  ['a proxy, by bytes', 413, 'Payload Too Large'],
  [
    'llama.cpp, a picture',
    500,
    'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
  ],
  ['Ollama, a picture', 500, 'this model is missing data required for image input'],
  ['Ollama, a broken picture', 500, 'Failed to process inputs: image: unknown format'],
  ['vLLM, a picture', 500, 'cannot identify image file'],
])('%s refuses the message', (_, status, text) => {
  expect(refusesMessage({ ...(status !== undefined && { status }), text })).toBe(true)
})

test.each<[string, number | undefined, string]>([
  [
    'Anthropic, no credit',
    400,
    'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing',
  ],
  [
    'Anthropic, a limit of the organization',
    400,
    'You have reached your specified API usage limits. You will regain access on 2026-12-01',
  ],
  [
    'Anthropic, a tool',
    400,
    'tools.3.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12',
  ],
  ['OpenAI, a tool', 400, "Invalid schema for function 'a__b': schema must have type 'object', got 'null'"],
  ['OpenAI, a tool by its place', 400, "Invalid 'tools[0].function.name': string does not match pattern"],
  ['OpenAI, an organization', 400, 'Your organization must be verified to use the model'],
  ['Google, a region', 400, 'User location is not supported for the API use.'],
  [
    'Google, a tool',
    400,
    'GenerateContentRequest.tools[0].function_declarations[1].parameters: should be non-empty',
  ],
  ['OpenRouter, no credits', 402, 'Insufficient credits'],
  ['an unknown model', 404, 'model not found'],
  ['a limit on requests', 429, 'Rate limit reached'],
  ['an overloaded vendor', 529, 'Overloaded'],
  ['a failing vendor', 500, 'Internal server error'],
  ['a broken connection', undefined, 'socket hang up'],
  ['an overloaded vendor, in a stream', undefined, 'overloaded_error: Overloaded'],
])('%s is not about the message', (_, status, text) => {
  expect(refusesMessage({ ...(status !== undefined && { status }), text })).toBe(false)
})
