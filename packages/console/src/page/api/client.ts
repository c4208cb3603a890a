import type { ApiError, ServerIssue } from '../../api.ts'
import { loadKey } from './storage.ts'

export class ApiFailure extends Error {
  readonly code: string
  readonly issues: readonly ServerIssue[]
  readonly output: string | undefined
  readonly confirm: ApiError['confirm']

  constructor({ code, message, issues = [], output, confirm }: ApiError) {
    super(message)
    this.code = code
    this.issues = issues
    this.output = output
    this.confirm = confirm
  }
}

export const signedOut =
  'This page has no access to the console. Open the console again with “ostler console”: its address works once.'

export interface ApiRequest {
  readonly method?: 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly body?: unknown
  readonly signal?: AbortSignal
}

export async function request<T>(path: string, options: ApiRequest = {}): Promise<T> {
  const response = await send(path, options, 'application/json')
  return response.json().catch(fail) as Promise<T>
}

export function post<T>(path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  return request(path, { method: 'POST', body, signal })
}

export function callApi(id: string): string {
  return `/api/calls/${encodeURIComponent(id)}`
}

export function serverApi(id: string, action?: string): string {
  return `/api/servers/${encodeURIComponent(id)}${action === undefined ? '' : `/${action}`}`
}

export async function* requestLines<T>(path: string, options: ApiRequest): AsyncGenerator<T, void> {
  const { body } = await send(path, options, 'application/x-ndjson')
  if (body === null) return
  try {
    for await (const line of splitLines(piecesOf(body.pipeThrough(new TextDecoderStream()))))
      yield JSON.parse(line) as T
  } catch (error) {
    fail(error)
  }
}

/** Not all browsers can iterate over a stream. */
async function* piecesOf(stream: ReadableStream<string>): AsyncGenerator<string, void> {
  const reader = stream.getReader()
  try {
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read())
      if (value !== undefined) yield value
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

export async function requestFile(path: string): Promise<Blob> {
  const response = await send(path, {}, '*/*')
  return response.blob()
}

function fail(error: unknown): never {
  throw toFailure(error)
}

export function toFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error
  if (error instanceof DOMException && error.name === 'AbortError')
    return new ApiFailure({ code: 'page.cancelled', message: 'Cancelled.' })
  if (error instanceof SyntaxError)
    return new ApiFailure({ code: 'page.bad_answer', message: 'The console sent an invalid reply.' })
  return new ApiFailure({
    code: 'page.unreachable',
    message: 'The console does not respond. If it was closed, start it again with “ostler console”.',
  })
}

export function isCancelled(error: unknown): boolean {
  return toFailure(error).code === 'page.cancelled'
}

async function send(path: string, { method, body, signal }: ApiRequest, accept: string): Promise<Response> {
  const isChange = method !== undefined
  const response = await fetch(path, {
    method,
    signal: signal ?? null,
    credentials: 'omit',
    redirect: 'error',
    headers: {
      accept,
      authorization: `Bearer ${loadKey() ?? ''}`,
      ...(isChange && { 'content-type': 'application/json' }),
    },
    body: isChange ? JSON.stringify(body ?? {}) : undefined,
  }).catch(fail)
  if (response.ok) return response
  throw new ApiFailure(await errorOf(response))
}

async function errorOf(response: Response): Promise<ApiError> {
  if (response.status === 401) return { code: 'page.signed_out', message: signedOut }
  try {
    const error = (await response.json()) as Partial<ApiError>
    if (typeof error.message === 'string') return { code: 'console.error', ...error, message: error.message }
  } catch {
    // The body is not an `ApiError`, so the status must suffice.
  }
  return { code: 'console.error', message: `The console answered with HTTP ${response.status}.` }
}

/** Splits chunked text into lines. Empty lines are dropped. */
export async function* splitLines(pieces: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield* lines.filter((line) => line.trim() !== '')
  }
  if (rest.trim() !== '') yield rest
}
