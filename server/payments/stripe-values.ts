/** Stripe gives an id, or the object itself where it was expanded. */
export function idOf(reference: string | { id: string } | null | undefined): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id
}

/** Stripe's unix seconds as a time. */
export function timeOf(seconds: number | null): Date | null {
  return seconds === null ? null : new Date(seconds * 1000)
}
