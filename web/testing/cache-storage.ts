import { vi } from 'vitest'

/**
 * The Cache Storage of a secure origin, which jsdom lacks, in memory: caches by name, with responses by path in the order in which they were
 * put. `vi.unstubAllGlobals` removes it.
 * @returns what it contains, by cache and path.
 */
export function standInForCaches(): ReadonlyMap<string, ReadonlyMap<string, Response>> {
  const contents = new Map<string, Map<string, Response>>()
  const urlOf = (request: string | Request) =>
    new URL(typeof request === 'string' ? request : request.url, window.location.href)
  const pathOf = (request: string | Request) => urlOf(request).pathname
  const open = async (name: string) => {
    const cache = contents.get(name) ?? new Map<string, Response>()
    contents.set(name, cache)
    return {
      match: async (request: string | Request) => cache.get(pathOf(request))?.clone(),
      put: async (request: string | Request, response: Response) => void cache.set(pathOf(request), response),
      delete: async (request: string | Request) => cache.delete(pathOf(request)),
      keys: async () => [...cache.keys()].map((path) => new Request(urlOf(path))),
    }
  }
  vi.stubGlobal('caches', {
    open,
    keys: async () => [...contents.keys()],
    delete: async (name: string) => contents.delete(name),
  })
  return contents
}
