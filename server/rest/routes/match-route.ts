import type { PayloadTarget } from '../parse/payload.ts'

/** The resource of a URL below `/rest/v1`. */
export type Route = {
  /** Undefined: nothing. */
  readonly resource: PayloadTarget | 'description' | undefined
  /** Of the table, view, or function. */
  readonly name: string
  /** After the question mark, as received. */
  readonly search: string
  /** The name of the route in metrics, which contain no paths. */
  readonly pattern: string
}

// A client may also send the whole URL (RFC 9112, 3.2.2).
const restUrl = /^(?:https?:\/\/[^/?#]*)?\/rest\/v1(?![^/?#])([^?#]*)(?:\?(.*))?/s
const resourcePath = /^\/(rpc\/)?([^/]+)$/

export const isRestUrl = (url = '/'): boolean => restUrl.test(url)

/** @param url one that `isRestUrl` accepts. */
export function matchRoute(url = ''): Route {
  const [, path = '', search = ''] = restUrl.exec(url) ?? []
  if (path === '' || path === '/') return { resource: 'description', name: '', search, pattern: '/rest/v1/' }
  const [, call, text = ''] = resourcePath.exec(path) ?? []
  const name = decodeName(text)
  if (name === undefined) return { resource: undefined, name: '', search, pattern: '/rest/v1/*' }
  return call === undefined
    ? { resource: 'relation', name, search, pattern: '/rest/v1/:name' }
    : { resource: 'function', name, search, pattern: '/rest/v1/rpc/:name' }
}

/** @returns undefined for no name, and for one that isn't UTF-8. */
function decodeName(text: string): string | undefined {
  if (!text.includes('%')) return text === '' ? undefined : text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
