import { askOnce } from './api-client.ts'
import type { ApiProbe } from './attempt.ts'
import { says } from './says.ts'
import type { Scene, Secret } from './scene.ts'

/** `/functions/v1`: functions about posts and money, the data export, and the statement. None of these begins a payment. */
export const functionsApi: ApiProbe = async (scene, visitor) => {
  const ask = askOnce(visitor)
  return scene.secrets.flatMap((secret) => [
    ...callsAbout(scene, secret).map(([name, body]) => ({
      api: 'functions',
      secret,
      action: `POST ${name} ${JSON.stringify(body)}`,
      run: async () => says(secret)(await ask(`/functions/v1/${name}`, { body })),
    })),
    {
      api: 'functions',
      secret,
      action: 'the export of the visitor’s own data',
      run: async () => {
        const { text } = await ask('/functions/v1/export-own-data', { body: {} })
        const link = /"url":"([^"]+)"/.exec(text)?.[1]
        if (link === undefined) return false
        const { pathname, search } = new URL(link)
        return says(secret)(await ask(`${pathname}${search}`))
      },
    },
  ])
}

function callsAbout(scene: Scene, { id }: Secret): [name: string, body: Readonly<Record<string, unknown>>][] {
  return [
    ['verify-payment', { sessionId: id, session_id: id }],
    ['verify-subscription', { sessionId: id, session_id: id }],
    ['refresh-subscription-status', { creatorId: scene.creator.profileId }],
    ['export-statement', { creatorId: scene.creator.profileId }],
    ['list-promotion-codes', { creatorId: scene.creator.profileId }],
  ]
}
