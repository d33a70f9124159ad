import { submit, visit } from '@ovation/sandbox/visit'
import type { Gateway } from '../gateway.ts'

/** Fills in the first form of a hosted page, and sees to it that the page is content: then it sends the browser on. */
export async function fillIn(address: string, values: Readonly<Record<string, string>>): Promise<void> {
  const { status } = await submit(await visit(address), values)
  if (status !== 303) throw new Error(`The form at ${new URL(address).pathname} was not accepted (${status}).`)
}

/** The hosted pages under the address that this process can reach, whatever SITE_URL browsers use. */
export function reachable({ url }: Gateway, address: string): string {
  const { pathname, search } = new URL(address)
  return `${url}${pathname}${search}`
}
