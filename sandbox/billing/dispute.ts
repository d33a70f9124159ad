import type { Context } from '../context.ts'
import { errors } from '../http/errors.ts'
import { newId } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { created, emit, updated } from '../webhooks/emit.ts'
import { book } from './balance.ts'
import { disputeFee } from './fee.ts'
import { settleWarnings } from './fraud-warning.ts'
import type { DisputeKind } from './test-cards.ts'

type Charge = Kinds['charge']
type Dispute = Kinds['dispute']

const day = 86_400
/** How long the seller has to answer; then the dispute is lost, and an inquiry rests. */
const answerDays = 9
/** How long a bank takes to decide about evidence that is no word for tests. */
const reviewDays = 60

type Status = 'appeal_needs_response' | 'appeal_under_review' | 'needs_response' | 'under_review'
const open = new Set<Dispute['status']>(['appeal_needs_response', 'needs_response', 'warning_needs_response'])
const underReview = new Set<Dispute['status']>(['appeal_under_review', 'under_review', 'warning_under_review'])

/**
 * The buyer's bank takes back what is left of a charge, from the platform alone: transfers and fees are the platform's to undo.
 * An inquiry only asks: no money moves, and the charge can be refunded.
 */
export function openDispute(context: Context, charge: Charge, kind: DisputeKind = 'fraudulent'): Dispute {
  const left = charge.amount - charge.amount_refunded - takenBack(context, charge)
  if (!charge.paid || left <= 0) throw errors.state('This charge cannot be disputed.')
  if (kind !== 'multiple') return dispute(context, charge, left, kind)
  const half = Math.floor(left / 2)
  if (half > 0) dispute(context, charge, half, 'fraudulent')
  return dispute(context, charge, left - half, 'fraudulent')
}

/** What banks have asked back of a charge, however they decided then. */
function takenBack({ store, account }: Context, charge: Charge): number {
  const { data } = store.list('dispute', { account, where: { charge: charge.id }, limit: 100 })
  return data.reduce((cents, known) => (known.balance_transactions.length > 0 ? cents + known.amount : cents), 0)
}

function dispute(context: Context, charge: Charge, amount: number, kind: DisputeKind): Dispute {
  settleWarnings(context, charge.id)
  const blank = newDispute(context.now, charge, amount, kind)
  const asks = kind === 'inquiry'
  const opened = created(context, 'dispute', 'charge.dispute.created', {
    ...blank,
    balance_transactions: asks ? [] : [withdraw(context, blank)],
  })
  context.store.schedule(opened.id, context.now + answerDays * day)
  if (asks) return opened
  context.store.save<'charge'>({ ...charge, disputed: true })
  emit(context, 'charge.dispute.funds_withdrawn', opened)
  return opened
}

const withdraw = (context: Context, { id, amount, charge }: Dispute) =>
  book(context, {
    type: 'adjustment',
    amount: -amount,
    ...(context.truth.processingFees && {
      fee: { amount: disputeFee, description: 'Dispute fee', type: 'stripe_fee' as const },
    }),
    source: id,
    description: `Chargeback withdrawal for ${charge}`,
  })

/** The seller was warned in time and gave the money back, by an agreement with the card network: the bank disputes nothing. */
export function preventDispute(context: Context, charge: Charge): Dispute {
  const amount = charge.amount - charge.amount_refunded
  const dispute: Dispute = { ...newDispute(context.now, charge, amount, 'fraudulent'), status: 'prevented' }
  return created(context, 'dispute', 'charge.dispute.created', dispute)
}

/** The bank isn't content with the answer to its inquiry: now it takes what is left of the charge. */
export function escalateInquiry(context: Context, dispute: Dispute): Dispute {
  if (!dispute.status.startsWith('warning_')) throw errors.state('This dispute is no inquiry.')
  const charge = context.store.get('charge', dispute.charge)
  const amount = charge.amount - charge.amount_refunded - takenBack(context, charge)
  const escalated = updated(context, 'dispute', 'charge.dispute.updated', {
    ...dispute,
    amount,
    balance_transactions: [withdraw(context, { ...dispute, amount })],
    is_charge_refundable: false,
    status: 'needs_response',
  })
  context.store.save<'charge'>({ ...charge, disputed: true })
  context.store.schedule(dispute.id, context.now + answerDays * day)
  emit(context, 'charge.dispute.funds_withdrawn', escalated)
  return escalated
}

/** What silence ends in: a dispute or its appeal is lost, an inquiry rests. */
export function lapseDispute(context: Context, dispute: Dispute): Dispute {
  return closeDispute(context, dispute, dispute.status.startsWith('warning_') ? 'warning_closed' : 'lost')
}

/**
 * The bank has decided. A won dispute brings the money back to the platform. A lost one can still be won, by an appeal; nothing else that is
 * closed changes.
 */
