import type { TurnEvent } from '../messages/turn-event.ts'

/** A piece of a text that was told as it came. */
export type Chunk = Extract<TurnEvent, { type: 'text' | 'thought' }>

/** One thing of a turn, or the pieces of one text that came one after the other: then `chunk` is all of it. */
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
