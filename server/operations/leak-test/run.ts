import type { ApiProbe, Attempt } from './attempt.ts'
import { functionsApi, pagesApi } from './functions-api.ts'
import { realtimeApi } from './realtime-api.ts'
import { restApi } from './rest-api.ts'
import { buildScene, type Installation, type Scene, type Secret } from './scene.ts'
import { storageApi } from './storage-api.ts'
import type { Visitor } from './visitor.ts'

/** What was tried, and what came of it. A run in which the entitled find nothing proves nothing, and is told as failed. */
export type LeakReport = {
  readonly attempts: number
  /** One line each: who, what, and by which deed. */
  readonly reached: readonly string[]
  /** What who may see it was not given either, by any deed of that API. */
  readonly unproven: readonly string[]
}

/** One after another. Who listens mostly waits, and does so beside them. */
const apis: readonly ApiProbe[] = [restApi, storageApi, functionsApi, pagesApi]
/** The product's own limits on requests are for one address; the run stays well below them. */
const atOnce = 8

/**
 * Tries every API of a running installation for rows and files that are locked, as a visitor, a stranger, a lapsed fan, a fan of a
 * lower plan, a refunded buyer and a blocked person. Makes its own people and removes them.
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

const tell = ({ secret, api, deed }: Attempt) => `${secret.name}: ${api}, ${deed}`

async function everyAttempt(scene: Scene, visitor: Visitor) {
  const [asked, heard] = await Promise.all([tryEach(apis, scene, visitor), tryEach([realtimeApi], scene, visitor)])
  return [...asked, ...heard]
}

async function tryEach(apis: readonly ApiProbe[], scene: Scene, visitor: Visitor) {
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

/** The same deeds by who may, until one finds it: each row must come out of rest, its file of storage, a message live. */
async function findUnproven(scene: Scene): Promise<string[]> {
  const unproven: string[] = []
  for (const secret of scene.secrets) {
    const wanted = {
      rest: restApi,
      storage: storageApi,
      ...(secret.table === 'messages' && { realtime: realtimeApi }),
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
