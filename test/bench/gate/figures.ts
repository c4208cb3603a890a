/** A figure of one run, and how far it may be from the one that is held. */
export interface Figure {
  readonly name: string
  readonly value: number
  /** As a part of the held figure. Omitted for a count, which is held exactly. */
  readonly tolerance?: number
  /** Says what to look at if the figure has risen. */
  readonly detail?: string
}

/** By name. */
export type HeldFigures = Readonly<Record<string, number>>

export interface ComparedFigure {
  readonly name: string
  readonly measured: number | undefined
  readonly held: number | undefined
  readonly verdict: 'same' | 'higher' | 'lower' | 'new' | 'gone'
  readonly detail?: string
}

export function compareFigures(measured: readonly Figure[], held: HeldFigures): ComparedFigure[] {
  const names = new Set(measured.map(({ name }) => name))
  return [
    ...measured.map((figure) => compareOne(figure, held[figure.name])),
    ...Object.entries(held)
      .filter(([name]) => !names.has(name))
      .map(([name, value]) => ({ name, measured: undefined, held: value, verdict: 'gone' as const })),
  ]
}

function compareOne(
  { name, value, tolerance = 0, detail }: Figure,
  held: number | undefined,
): ComparedFigure {
  if (Number.isNaN(value)) return { name, measured: undefined, held, verdict: 'gone' }
  const room = tolerance * (held ?? 0)
  const verdict =
    held === undefined ? 'new' : value > held + room ? 'higher' : value < held - room ? 'lower' : 'same'
  return { name, measured: value, held, verdict, ...(detail !== undefined && { detail }) }
}

/** A figure may fall, but not rise. One that is not in the file, or only there, means that the file is old. */
export function isRed(figures: readonly ComparedFigure[]): boolean {
  return figures.some(({ verdict }) => verdict !== 'same' && verdict !== 'lower')
}

/** The figures to hold from now on. A figure within its tolerance stays, so that chance changes no line. */
export function toHeld(figures: readonly ComparedFigure[]): HeldFigures {
  return Object.fromEntries(
    figures.flatMap(({ name, measured, held, verdict }) => {
      const value = verdict === 'same' ? held : measured
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

export function toTable(figures: readonly ComparedFigure[]): string {
  const width = Math.max(...figures.map(({ name }) => name.length))
  const column = (value: number | string | undefined) => String(value ?? '–').padStart(10)
  return [
    `${' '.repeat(width)}${column('held')}${column('measured')}`,
    ...figures.map(
      ({ name, held, measured, verdict }) =>
        `${name.padEnd(width)}${column(held)}${column(measured)}${verdict === 'same' ? '' : `   ${changeOf(held, measured)}`}`,
    ),
  ].join('\n')
}

function changeOf(held: number | undefined, measured: number | undefined): string {
  if (held === undefined) return 'is new'
  if (measured === undefined) return 'is no longer measured'
  const change = Number((measured - held).toFixed(2))
  return change > 0 ? `ROSE by ${change}` : `fell by ${-change}`
}
