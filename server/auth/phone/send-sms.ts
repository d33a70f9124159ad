import type { AuthContext } from '../context.ts'
import { pauseKey } from '../email/send-mail.ts'
import { authErrors } from '../errors.ts'
import { addressKeyOf, type RequestOrigin } from '../request-origin.ts'

/** @throws GatewayError 400 `phone_provider_disabled` if this installation can't send text messages. */
export function requireSms({ sms }: AuthContext) {
  if (!sms) throw authErrors.phoneDisabled()
}

/** Counts a text message before it is sent. @throws GatewayError 429 `over_sms_send_rate_limit`. */
export async function countSms({ limits }: AuthContext, phone: string, visitor: RequestOrigin) {
  const wait =
    (await limits.smsPause.take(pauseKey(phone, visitor))) ||
    (await limits.smsSent.take(addressKeyOf(visitor))) ||
    (await limits.smsSentTo.take(phone))
  if (wait > 0) throw authErrors.overSmsRate(wait)
}

/** Undefined for every number except the operator's test numbers. */
export function testCodeOf({ config }: AuthContext, phone: string): string | undefined {
  return config.auth.sms.testCodes.get(phone)
}

/** Sends a code; a test number needs none. Rejects if the message wasn't accepted. */
export async function sendCode(
  ctx: AuthContext,
  message: { readonly phone: string; readonly code: string; readonly userId: string },
): Promise<void> {
  const { phone, code, userId } = message
  if (testCodeOf(ctx, phone) !== undefined) return
  const text = `${code} is your ${ctx.config.operator.productName} code. Never share it with anyone.`
  await ctx.sms?.send({ to: phone, text, code, userId })
}
