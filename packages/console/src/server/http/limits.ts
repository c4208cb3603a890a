/** Limits far above the needs of one browser. */
export interface Limits {
  readonly bodyBytesMax: number
  readonly headerBytesMax: number
  readonly headersMax: number
  /** Time to receive a whole request. The reply has no time limit. */
  readonly requestMsMax: number
  readonly connectionsMax: number
  /** Pages that follow changes or a server, calls, and connection tests. */
  readonly streamsMax: number
  /** Bytes that may be buffered for a slow reader before it is disconnected. */
  readonly streamBytesMax: number
  readonly heartbeatMs: number
}

export const limits: Limits = {
  bodyBytesMax: 1024 * 1024,
  headerBytesMax: 16 * 1024,
  headersMax: 100,
  requestMsMax: 30_000,
  connectionsMax: 200,
  streamsMax: 100,
  streamBytesMax: 4 * 1024 * 1024,
  heartbeatMs: 15_000,
}
