import { ppvMinPriceCents, priceMaxCents, tipMaxCents, tipMinCents, tipNoteMaxLength } from '@ovation/contract/limits'
import { paymentTexts } from '@ovation/contract/texts/payments'
import {
  startGiftPayment,
  startProductPurchase,
  startPurchase,
  startSessionPayment,
  startTip,
  startUnlock,
} from '../payments/checkout/start-payment.ts'
import { defineFunction } from './define.ts'
import { functionErrors } from './errors.ts'
import { oneOf, optionalInteger, optionalOneOf, optionalText, optionalTime, optionalUuid, uuid } from './fields.ts'

const fields = {
  kind: oneOf(['ppv', 'tip', 'message', 'session', 'gift', 'product'], { label: 'The kind of payment' }),
  /** ppv: posts.id. tip: the creator's profiles.id. message: messages.id. session: session_offers.id with startsAt, session_slots.id, or session_bookings.id of a hold. gift: the id that create_gift returned. product: products.id. */
  targetId: uuid({ label: 'What is paid for' }),
  /** Of a tip, and of a product that takes more than its price. */
  amountCents: optionalInteger({
    label: 'The amount in cents',
    min: Number.MIN_SAFE_INTEGER,
    max: Number.MAX_SAFE_INTEGER,
  }),
  postId: optionalUuid({ label: 'The post' }),
  /** Of a tip: the goal toward which it is given. */
  goalId: optionalUuid({ label: 'The goal' }),
  /** Of a tip: what the creator reads with it. */
  note: optionalText({ label: 'The note', max: tipNoteMaxLength }),
  /** Of a session: one of the times from get_session_times. */
  startsAt: optionalTime({ label: 'The start' }),
  attemptId: optionalUuid({ label: 'The attempt' }),
  savedCard: optionalOneOf(['use', 'ask', 'skip'], { label: 'What to do with a saved card' }),
}

/**
 * `create-payment-checkout` {kind, targetId, amountCents of a tip or a product, postId?, goalId?, and note? of a tip, startsAt? of a session, savedCard?, attemptId?} (API-FN-15,
 * POST-45, PROF-21, MSG-08, PRIV-03, LOOP-25, OFFER-02, D40, OFFER-05, OFFER-07). Pays with a saved card right away: {status: 'paid', paymentId}. Without one, if the card fails, and with
 * savedCard `skip`, it returns the {url} of the checkout page, and `reason` (`card_declined`, `authentication_required`). With `ask`, a
 * saved card is named, not charged: {status: 'confirm', card, amountCents, title}. Calls with one `attemptId` charge a saved card once,
 * however many responses were lost. The database sets prices, so an `amountCents` for anything but a tip, or a product that takes more, is rejected rather than ignored.
 */
export const createPaymentCheckout = defineFunction({
  name: 'create-payment-checkout',
  fields,
  run: async ({ person, input, db, services, siteOrigin }) => {
    const { kind, targetId, amountCents, postId, goalId, note, startsAt } = input
    const how = { siteOrigin, savedCard: input.savedCard ?? 'use', attemptId: input.attemptId }
    if (kind === 'tip') {
      if (!isWithin(amountCents, tipMinCents, tipMaxCents))
        throw functionErrors.invalidField('amountCents', paymentTexts.tipRange)
      return startTip(services, db, person, { creatorId: targetId, amountCents, postId, goalId, note }, how)
    }
    if (kind === 'product') {
      if (amountCents !== null && !isWithin(amountCents, ppvMinPriceCents, priceMaxCents))
        throw functionErrors.invalidField('amountCents', paymentTexts.productAmountRange)
      return startProductPurchase(services, db, person, { id: targetId, amountCents }, how)
    }
    if (amountCents !== null) throw functionErrors.invalidField('amountCents', paymentTexts.priceIsFixed)
    if (kind === 'session') return startSessionPayment(services, db, person, { id: targetId, startsAt }, how)
    const start = { ppv: startPurchase, message: startUnlock, gift: startGiftPayment }[kind]
    return start(services, db, person, targetId, how)
  },
})

const isWithin = (cents: number | null, min: number, max: number): cents is number =>
  cents !== null && cents >= min && cents <= max
