/** Stripe returns an id, or the object itself if it was expanded. */
export function idOf(reference: string | { id: string } | null | undefined): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id
}

/** Stripe's Unix seconds as a time. */
export function timeOf(seconds: number | null): Date | null {
  return seconds === null ? null : new Date(seconds * 1000)
}
