import type { ApiClient } from './api-client.ts'
import type { ApiProbe, Attempt } from './attempt.ts'
import { domainsApi } from './domains-api.ts'
import { feedsApi } from './feeds-api.ts'
import { functionsApi } from './functions-api.ts'
import { pagesApi } from './pages-api.ts'
import { realtimeApi } from './realtime-api.ts'
import { restApi } from './rest-api.ts'
import { buildScene, type Installation, type Scene, type Secret } from './scene.ts'
import { storageApi } from './storage-api.ts'

/** The attempts and their result. A run in which authorized users find nothing proves nothing, so it counts as failed. */
export type LeakReport = {
  readonly attempts: number
  /** One line each: the visitor, the secret, and the action. */
  readonly reached: readonly string[]
  /** Secrets that authorized users did not get by any action of that API either. */
  readonly unproven: readonly string[]
}

/** One after another. The listening attempts mostly wait, so they run beside the others. */
const apis: readonly ApiProbe[] = [restApi, storageApi, functionsApi, pagesApi, domainsApi, feedsApi]
/** The product's rate limits apply to one address; the run stays well below them. */
const atOnce = 8

/**
 * Tries every API of a running installation for locked rows and files, as a visitor, another user, a lapsed fan, a fan of a
 * lower plan, a refunded buyer, and a blocked user. Creates its own users and removes them.
 * @param who some of them; all when it is not given.
 */
export async function runLeakTest(installation: Installation, who?: readonly string[]): Promise<LeakReport> {
  const scene = await buildScene(installation)
  try {
    const reached: string[] = []
    let attempts = 0
    for (const stranger of scene.strangers.filter(({ name }) => who?.includes(name) ?? true)) {
      const tried = await everyAttempt(scene, stranger)
      attempts += tried.length
      for (const { attempt, found } of tried) if (found) reached.push(`${stranger.name} reached ${tell(attempt)}`)
    }
    return { attempts, reached, unproven: await findUnproven(scene) }
  } finally {
    await scene.remove()
  }
}

const tell = ({ secret, api, action }: Attempt) => `${secret.name}: ${api}, ${action}`

async function everyAttempt(scene: Scene, visitor: ApiClient) {
  const [asked, heard] = await Promise.all([tryEach(apis, scene, visitor), tryEach([realtimeApi], scene, visitor)])
  return [...asked, ...heard]
}

async function tryEach(apis: readonly ApiProbe[], scene: Scene, visitor: ApiClient) {
  const tried: { attempt: Attempt; found: boolean }[] = []
  for (const api of apis) {
    const queue = [...(await api(scene, visitor))]
    const work = async () => {
      for (let attempt = queue.shift(); attempt; attempt = queue.shift()) {
        tried.push({ attempt, found: await attempt.run(visitor) })
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  }
  return tried
}

/**
 * The same actions by authorized users, until one succeeds: rest must return each row, storage its file, realtime a message, and a
 * subscriber's private feed a post.
 */
async function findUnproven(scene: Scene): Promise<string[]> {
  const unproven: string[] = []
  for (const secret of scene.secrets) {
    const wanted = {
      rest: restApi,
      storage: storageApi,
      ...(secret.table === 'messages' && { realtime: realtimeApi }),
      ...(secret.openTo.name === 'subscriber' && { feeds: feedsApi }),
    }
    for (const [name, api] of Object.entries(wanted)) {
      if (!(await isFound(scene, secret, api)))
        unproven.push(`${secret.name}: ${secret.openTo.name} did not find it by ${name}`)
    }
  }
  return unproven
}

async function isFound(scene: Scene, secret: Secret, api: ApiProbe): Promise<boolean> {
  for (const attempt of await api({ ...scene, secrets: [secret] }, secret.openTo)) {
    if (await attempt.run(secret.openTo)) return true
  }
  return false
}
