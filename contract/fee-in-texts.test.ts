import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dashboardTexts } from './texts/dashboard.ts'
import { termsSections } from './texts/legal.ts'
import { onboardingTexts } from './texts/onboarding.ts'
import { operationsTexts } from './texts/operations.ts'
import { pitchTexts } from './texts/pitch.ts'
import { sessionTexts } from './texts/private-sessions.ts'
import { subscriptionProductsTexts } from './texts/subscription-products.ts'
import { supportTexts } from './texts/support.ts'

const folder = new URL('./texts/', import.meta.url)
const operator = { name: 'Ovation', address: '', jurisdiction: '', supportEmail: '' }
const aFee = /\b(?:10|80|90|ten|eighty|ninety|nine tenths|a tenth)\s*(?:%|percent|of (?:each|every))/i

/** Every text that says how a payment is parted, at a fee of so many percent. */
const textsOfFee = (feePercent: number): string[] => [
  pitchTexts.message(feePercent),
  dashboardTexts.becomeCreator.message(feePercent),
  dashboardTexts.earnings.fee(feePercent),
  dashboardTexts.monetization.introduction(feePercent),
  onboardingTexts.introduction(feePercent),
  operationsTexts.money.margins.share(feePercent),
  sessionTexts.offers.price.hint(feePercent),
  subscriptionProductsTexts.introduction(feePercent),
  ...supportTexts.faq.items.flatMap(({ answer }) => (typeof answer === 'function' ? [answer(feePercent)] : [])),
  ...termsSections('Ovation', operator, feePercent).flatMap(({ paragraphs }) =>
    paragraphs.filter((paragraph) => paragraph.includes('platform fee')),
  ),
]

describe('the platform fee in texts [GEN-06]', () => {
  it.each(readdirSync(folder))('is no number of its own in %s', (file) => {
    expect(aFee.exec(readFileSync(new URL(file, folder), 'utf8'))?.[0]).toBeUndefined()
  })

  it('is taken by as many texts as ask for it', () => {
    const asking = readdirSync(folder)
      .map((file) => readFileSync(new URL(file, folder), 'utf8').match(/\bfeePercent: number\)/g)?.length ?? 0)
      .reduce((sum, count) => sum + count, 0)
    expect(textsOfFee(10)).toHaveLength(asking)
  })

  it('says 10% and 90% at the default, word for word [SUPP-16, STAT-05]', () => {
    expect(textsOfFee(10)).toEqual([
      'Share with everyone, with subscribers, or sell post by post. You keep 90% of every payment.',
      'Publish for everyone or for your subscribers, set your own prices and keep 90% of every payment.',
      'The platform fee is 10%. Amounts below are what you keep, except in the Paid column.',
      'Choose the ways you earn. You keep 90% of each payment.',
      'Payouts: your fans pay by card, and Stripe sends your share to your bank. You keep 90% of every payment.',
      'Platform fee (10%)',
      'At least $1.00. You keep 90%.',
      'Plans your fans can choose. You keep 90% of every payment.',
      "The platform fee is 10% of each payment. For a $9.99 subscription, you get $8.99. We don't charge any other fees.",
      "The platform fee is 10% of what a fan pays; the creator keeps 90%. Payouts go to the creator's connected Stripe account.",
    ])
  })

  it('says 15% and 85% everywhere when that is the fee, and reckons its example by it', () => {
    for (const text of textsOfFee(15)) {
      expect(text).toMatch(/\b(?:15|85)%/)
      expect(text).not.toMatch(/\b(?:10|80|90)%/)
    }
    expect(textsOfFee(15).join(' ')).toContain('For a $9.99 subscription, you get $8.49.')
  })
})
