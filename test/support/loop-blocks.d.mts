export declare function watchLoop(onTurn: (blockedMs: number) => void): () => void
