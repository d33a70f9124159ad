import { submit, visit } from '@ovation/sandbox/visit'
import type { DemoGateway } from './demo-client.ts'

/** Submits the first form of a hosted page and checks that the page accepted it with a redirect. */
export async function fillIn(address: string, values: Readonly<Record<string, string>>): Promise<void> {
  const { status } = await submit(await visit(address), values)
  if (status !== 303) throw new Error(`The form at ${new URL(address).pathname} was not accepted (${status}).`)
}

/** Hosted pages at the address that this process can reach, whatever SITE_URL browsers use. */
export function reachable({ url }: DemoGateway, address: string): string {
  const { pathname, search } = new URL(address)
  return `${url}${pathname}${search}`
}
