import { paths } from '@ovation/contract/paths'
import { paymentEmailTexts } from '@ovation/contract/texts/payment-emails'
import type { Mailer } from '../../mail/mailer.ts'
import { type Email, renderEmail } from '../../mail/render-email.ts'
import { sql } from '../../postgres/sql.ts'
import { formatMoney } from '../format-money.ts'
import type { Payments } from '../payments.ts'

type Waiting = {
  readonly id: string
  readonly kind:
    | 'receipt'
    | 'refund'
    | 'payment_failed'
    | 'trial_started'
    | 'trial_ends'
    | 'renewal'
    | 'price_change'
    | 'billing_paused'
    | 'billing_resumes'
    | 'pause_confirmed'
    | 'pause_ends'
  /** Null for an email that shouldn't be sent. */
  readonly email: string | null
  readonly creator_name: string | null
  readonly plan_name: string | null
  /** Of a tip: the goal toward which it was given. */
  readonly goal_title: string | null
  readonly price_cents: number | null
  readonly plan_interval: string | null
  readonly interval_count: number | null
  readonly transaction_type: string | null
  readonly amount_cents: number | null
  readonly occurred_at: Date | null
  readonly reason: string | null
  readonly due_at: Date | null
  readonly access_until: Date | null
  /** Where the fan confirms a renewal for their bank. */
  readonly confirm_url: string | null
  /** What a period costs from the first renewal after `moves_at`. */
  readonly new_price_cents: number | null
  readonly moves_at: Date | null
  /** The fan's own pause, or the creator's, which has no start here. An operator's may have no end. */
  readonly paused_from: Date | null
  readonly paused_until: Date | null
  readonly next_payment_at: Date | null
}

/** What emails need from the server. */
type EmailServices = Pick<Payments, 'config' | 'database'> & { readonly mailer: Mailer; siteUrl(): string }

/**
 * Sends fans' payment emails: receipts, refunds, failed charges, and upcoming renewals. An email that couldn't be handed over
 * is sent by a later run.
 * @throws if any of them failed, so that the job retries.
 */
export async function sendPaymentEmails(services: EmailServices): Promise<void> {
  const { service } = services.database
  await service.rows(sql`select private.write_reminders()`)
  const waiting = await service.rows<Waiting>(sql`
    select id::text, kind, email, creator_name, plan_name, price_cents::int, plan_interval, interval_count, transaction_type, amount_cents::int, occurred_at,
      reason, due_at, access_until, confirm_url, new_price_cents::int, moves_at, goal_title, paused_from,
      case when isfinite(paused_until) then paused_until end as paused_until, next_payment_at
    from private.emails_to_send()`)
  const failures: unknown[] = []
  for (const email of waiting) {
    try {
      if (email.email !== null) await services.mailer.send(renderEmail(composeEmail(services, email, email.email)))
      await service.rows(
        sql`update private.payment_emails set sent_at = now(), is_skipped = ${email.email === null} where id = ${email.id}::bigint`,
      )
    } catch (error) {
      failures.push(error)
      await service.rows(sql`update private.payment_emails set attempts = attempts + 1 where id = ${email.id}::bigint`)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} emails were not sent`)
}

function composeEmail({ config, siteUrl }: EmailServices, email: Waiting, to: string): Email {
  const creator = email.creator_name ?? paymentEmailTexts.formerCreator
  const plan = email.plan_name ?? paymentEmailTexts.yourPlan
  const what = () =>
    email.goal_title === null
      ? paymentEmailTexts.kinds[email.transaction_type as keyof typeof paymentEmailTexts.kinds](creator, plan)
      : paymentEmailTexts.tipTowardGoal(creator, email.goal_title)
  const price = priceOf(email, email.price_cents)
  const about = {
    receipt: () =>
      paymentEmailTexts.receipt({
        amount: dollars(email.amount_cents),
        date: day(email.occurred_at),
        what: what(),
      }),
    refund: () =>
      paymentEmailTexts.refund({
        amount: dollars(email.amount_cents),
        what: what(),
        reason: email.reason,
      }),
    payment_failed: () =>
      paymentEmailTexts[email.confirm_url === null ? 'paymentFailed' : 'paymentToConfirm']({
        creator,
        plan,
        price,
        until: day(email.access_until),
      }),
    trial_started: () => paymentEmailTexts.trialStarted({ creator, plan, price, date: day(email.due_at) }),
    trial_ends: () => paymentEmailTexts.trialEnds({ creator, plan, price, date: day(email.due_at) }),
    renewal: () => paymentEmailTexts.renewal({ creator, plan, price, date: day(email.due_at) }),
    billing_paused: () => paymentEmailTexts.billingPaused({ creator, plan, date: day(email.paused_until) }),
    billing_resumes: () =>
      paymentEmailTexts.billingResumes({
        creator,
        plan,
        price,
        date: day(email.paused_until),
        payment: day(email.next_payment_at),
      }),
    pause_confirmed: () =>
      paymentEmailTexts.pauseConfirmed({ creator, plan, from: day(email.paused_from), until: day(email.paused_until) }),
    pause_ends: () => paymentEmailTexts.pauseEnds({ creator, plan, price, date: day(email.paused_until) }),
    price_change: () => {
      const [before, now] = [email.price_cents ?? 0, email.new_price_cents ?? 0]
      const about = { creator, plan, price, newPrice: priceOf(email, now), date: day(email.moves_at) }
      return now > before ? paymentEmailTexts.priceRises(about) : paymentEmailTexts.priceFalls(about)
    },
  }
  const { subject, paragraphs } = about[email.kind]()
  return {
    to,
    subject,
    paragraphs,
    action: actionOf(email, siteUrl()),
    closing: paymentEmailTexts.closing,
    productName: config.operator.productName,
  }
}

/** $9.99 per month, or $27.00 every 3 months. */
function priceOf({ plan_interval, interval_count }: Waiting, cents: number | null): string {
  const count = interval_count ?? 1
  return `${dollars(cents)} ${count > 1 ? `every ${count} ${plan_interval}s` : `per ${plan_interval}`}`
}

/** The bank's page for a payment that waits for it, otherwise the screen that lists the payment. */
function actionOf({ kind, confirm_url, transaction_type }: Waiting, siteUrl: string): NonNullable<Email['action']> {
  const { confirm, manage, sessions, gifts, library, receipts } = paymentEmailTexts
  if (confirm_url !== null) return { label: confirm, url: confirm_url }
  if (transaction_type === null || transaction_type === 'subscription')
    return { label: manage, url: `${siteUrl}${paths.subscriptions}` }
  if (kind === 'receipt' && transaction_type === 'product') return { label: library, url: `${siteUrl}${paths.library}` }
  if (transaction_type === 'private_session') return { label: sessions, url: `${siteUrl}${paths.privateSessions}` }
  if (transaction_type === 'gift') return { label: gifts, url: `${siteUrl}${paths.subscriptions}` }
  return { label: receipts, url: `${siteUrl}${paths.settingsTab('subscriptions')}` }
}

const dollars = (cents: number | null): string => formatMoney(cents ?? 0, 'usd')

const day = (moment: Date | string | null): string =>
  moment === null
    ? ''
    : new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(moment))
