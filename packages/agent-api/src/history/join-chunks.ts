import type { TurnEvent } from '../messages/turn-event.ts'

/** A piece of streamed text. */
export type Chunk = Extract<TurnEvent, { type: 'text' | 'thought' }>

/** A single item, or consecutive pieces of one text. `chunk` is then the whole text. */
export interface Joined<T> {
  readonly first: T
  readonly last: T
  readonly chunk: Chunk | undefined
}

export function joinChunks<T>(items: readonly T[], chunkOf: (item: T) => Chunk | undefined): readonly Joined<T>[] {
  const joined: { first: T; last: T; chunk: Chunk | undefined; texts: string[] }[] = []
  for (const item of items) {
    const chunk = chunkOf(item)
    const before = joined.at(-1)
    if (chunk !== undefined && before?.chunk?.type === chunk.type && before.chunk.messageId === chunk.messageId) {
      before.last = item
      before.texts.push(chunk.text)
    } else {
      joined.push({ first: item, last: item, chunk, texts: chunk === undefined ? [] : [chunk.text] })
    }
  }
  return joined.map(({ first, last, chunk, texts }) => ({ first, last, chunk: chunk && { ...chunk, text: texts.join('') } }))
}