export function closeDispute(context: Context, dispute: Dispute, status: 'lost' | 'warning_closed' | 'won'): Dispute {
  if (!open.has(dispute.status) && !underReview.has(dispute.status)) return dispute
  context.store.schedule(dispute.id, null)
  const entries = [...dispute.balance_transactions]
  const reinstated = status === 'won' && entries.length > 0
  if (reinstated)
    entries.push(
      book(context, {
        type: 'adjustment',
        amount: dispute.amount,
        source: dispute.id,
        description: `Chargeback reversal for ${dispute.charge}`,
      }),
    )
  const closed = updated(context, 'dispute', 'charge.dispute.closed', {
    ...dispute,
    balance_transactions: entries,
    status,
  })
  if (reinstated) emit(context, 'charge.dispute.funds_reinstated', closed)
  return closed
}

/** The card network lets the seller appeal against a dispute that was lost. */
export function offerAppeal(context: Context, dispute: Dispute): Dispute {
  if (dispute.status !== 'lost') throw errors.state('Only a dispute that was lost can be appealed.')
  context.store.schedule(dispute.id, context.now + answerDays * day)
  return updated(context, 'dispute', 'charge.dispute.updated', {
    ...dispute,
    evidence_details: { ...dispute.evidence_details, due_by: context.now + answerDays * day, past_due: false },
    status: 'appeal_needs_response',
  })
}

/**
 * Stripe's words for tests decide at once: `winning_evidence`, `losing_evidence` and, for an inquiry, `escalate_inquiry_evidence`.
 * Anything else is reviewed for sixty days, and loses then.
 */
export function submitEvidence(context: Context, dispute: Dispute, text: string | null, submit: boolean): Dispute {
  if (!open.has(dispute.status)) throw errors.state('This dispute takes no evidence now.')
  const answered = updated(context, 'dispute', 'charge.dispute.updated', {
    ...dispute,
    evidence: { ...dispute.evidence, uncategorized_text: text },
    evidence_details: {
      ...dispute.evidence_details,
      has_evidence: text !== null,
      submission_count: dispute.evidence_details.submission_count + (submit ? 1 : 0),
    },
    status: submit ? (dispute.status.replace('needs_response', 'under_review') as Status) : dispute.status,
  })
  if (!submit) return answered
  const asks = answered.status === 'warning_under_review'
  if (text === 'winning_evidence') return closeDispute(context, answered, asks ? 'warning_closed' : 'won')
  if (text === 'losing_evidence') return closeDispute(context, answered, asks ? 'warning_closed' : 'lost')
  if (text === 'escalate_inquiry_evidence' && asks) return escalateInquiry(context, answered)
  context.store.schedule(answered.id, context.now + reviewDays * day)
  return answered
}

/** The money went back before the bank asked for it: an inquiry about the charge rests. */
export function closeInquiries(context: Context, charge: string): void {
  const { data } = context.store.list('dispute', { account: context.account, where: { charge }, limit: 100 })
  for (const dispute of data)
    if (dispute.status.startsWith('warning_')) closeDispute(context, dispute, 'warning_closed')
}

const newDispute = (now: number, charge: Charge, amount: number, kind: DisputeKind): Dispute => ({
  id: newId('du'),
  object: 'dispute',
  amount,
  balance_transactions: [],
  charge: charge.id,
  created: now,
  currency: 'usd',
  enhanced_eligibility_types: [],
  evidence: {
    access_activity_log: null,
    billing_address: null,
    cancellation_policy: null,
    cancellation_policy_disclosure: null,
    cancellation_rebuttal: null,
    customer_communication: null,
    customer_email_address: charge.receipt_email,
    customer_name: null,
    customer_purchase_ip: null,
    customer_signature: null,
    duplicate_charge_documentation: null,
    duplicate_charge_explanation: null,
    duplicate_charge_id: null,
    enhanced_evidence: {},
    product_description: null,
    receipt: null,
    refund_policy: null,
    refund_policy_disclosure: null,
    refund_refusal_explanation: null,
    service_date: null,
    service_documentation: null,
    shipping_address: null,
    shipping_carrier: null,
    shipping_date: null,
    shipping_documentation: null,
    shipping_tracking_number: null,
    uncategorized_file: null,
    uncategorized_text: null,
  },
  evidence_details: {
    due_by: now + answerDays * day,
    enhanced_eligibility: {},
    has_evidence: false,
    past_due: false,
    submission_count: 0,
    submission_method: 'not_submitted',
  },
  intended_submission_method: null,
  is_charge_refundable: kind === 'inquiry',
  livemode: false,
  metadata: {},
  payment_intent: charge.payment_intent,
  payment_method_details: {
    card: {
      brand: charge.payment_method_details?.card?.brand ?? 'visa',
      case_type: kind === 'inquiry' || kind === 'compliance' ? kind : 'chargeback',
      network: charge.payment_method_details?.card?.network ?? 'visa',
      network_reason_code: kind === 'product_not_received' ? '13.1' : '10.4',
    },
    type: 'card',
  },
  reason: reasonOf(kind),
  status: kind === 'inquiry' ? 'warning_needs_response' : 'needs_response',
})

function reasonOf(kind: DisputeKind): string {
  if (kind === 'compliance') return 'noncompliant'
  return kind === 'product_not_received' ? kind : 'fraudulent'
}
