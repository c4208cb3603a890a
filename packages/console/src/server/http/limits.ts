/** What one browser of one person never needs more of. */
export interface Limits {
  readonly bodyBytesMax: number
  readonly headerBytesMax: number
  readonly headersMax: number
  /** To send a whole request, its headers and its body. An answer may take as long as it likes. */
  readonly requestMsMax: number
  readonly connectionsMax: number
  readonly eventStreamsMax: number
  /** Calls and tests that are under way at once. */
  readonly lineStreamsMax: number
  /** So much may wait for a reader of a stream; one that is slower is let go. */
  readonly streamBytesMax: number
  readonly heartbeatMs: number
}

export const limits: Limits = {
  bodyBytesMax: 1024 * 1024,
  headerBytesMax: 16 * 1024,
  headersMax: 100,
  requestMsMax: 30_000,
  connectionsMax: 200,
  eventStreamsMax: 50,
  lineStreamsMax: 50,
  streamBytesMax: 4 * 1024 * 1024,
  heartbeatMs: 15_000,
}
