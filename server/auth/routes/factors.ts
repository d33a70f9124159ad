import type { FastifyInstance } from 'fastify'
import { Body } from '../body.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { challengeFactor, verifyFactor } from '../factors/factor-challenge.ts'
import { type Enrollment, enrollFactor, unenrollFactor } from '../factors/factors.ts'
import {
  countRecoveryCodes,
  makeRecoveryCodes,
  removeRecoveryCodes,
  verifyRecoveryCode,
} from '../factors/recovery-codes.ts'
import { readPhone } from '../phone/phone.ts'
import { originOf } from '../request-origin.ts'
import { requireRequester } from '../sessions/requester.ts'

type WithId = { Params: { id: string } }

const types: ReadonlyMap<string, Enrollment['type']> = new Map([
  ['totp', 'totp'],
  ['phone', 'phone'],
  ['webauthn', 'webauthn'],
])

/** `/factors` (API-AUTH-19..22) and, below it, the recovery codes. */
export function factorRoutes(app: FastifyInstance, ctx: AuthContext) {
  app.post('/factors', async (request) => {
    const requester = await requireRequester(ctx, request)
    const body = new Body(request)
    const type = types.get(body.text('factor_type') ?? '')
    if (!type) throw authErrors.validationFailed('factor_type needs to be totp, phone, or webauthn')
    const friendlyName = body.text('friendly_name', 120)?.trim() || null
    const enrollment = {
      type,
      friendlyName,
      issuer: body.text('issuer', 120)?.trim() || undefined,
      phone: readPhone(body),
    }
    return enrollFactor(ctx, requester, enrollment, originOf(request))
  })
  app.post<WithId>('/factors/:id/challenge', async (request) => {
    const requester = await requireRequester(ctx, request)
    const rpId = textOf(new Body(request).data('webauthn')?.rpId)
    return challengeFactor(ctx, requester, request.params.id, { rpId }, originOf(request))
  })
  app.post<WithId>('/factors/:id/verify', async (request) => {
    const requester = await requireRequester(ctx, request)
    const body = new Body(request)
    const credential = body.data('webauthn')?.credential_response
    const proof = {
      challengeId: body.text('challenge_id') ?? '',
      code: body.text('code', 20),
      credential: isObject(credential) ? credential : undefined,
    }
    return verifyFactor(ctx, requester, request.params.id, proof, originOf(request))
  })
  app.delete<WithId>('/factors/:id', async (request) => {
    await unenrollFactor(ctx, await requireRequester(ctx, request), request.params.id, originOf(request))
    return { id: request.params.id }
  })
  recoveryCodeRoutes(app, ctx)
}

function recoveryCodeRoutes(app: FastifyInstance, ctx: AuthContext) {
  const path = '/factors/recovery-codes'
  app.get(path, async (request) => countRecoveryCodes(ctx, await requireRequester(ctx, request)))
  app.post(path, async (request) => {
    const requester = await requireRequester(ctx, request)
    const friendlyName = new Body(request).text('friendly_name', 120)?.trim() || null
    return makeRecoveryCodes(ctx, requester, { replace: false, friendlyName }, originOf(request))
  })
  app.post(`${path}/regenerate`, async (request) => {
    const requester = await requireRequester(ctx, request)
    return makeRecoveryCodes(ctx, requester, { replace: true, friendlyName: null }, originOf(request))
  })
  app.post(`${path}/verify`, async (request) => {
    const requester = await requireRequester(ctx, request)
    return verifyRecoveryCode(ctx, requester, new Body(request).text('code', 40) ?? '', originOf(request))
  })
  app.delete(path, async (request) => removeRecoveryCodes(ctx, await requireRequester(ctx, request), originOf(request)))
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
