import type { DehydratedState, QueryClient } from '@tanstack/react-query'
import { dehydrate, hydrate } from '@tanstack/react-query'

/*
 * What the queries of a page have read. The server writes it into the document that it renders for visitors, so that the app, once it has
 * loaded, shows the same content without reading it again. JSON, with an object in the place of each Map.
 */

/** The id of the element that holds it, as server/http/visitor-pages/visitor-document.ts writes it. */
const elementId = 'page-data'

const mapKey = '$map'

/** The data of all queries that have succeeded, as JSON. */
export const writePageData = (queryClient: QueryClient): string =>
  JSON.stringify(dehydrate(queryClient), (_key, value) => (value instanceof Map ? { [mapKey]: [...value] } : value))

/** Gives the document's data to the queries. @returns whether the document has any. */
export function readPageData(queryClient: QueryClient): boolean {
  const text = document.getElementById(elementId)?.textContent
  if (!text) return false
  const revive = (_key: string, value: unknown) =>
    typeof value === 'object' && value !== null && mapKey in value
      ? new Map(value[mapKey] as [unknown, unknown][])
      : value
  hydrate(queryClient, JSON.parse(text, revive) as DehydratedState)
  return true
}
