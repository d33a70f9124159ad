import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Body } from '../body.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { requireFullAssurance } from '../factors/factors.ts'
import {
  beginPasskeyRegistration,
  beginPasskeySignIn,
  deletePasskey,
  finishPasskeyRegistration,
  finishPasskeySignIn,
  listPasskeys,
  renamePasskey,
} from '../factors/passkeys.ts'
import { originOf } from '../request-origin.ts'
import { requireRequester } from '../sessions/requester.ts'

type WithId = { Params: { id: string } }

/** `/passkeys`: sign-in without a password (auth-js `auth.passkey`). */
export function passkeyRoutes(parent: FastifyInstance, ctx: AuthContext) {
  parent.register(async (app) => {
    app.addHook('preHandler', async () => {
      if (!ctx.config.auth.passkeys) throw authErrors.providerDisabled('Sign-in with a passkey')
    })
    app.post('/passkeys/registration/options', async (request) =>
      beginPasskeyRegistration(ctx, await requireRequester(ctx, request), hostOf(request)),
    )
    app.post('/passkeys/registration/verify', async (request) => {
      const requester = await requireRequester(ctx, request)
      return finishPasskeyRegistration(ctx, requester, readAnswer(request), originOf(request))
    })
    app.post('/passkeys/authentication/options', async (request) =>
      beginPasskeySignIn(ctx, hostOf(request), originOf(request)),
    )
    app.post('/passkeys/authentication/verify', async (request) =>
      finishPasskeySignIn(ctx, readAnswer(request), originOf(request)),
    )
    app.get('/passkeys', async (request) => listPasskeys(ctx, (await requireRequester(ctx, request)).account.id))
    app.patch<WithId>('/passkeys/:id', async (request) => {
      const { account } = await requireRequester(ctx, request)
      const name = new Body(request).text('friendly_name', 120)?.trim()
      if (!name) throw authErrors.validationFailed('friendly_name is required')
      return renamePasskey(ctx, account.id, request.params.id, name)
    })
    app.delete<WithId>('/passkeys/:id', async (request, reply) => {
      const requester = await requireRequester(ctx, request)
      requireFullAssurance(requester, authErrors.aal2ToUnenroll)
      await deletePasskey(ctx, requester.account.id, request.params.id, originOf(request))
      return reply.status(204).send()
    })
  })
}

/** The page's own host, which is the relying party if it is one of ours; undefined outside browsers. */
function hostOf({ headers }: FastifyRequest): string | undefined {
  const { origin } = headers
  return origin && URL.canParse(origin) ? new URL(origin).hostname : undefined
}

function readAnswer(request: FastifyRequest) {
  const body = new Body(request)
  const challengeId = body.text('challenge_id')
  const credential = body.data('credential')
  if (!challengeId || !credential) throw authErrors.validationFailed('challenge_id and credential are required')
  return { challengeId, credential }
}
