import { authErrors } from '../errors.ts'

export type Page = { readonly page: number; readonly perPage: number }

const maxPerPage = 1000

/** @throws GatewayError 400 `validation_failed`. */
export function readPage({ page, per_page }: Readonly<Record<string, string | undefined>>): Page {
  return { page: wholeNumber(page, 1, 1_000_000), perPage: wholeNumber(per_page, 50, maxPerPage) }
}

function wholeNumber(text: string | undefined, fallback: number, max: number): number {
  if (!/^\d*$/.test(text ?? '')) throw authErrors.validationFailed('Bad Pagination Parameters')
  return Math.min(Number(text) || fallback, max)
}

/** The next and last page, which auth-js reads from here. */
export function linksFor(path: string, { page, perPage }: Page, total: number): string {
  const last = Math.max(1, Math.ceil(total / perPage))
  const link = (to: number, rel: string) => `<${path}?page=${to}&per_page=${perPage}>; rel="${rel}"`
  return [...(page < last ? [link(page + 1, 'next')] : []), link(last, 'last')].join(', ')
}
