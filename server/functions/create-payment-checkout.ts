import { tipMaxCents, tipMinCents } from '@ovation/contract/limits'
import { paymentTexts } from '@ovation/contract/texts/payments'
import { paymentErrors } from '../payments/errors.ts'
import { startPurchase, startTip } from '../payments/start-payment.ts'
import { defineFunction } from './define.ts'
import { functionErrors } from './errors.ts'
import { oneOf, optionalInteger, optionalUuid, uuid } from './fields.ts'

const fields = {
  kind: oneOf(['ppv', 'tip', 'message', 'session'], { label: 'The kind of payment' }),
  /** ppv: posts.id. tip: the creator's profiles.id. */
  targetId: uuid({ label: 'What is paid for' }),
  amountCents: optionalInteger({
    label: 'The tip in cents',
    min: tipMinCents,
    max: tipMaxCents,
    tooSmall: paymentTexts.tipRange,
    tooLarge: paymentTexts.tipRange,
  }),
  postId: optionalUuid({ label: 'The post' }),
}

/**
 * `create-payment-checkout` {kind, targetId, amountCents for tips, postId? of a tip} → {url} of the checkout page (API-FN-15, POST-45,
 * PROF-21, D40). The price of a post is the database's; an `amountCents` beside it is refused rather than ignored.
 */
export const createPaymentCheckout = defineFunction({
  name: 'create-payment-checkout',
  fields,
  run: async ({ person, input, db, services, siteOrigin }) => {
    const { kind, targetId, amountCents, postId } = input
    switch (kind) {
      case 'ppv':
        if (amountCents !== null) throw functionErrors.invalidField('amountCents', paymentTexts.priceIsFixed)
        return { url: await startPurchase(services, db, person, targetId, siteOrigin) }
      case 'tip': {
        if (amountCents === null) throw functionErrors.invalidField('amountCents', paymentTexts.tipRange)
        const tip = { creatorId: targetId, amountCents, postId }
        return { url: await startTip(services, db, person, tip, siteOrigin) }
      }
      default:
        throw paymentErrors.kindUnavailable()
    }
  },
})
