import type { TurnEvent } from './turn-event.ts'

export type Chunk = Extract<TurnEvent, { type: 'text' | 'thought' }>

/** Any item that is not a piece of a text is its own run. */
export interface Joined<T> {
  readonly first: T
  readonly last: T
  readonly chunk: Chunk | undefined
}

interface ChunkJoiner<T> {
  add(item: T): readonly Joined<T>[]
  end(): readonly Joined<T>[]
}

export function createChunkJoiner<T>(chunkOf: (item: T) => Chunk | undefined): ChunkJoiner<T> {
  let run: { readonly first: T; readonly chunk: Chunk; last: T; readonly texts: string[] } | undefined

  function end(): readonly Joined<T>[] {
    if (run === undefined) return []
    const { first, last, chunk, texts } = run
    run = undefined
    return [{ first, last, chunk: { ...chunk, text: texts.join('') } }]
  }

  return {
    add(item) {
      const chunk = chunkOf(item)
      if (chunk === undefined) return [...end(), { first: item, last: item, chunk }]
      if (run?.chunk.type === chunk.type && run.chunk.messageId === chunk.messageId) {
        run.last = item
        run.texts.push(chunk.text)
        return []
      }
      const ended = end()
      run = { first: item, last: item, chunk, texts: [chunk.text] }
      return ended
    },
    end,
  }
}

export function joinChunks<T>(
  items: readonly T[],
  chunkOf: (item: T) => Chunk | undefined,
): readonly Joined<T>[] {
  const joiner = createChunkJoiner(chunkOf)
  return [...items.flatMap(joiner.add), ...joiner.end()]
}
