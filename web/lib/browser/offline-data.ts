import { offlineCacheName } from './forget-offline-data.ts'

/*
 * What a user has read last, for reading it offline (LOOP-22): one cache for each user, with one JSON response for each query. A cache and
 * not a database, because it needs no code around it, and deleting it is one step.
 */

export type Kept = { data: unknown; updatedAt: number }

/** Entries of a kind compete for its places. */
export type Place = { kind: string; key: string; atMost: number }

/** A purchase may end, and a post may be deleted, while a device is offline. */
const maxAgeMs = 7 * 24 * 60 * 60_000

type Owner = {
  userId: string
  /** Whether this browser still has this user's session. */
  isSignedIn: () => boolean
  /** The release that writes and reads: the next one may expect other data. */
  release: string
}

/** The data that this browser keeps for a user. If there is no storage or it is full, nothing is kept, and nothing fails. */
export function openOfflineData({ userId, isSignedIn, release }: Owner) {
  const addressOf = ({ kind, key }: Pick<Place, 'kind' | 'key'>) => `/kept/${kind}/${encodeURIComponent(key)}`
  const open = async () => ('caches' in globalThis && isSignedIn() ? caches.open(offlineCacheName(userId)) : undefined)

  async function attempt<Result>(work: (cache: Cache) => Promise<Result>): Promise<Result | undefined> {
    try {
      const cache = await open()
      return cache && (await work(cache))
    } catch {
      return undefined
    } finally {
      // Opening creates the cache, and a sign-out in another tab may just have deleted it.
      if (!isSignedIn()) await forgetOwn(userId)
    }
  }

  /** Its content, unless it is too old or of another release. */
  async function entryAt(cache: Cache, address: string | Request): Promise<Kept | undefined> {
    const response = await cache.match(address)
    if (!response) return undefined
    const updatedAt = Number(response.headers.get('x-updated-at'))
    if (response.headers.get('x-release') === release && Date.now() - updatedAt < maxAgeMs)
      return { data: await response.json(), updatedAt }
    await cache.delete(address)
    return undefined
  }

  return {
    read: (place: Pick<Place, 'kind' | 'key'>) => attempt((cache) => entryAt(cache, addressOf(place))),

    /** All of a kind, latest first. */
    readAll: (kind: string): Promise<Kept[]> =>
      attempt(async (cache) => {
        const kept = await Promise.all((await requestsOf(cache, kind)).map((request) => entryAt(cache, request)))
        return kept.filter((each) => each !== undefined).reverse()
      }).then((kept) => kept ?? []),

    write: (place: Place, { data, updatedAt }: Kept) =>
      attempt(async (cache) => {
        const headers = {
          'content-type': 'application/json',
          'x-updated-at': String(updatedAt),
          'x-release': release,
        }
        // Deleted first, so that the entries are in the order in which they were written.
        await cache.delete(addressOf(place))
        await cache.put(addressOf(place), new Response(JSON.stringify(data), { headers }))
        const requests = await requestsOf(cache, place.kind)
        for (const request of requests.slice(0, Math.max(0, requests.length - place.atMost)))
          await cache.delete(request)
      }),

    forget: (place: Pick<Place, 'kind' | 'key'>) => attempt((cache) => cache.delete(addressOf(place))),

    /** Deletes what is too old or of another release. */
    tidy: () =>
      attempt(async (cache) => {
        for (const request of await cache.keys()) await entryAt(cache, request)
      }),
  }
}

export type OfflineData = ReturnType<typeof openOfflineData>

const requestsOf = async (cache: Cache, kind: string): Promise<readonly Request[]> =>
  (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith(`/kept/${kind}/`))

async function forgetOwn(userId: string): Promise<void> {
  if ('caches' in globalThis) await caches.delete(offlineCacheName(userId)).catch(() => false)
}
