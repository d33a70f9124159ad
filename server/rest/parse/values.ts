import type { ValueRef } from './syntax.ts'

/** The values of a request, in reading order. They become the statement's parameters and never enter its text. */
export class Values {
  readonly list: (string | null)[] = []

  /** How many there are so far. */
  get size(): number {
    return this.list.length
  }

  add(value: string | null): ValueRef {
    return this.list.push(value) - 1
  }
}

/** A PostgreSQL array literal. The server infers its type from the column beside it. */
export function arrayLiteral(elements: readonly string[]): string {
  return `{${elements.map((element) => `"${element.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`
}
