import { paths } from '@ovation/contract/routes'
import { letterTexts } from '@ovation/contract/texts/payment-letters'
import { type Letter, writeLetter } from '../../mail/letter.ts'
import { sql } from '../../postgres/sql.ts'
import type { Services } from '../../services.ts'

type Waiting = {
  readonly id: string
  readonly kind: 'receipt' | 'refund' | 'payment_failed' | 'trial_ends' | 'renewal'
  /** Null for a letter that is not to be sent. */
  readonly email: string | null
  readonly creator_name: string | null
  readonly plan_name: string | null
  readonly price_cents: number | null
  readonly plan_interval: string | null
  readonly transaction_type: string | null
  readonly amount_cents: number | null
  readonly occurred_at: Date | null
  readonly reason: string | null
  readonly due_at: Date | null
  readonly access_until: Date | null
  /** Where a renewal is confirmed that the bank asks about. */
  readonly confirm_url: string | null
}

/** What letters need of the server. */
type Post = Pick<Services, 'config' | 'database' | 'mailer' | 'siteUrl'>

/**
 * Sends what a fan is to hear about their money: receipts, refunds, failed charges and renewals that come soon. A letter that could not
 * be handed over waits for the next time.
 * @throws when any of them failed, so that the job tries again.
 */
export async function sendPaymentLetters(services: Post): Promise<void> {
  const { service } = services.database
  await service.rows(sql`select private.write_reminders()`)
  const waiting = await service.rows<Waiting>(sql`
    select id::text, kind, email, creator_name, plan_name, price_cents::int, plan_interval, transaction_type, amount_cents::int, occurred_at,
      reason, due_at, access_until, confirm_url
    from private.letters_to_send()`)
  const failures: unknown[] = []
  for (const letter of waiting) {
    try {
      if (letter.email !== null) await services.mailer.send(writeLetter(words(services, letter, letter.email)))
      await service.rows(sql`update private.payment_letters set sent_at = now() where id = ${letter.id}::bigint`)
    } catch (error) {
      failures.push(error)
      await service.rows(
        sql`update private.payment_letters set attempts = attempts + 1 where id = ${letter.id}::bigint`,
      )
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} letters were not sent`)
}

function words({ config, siteUrl }: Post, letter: Waiting, to: string): Letter {
  const creator = letter.creator_name ?? letterTexts.formerCreator
  const plan = letter.plan_name ?? letterTexts.yourPlan
  const price = `${dollars(letter.price_cents)} per ${letter.plan_interval}`
  const about = {
    receipt: () =>
      letterTexts.receipt({
        amount: dollars(letter.amount_cents),
        date: day(letter.occurred_at),
        what: letterTexts.kinds[letter.transaction_type as keyof typeof letterTexts.kinds](creator, plan),
      }),
    refund: () =>
      letterTexts.refund({
        amount: dollars(letter.amount_cents),
        what: letterTexts.kinds[letter.transaction_type as keyof typeof letterTexts.kinds](creator, plan),
        reason: letter.reason,
      }),
    payment_failed: () =>
      letterTexts[letter.confirm_url === null ? 'paymentFailed' : 'paymentToConfirm']({
        creator,
        plan,
        price,
        until: day(letter.access_until),
      }),
    trial_ends: () => letterTexts.trialEnds({ creator, plan, price, date: day(letter.due_at) }),
    renewal: () => letterTexts.renewal({ creator, plan, price, date: day(letter.due_at) }),
  }
  const { subject, paragraphs } = about[letter.kind]()
  return {
    to,
    subject,
    paragraphs,
    action:
      letter.confirm_url === null
        ? { label: letterTexts.manage, url: `${siteUrl()}${paths.subscriptions}` }
        : { label: letterTexts.confirm, url: letter.confirm_url },
    closing: letterTexts.closing,
    productName: config.operator.productName,
  }
}

const dollars = (cents: number | null): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format((cents ?? 0) / 100)

const day = (moment: Date | string | null): string =>
  moment === null
    ? ''
    : new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(moment))
