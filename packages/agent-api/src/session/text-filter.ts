/** Changes a text that arrives in pieces. Holds back what it cannot judge yet until the next piece or the end. */
export interface TextFilter {
  push(text: string): string
  end(): string
}

export function chainFilters(filters: readonly TextFilter[]): TextFilter {
  return {
    push: (text) => filters.reduce((passed, filter) => filter.push(passed), text),
    end: () => filters.reduce((passed, filter) => filter.push(passed) + filter.end(), ''),
  }
}
