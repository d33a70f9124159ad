import { timingSafeEqual } from 'node:crypto'

/** True when the form came from our own page: it carries the secret that only the page was given. */
export function hasFormToken(form: URLSearchParams, expected: string): boolean {
  const given = Buffer.from(form.get('form_token') ?? '')
  const wanted = Buffer.from(expected)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
