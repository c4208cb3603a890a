export interface LoopTurn {
  readonly workedMs: number
  readonly stoodMs: number
}

export declare function fixedWorkMs(): number

export declare function watchLoop(onTurn: (turn: LoopTurn) => void): () => void
