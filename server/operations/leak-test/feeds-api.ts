import { askOnce } from './api-client.ts'
import type { ApiProbe, Attempt } from './attempt.ts'

const formats = ['xml', 'json'] as const

/**
 * Feeds: everyone's, the visitor's own of each creator if they get one, at its first and at a renewed address, and one whose subscription
 * has ended.
 */
export const feedsApi: ApiProbe = async ({ secrets, creators, endedFeed }, visitor) => {
  const ask = askOnce(visitor)
  const addressOf = async (creatorId: string, verb: 'get' | 'renew') => {
    const body = { creator_profile_id: creatorId }
    const { ok, text } = await ask(`/rest/v1/rpc/${verb}_feed_address`, { body })
    return ok ? `/feeds/${JSON.parse(text).token}` : undefined
  }
  const addresses: readonly { readonly action: string; find(): Promise<string | undefined> }[] = [
    { action: 'the private feed of a former subscriber', find: async () => `/feeds/${endedFeed}` },
    ...creators.flatMap(({ profileId, username }) => [
      { action: `the feed of ${username}`, find: async () => `/profile/${username}/feed` },
      { action: `the visitor's private feed of ${username}`, find: () => addressOf(profileId, 'get') },
      { action: 'the same at a renewed address', find: () => addressOf(profileId, 'renew') },
    ]),
  ]
  return secrets.flatMap((secret) =>
    addresses.flatMap(({ action, find }) =>
      formats.map(
        (format): Attempt => ({
          api: 'feeds',
          secret,
          action: `GET ${action} (${format})`,
          run: async () => {
            const address = await find()
            if (address === undefined) return false
            const { text } = await ask(`${address}.${format}`)
            return text.includes(secret.canary) || (secret.file !== undefined && text.includes(secret.file.path))
          },
        }),
      ),
    ),
  )
}
